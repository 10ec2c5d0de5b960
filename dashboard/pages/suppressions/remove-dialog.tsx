import { useId, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Suppression } from '../../../contract/audience/suppression.ts'
import { Button } from '../../../widgets/kit/button.tsx'
import { Dialog, DialogActions } from '../../../widgets/kit/dialog.tsx'
import type { SuppressionsStore } from './suppressions-store.ts'

/** Asks before an address is written to again; of who asked not to be, whether they have asked for mail again. */
export function RemoveDialog({ store, asked }: { store: SuppressionsStore; asked: Suppression }) {
  const { busy } = useSnapshot(store.state)
  const [isConsented, setIsConsented] = useState(false)
  const id = useId()
  const { email, reason, detail } = asked
  const isByPerson = reason === 'unsubscribed' || reason === 'complained'
  return (
    <Dialog title={`Write to ${email} again?`} onClosed={() => store.open({ asked: null })}>
      {(close) => (
        <>
          {reason === 'bounced' && (
            <p>
              Its mail server said that there is no such address. If that is so still, the next mail puts it back here.
            </p>
          )}
          {reason === 'bounced' && detail !== null && <p className="suppression-reply">{detail}</p>}
          {reason === 'manual' && <p>The next message or campaign that names it is sent to it.</p>}
          {isByPerson && (
            <>
              <p>
                {reason === 'unsubscribed' ? 'They asked for no more mail.' : 'They reported a mail of yours as spam.'}{' '}
                Writing to them without being asked breaks the law of many countries.
              </p>
              <p className="suppression-consent">
                <input
                  id={id}
                  type="checkbox"
                  checked={isConsented}
                  onChange={(event) => setIsConsented(event.currentTarget.checked)}
                />
                <label htmlFor={id}>They have asked me for mail again</label>
              </p>
            </>
          )}
          <DialogActions>
            <Button onClick={close}>Cancel</Button>
            <Button
              kind="danger"
              busy={busy === 'removing'}
              disabled={isByPerson && !isConsented}
              onClick={() => void store.remove(asked, isConsented).then((isDone) => isDone && close())}
            >
              Remove
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
