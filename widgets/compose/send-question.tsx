import { useRef } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../kit/button.tsx'
import { Dialog, DialogActions } from '../kit/dialog.tsx'
import { uniqueRecipients } from '../lib/unique-recipients.ts'
import { askEmpty, askOthers } from '../lib/send-messages.ts'
import type { ComposeStore } from './composer.ts'
import { emptyVariables } from './empty-variables.ts'
import { answer } from './launch-store.ts'

/** Asks before the launch what would be left out: entries that are no address, variables without a value. */
export function SendQuestion({ store }: { store: ComposeStore }) {
  const { draft } = useSnapshot(store.state)
  const marked = new Map(draft.recipients.flatMap(({ key, text, problem }) => (problem === null ? [] : [[key, text]])))
  const goodCount = uniqueRecipients(draft.recipients).length
  const empty = emptyVariables(draft)
  const yes = useRef(false)
  return (
    <Dialog title={marked.size > 0 ? askOthers(goodCount) : askEmpty} onClosed={() => void answer(store, yes.current)}>
      {(close) => (
        <>
          {marked.size > 0 && (
            <p>
              {marked.size === 1 ? 'One entry is not an address' : `${marked.size} entries are not addresses`} and will
              get nothing: {[...marked.values()].slice(0, 5).join(', ')}
              {marked.size > 5 && ' …'}
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
