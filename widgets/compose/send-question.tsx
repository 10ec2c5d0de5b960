import { useRef } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../kit/button.tsx'
import { Dialog, DialogActions } from '../kit/dialog.tsx'
import { askOthers } from '../lib/send-messages.ts'
import type { ComposeStore } from './compose-store.ts'

/** Asks whether to send to the recipients that are addresses, when others are not (decisions, Screens). */
export function SendQuestion({ store }: { store: ComposeStore }) {
  const { draft } = useSnapshot(store.state)
  const marked = draft.recipients.filter(({ problem }) => problem !== null)
  const goodCount = draft.recipients.length - marked.length
  const answer = useRef(false)
  return (
    <Dialog title={askOthers(goodCount)} onClosed={() => void store.answer(answer.current)}>
      {(close) => (
        <>
          <p>
            {marked.length === 1 ? 'One entry is not an address' : `${marked.length} entries are not addresses`} and
            will get nothing:{' '}
            {marked
              .slice(0, 5)
              .map(({ text }) => text)
              .join(', ')}
            {marked.length > 5 && ' …'}
          </p>
          <DialogActions>
            <Button onClick={close}>Back to the message</Button>
            <Button
              kind="primary"
              onClick={() => {
                answer.current = true
                close()
              }}
            >
              Send to {goodCount}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
