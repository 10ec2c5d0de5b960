import { useRef } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../../kit/form/button.tsx'
import { Dialog, DialogActions } from '../../kit/overlay/dialog.tsx'
import { uniqueRecipients } from '../../lib/unique-recipients.ts'
import { askEmpty, askOthers } from '../../lib/send-messages.ts'
import type { ComposeStore } from '../compose-types.ts'
import { emptyVariables } from '../variables/empty-variables.ts'
import { answer } from './launch-store.ts'
import { useMessages } from '../../kit/text/text.tsx'

/** Asks before the launch what would be left out: entries that are no address, variables without a value. */
export function SendQuestion({ store }: { store: ComposeStore }) {
  const t = useMessages()
  const { draft } = useSnapshot(store.state)
  const marked = new Map(draft.recipients.flatMap(({ key, text, problem }) => (problem === null ? [] : [[key, text]])))
  const goodCount = uniqueRecipients(draft.recipients).length
  const empty = emptyVariables(draft)
  const yes = useRef(false)
  return (
    <Dialog
      title={marked.size > 0 ? t(askOthers, { number: goodCount }) : t(askEmpty)}
      onClosed={() => void answer(store, yes.current)}
    >
      {(close) => (
        <>
          {marked.size > 0 && (
            <p>
              {t(
                'One entry is not an address and is left out: {entries}|{count} entries are not addresses and are left out: {entries}',
                { count: marked.size, entries: [...marked.values()].slice(0, 5).join(', ') },
              )}
              {marked.size > 5 && ' …'}
            </p>
          )}
          {empty.length > 0 && (
            <>
              <p>{t('These variables stay empty:')}</p>
              <ul className="unfilled">
                {empty.map(({ name, count }) => (
                  <li key={name}>
                    <code>{`{{${name}}}`}</code>{' '}
                    {count === goodCount
                      ? t('for every recipient')
                      : t('for {number} of {total}', { number: count, total: goodCount })}
                  </li>
                ))}
              </ul>
            </>
          )}
          <DialogActions>
            <Button onClick={close}>{t('Back to the message')}</Button>
            <Button
              kind="primary"
              onClick={() => {
                yes.current = true
                close()
              }}
            >
              {t('Send to {number}', { number: goodCount })}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
