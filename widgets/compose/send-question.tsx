import { useRef } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../kit/button.tsx'
import { Dialog, DialogActions } from '../kit/dialog.tsx'
import { askEmpty, askOthers } from '../lib/send-messages.ts'
import type { ComposeStore } from './composer.ts'
import { emptyVariables } from './empty-variables.ts'
import { answer } from './launch-store.ts'

/** Asks before the launch what would be left out: entries that are no address, variables without a value. */
export function SendQuestion({ store }: { store: ComposeStore }) {
  const { draft } = useSnapshot(store.state)
  const marked = draft.recipients.filter(({ problem }) => problem !== null)
  const goodCount = draft.recipients.length - marked.length
  const empty = emptyVariables(draft)
  const yes = useRef(false)
  return (
    <Dialog
      title={marked.length > 0 ? askOthers(goodCount) : askEmpty}
      onClosed={() => void answer(store, yes.current)}
    >
      {(close) => (
        <>
          {marked.length > 0 && (
            <p>
              {marked.length === 1 ? 'One entry is not an address' : `${marked.length} entries are not addresses`} and
              will get nothing:{' '}
              {marked
                .slice(0, 5)
                .map(({ text }) => text)
                .join(', ')}
              {marked.length > 5 && ' …'}
            </p>
          )}
          {empty.length > 0 && (
            <>
              <p>Nothing will stand in place of:</p>
              <ul className="unfilled">
                {empty.map(({ name, count }) => (
                  <li key={name}>
                    <code>{`{{${name}}}`}</code>{' '}
                    {count === goodCount
                      ? 'for every recipient'
                      : `for ${count.toLocaleString()} of ${goodCount.toLocaleString()}`}
                  </li>
                ))}
              </ul>
            </>
          )}
          <DialogActions>
            <Button onClick={close}>Back to the message</Button>
            <Button
              kind="primary"
              onClick={() => {
                yes.current = true
                close()
              }}
            >
              Send to {goodCount.toLocaleString()}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
