import { useRef, useState, type SyntheticEvent } from 'react'
import { useSnapshot } from 'valtio'
import { Banner } from '../kit/feedback/banner.tsx'
import { Button } from '../kit/form/button.tsx'
import { Dialog, DialogActions } from '../kit/overlay/dialog.tsx'
import { createSheet, useSheet } from '../kit/shadow/sheet.ts'
import { TextArea } from '../kit/form/text-area.tsx'
import { TextField } from '../kit/form/text-field.tsx'
import { createFailed, createProblems } from '../lib/template-messages.ts'
import { css } from './create-dialog.css'
import { createCreateStore, problemsOf, type CreateField } from './create-store.ts'
import type { TemplatePickerStore } from './template-picker-store.ts'
import { useMessages } from '../kit/text/text.tsx'

const sheet = createSheet(css)

/** Asks for subject, body and context tags of a new template (spec §2), and saves it. */
export function CreateDialog({ store: picker, onClosed }: { store: TemplatePickerStore; onClosed: () => void }) {
  useSheet(sheet)
  const [store] = useState(() => picker.createStore(() => createCreateStore(picker, picker.draftOf())))
  const t = useMessages()
  const state = useSnapshot(store.state, { sync: true })
  const form = useRef<HTMLFormElement>(null)
  const missing = problemsOf(state)
  const field = (name: CreateField) => ({
    name,
    value: state[name],
    required: true,
    problem: state.shownProblems.includes(name) && missing.includes(name) ? t(createProblems[name]) : null,
    onValue: (value: string) => store.write(name, value),
  })
  const submit = async (event: SyntheticEvent, close: () => void) => {
    event.preventDefault()
    if (await store.submit()) close()
    else form.current?.querySelector<HTMLElement>(`[name=${store.state.shownProblems[0] ?? 'none'}]`)?.focus()
  }
  return (
    <Dialog title={t('Create Template')} onClosed={onClosed}>
      {(close) => (
        <form ref={form} className="create" noValidate onSubmit={(event) => void submit(event, close)}>
          <TextField {...field('subject')} label={t('Subject')} />
          <TextArea
            {...field('body')}
            label={t('Body')}
            rows={8}
            spellCheck
            readOnly={store.isDesign}
            hint={store.isDesign ? t('As it is written. The template opens for editing as you wrote it.') : 'HTML'}
          />
          <TextField
            {...field('tags')}
            label={t('Context tags')}
            placeholder={t('first_name, company')}
            hint={t('Names of the merge variables, comma-separated')}
            autoCapitalize="off"
          />
          {state.status === 'failed' && (
            <Banner kind="error" title={t(createFailed)}>
              {t(state.error ?? '')}
            </Banner>
          )}
          <DialogActions>
            <Button onClick={close}>{t('Cancel')}</Button>
            <Button kind="primary" type="submit" busy={state.status === 'saving'}>
              {t(state.status === 'saving' ? 'Creating...' : 'Create Template')}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
