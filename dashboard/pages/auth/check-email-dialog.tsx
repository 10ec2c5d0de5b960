import { Button } from '../../../widgets/kit/form/button.tsx'
import { Dialog, DialogActions } from '../../../widgets/kit/overlay/dialog.tsx'
import { ResendLine } from './resend-line.tsx'
import { SandboxNote } from '../sandbox/sandbox-note.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'

/** Asks a signed-in user to confirm the address first (spec §2). */
export function CheckEmailDialog({ email, onClosed }: { email: string; onClosed: () => void }) {
  const t = useText()
  return (
    <Dialog title={t('Check Your Email')} onClosed={onClosed}>
      {(close) => (
        <>
          <p>
            {richText(
              t,
              'We sent a confirmation link to {address}. Open it, then sign in: the dashboard opens once the address is confirmed.',
              { address: email === '' ? t('your address') : <b>{email}</b> },
            )}
          </p>
          <SandboxNote />
          <ResendLine />
          <DialogActions>
            <Button kind="primary" onClick={close}>
              {t('Got It')}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
