import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { Dialog, DialogActions } from '../../../widgets/kit/overlay/dialog.tsx'
import { TextArea } from '../../../widgets/kit/form/text-area.tsx'
import { focusField } from '../auth/focus-field.ts'
import type { SuppressionsStore } from './suppressions-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** Adds addresses to the suppression list. */
export function AddDialog({ store }: { store: SuppressionsStore }) {
  const t = useText()
  const { busy, problem } = useSnapshot(store.state)
  const [text, setText] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const emails = text.split(/[\s,;]+/).filter((one) => one !== '')
  return (
    <Dialog title={t('Add addresses')} onClosed={() => store.open({ dialog: 'none' })}>
      {(close) => (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            const form = event.currentTarget
            setIsMissing(emails.length === 0)
            if (emails.length === 0) focusField(form, 'emails')
            else void store.add(emails).then((isDone) => (isDone ? close() : focusField(form, 'emails')))
          }}
        >
          <TextArea
            name="emails"
            label={t('Addresses')}
            rows={4}
            hint={t('One per line, or separated by commas. Your workspace sends nothing to them from now on.')}
            problem={isMissing ? t('Enter an address') : (problem ?? undefined)}
            value={text}
            onValue={(value) => {
              setText(value)
              setIsMissing(false)
            }}
          />
          <DialogActions>
            <Button onClick={close}>{t('Cancel')}</Button>
            <Button kind="primary" type="submit" busy={busy.includes('adding')}>
              {t('Add')}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
