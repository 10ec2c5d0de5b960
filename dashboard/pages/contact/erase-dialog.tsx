import { useState } from 'react'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { TextField } from '../../../widgets/kit/form/text-field.tsx'
import { Dialog, DialogActions } from '../../../widgets/kit/overlay/dialog.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

interface Props {
  email: string
  busy: boolean
  /** Erases the person; resolves to whether it is done. */
  onErase: () => Promise<boolean>
  onClosed: () => void
}

/** Names what an erasure removes, and asks for the address to be typed. */
export function EraseDialog({ email, busy, onErase, onClosed }: Props) {
  const t = useText()
  const [typed, setTyped] = useState('')
  const [isRefused, setIsRefused] = useState(false)
  return (
    <Dialog title={t('Erase {email}?', { email })} onClosed={onClosed}>
      {(close) => (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            const isTyped = typed.trim().toLowerCase() === email.toLowerCase()
            setIsRefused(!isTyped)
            if (isTyped) void onErase().then((isDone) => isDone && close())
            else event.currentTarget.querySelector('input')?.focus()
          }}
        >
          <p>{t('This removes at once:')}</p>
          <ul className="contact-losses">
            <li>{t('the contact with its fields, notes of consent and timeline;')}</li>
            <li>{t('its memberships of lists and segments;')}</li>
            <li>{t('its rows in imports, and the files of finished imports;')}</li>
            <li>{t('its entry in the suppressions.')}</li>
          </ul>
          <p>
            {t(
              'Within a day the address and the values of this person are removed from the mails that were sent to them.',
            )}
          </p>
          <p>
            {t(
              'An unreadable form of the address stays, so that no import and no campaign reaches this person again. Erasing cannot be undone.',
            )}
          </p>
          <TextField
            label={t('Type {email} to confirm', { email })}
            type="email"
            autoComplete="off"
            spellCheck={false}
            problem={isRefused ? t('This is not the address above') : undefined}
            value={typed}
            onValue={setTyped}
          />
          <DialogActions>
            <Button onClick={close}>{t('Cancel')}</Button>
            <Button kind="danger" type="submit" busy={busy}>
              {t('Erase')}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
