import { useSnapshot } from 'valtio'
import { Button } from '../kit/button.tsx'
import { Dialog, DialogActions } from '../kit/dialog.tsx'
import type { ConfigManagerStore } from './config-manager-store.ts'

/** Asks before a configuration is deleted, and says what is lost. */
export function DeleteDialog({ store }: { store: ConfigManagerStore }) {
  const { asked, deletion } = useSnapshot(store.state)
  return (
    <Dialog title="Delete Confirmation" onClosed={() => store.keep()}>
      {(close) => (
        <>
          <p>
            <b>{asked?.email_address}</b> will be disconnected: its secret key stops working at once, and what it has
            not sent yet is cancelled. This cannot be undone.
          </p>
          <DialogActions>
            <Button onClick={close}>Cancel</Button>
            <Button
              kind="danger"
              busy={deletion === 'deleting'}
              onClick={() => void store.delete().then((isGone) => isGone && close())}
            >
              Delete
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
