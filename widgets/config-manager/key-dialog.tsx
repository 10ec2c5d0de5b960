import { useSnapshot } from 'valtio'
import { Button } from '../kit/button.tsx'
import { Dialog, DialogActions } from '../kit/dialog.tsx'
import type { ConfigManagerStore } from './config-manager-store.ts'

/** Asks before a mailbox gets another secret key, and says what becomes of the old one. */
export function KeyDialog({ store }: { store: ConfigManagerStore }) {
  const { askedKey, act } = useSnapshot(store.state)
  return (
    <Dialog title="New secret key" onClosed={() => store.askKey(null)}>
      {(close) => (
        <>
          <p>
            <b>{askedKey?.email_address}</b> gets another secret key. The present one works for 24 hours more: put the
            new one into your code within that time.
          </p>
          <DialogActions>
            <Button onClick={close}>Cancel</Button>
            <Button
              kind="primary"
              busy={act?.what === 'rotate'}
              onClick={() => askedKey && void store.act({ ...askedKey }, 'rotate').then(close)}
            >
              Make new key
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
