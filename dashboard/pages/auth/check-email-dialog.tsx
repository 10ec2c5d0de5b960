import { Button } from '../../../widgets/kit/button.tsx'
import { Dialog, DialogActions } from '../../../widgets/kit/dialog.tsx'
import { ResendLine } from './resend-line.tsx'
import { SandboxNote } from '../sandbox/sandbox-note.tsx'

/** Tells a person who signed in to confirm the address first (spec §2). */
export function CheckEmailDialog({ email, onClosed }: { email: string; onClosed: () => void }) {
  return (
    <Dialog title="Check Your Email" onClosed={onClosed}>
      {(close) => (
        <>
          <p>
            We sent a confirmation link to {email === '' ? 'your address' : <b>{email}</b>}. Open it, then sign in: the
            dashboard opens once the address is confirmed.
          </p>
          <SandboxNote />
          <ResendLine />
          <DialogActions>
            <Button kind="primary" onClick={close}>
              Got It
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
