import type { ComponentType } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../kit/button.tsx'
import { send } from '../kit/icons.ts'
import { checklist } from '../lib/compose-messages.ts'
import { missingParts } from './compose-state.ts'
import type { ComposeStore } from './composer.ts'

/** Draws how the last launch ended; comes with the first launch. */
type OutcomeComponent = ComponentType<{ store: ComposeStore }>

/**
 * The outcome, 'Launch Message', and what is still missing. The sender is last and keeps its room where the only mailbox is
 * selected: so nothing moves when the list of mailboxes comes.
 */
export function LaunchBar({ store, Outcome }: { store: ComposeStore; Outcome: OutcomeComponent | undefined }) {
  const { status, draft, keptNote, configs } = useSnapshot(store.state)
  const missing = missingParts(draft)
  const good = draft.recipients.filter(({ problem }) => problem === null)
  const goodCount = new Set(good.map(({ key }) => key)).size
  const markedCount = draft.recipients.length - good.length
  const isSending = status === 'sending'
  return (
    <div className="launch">
      {Outcome && <Outcome store={store} />}
      <div className="launch-row">
        <Button
          kind="primary"
          type="submit"
          icon={send}
          busy={isSending}
          disabled={Boolean(missing[0])}
          data-needs="mail:send"
          title="Ctrl+Enter or ⌘+Enter"
        >
          {isSending ? 'Sending...' : 'Launch Message'}
        </Button>
        {store.openPicker && (
          <Button data-needs="templates:write" onClick={() => store.set({ picker: 'create' })}>
            Create Template
          </Button>
        )}
        <div className="launch-notes">
          {missing[0] ? (
            <ul aria-label="Before you launch">
              {missing.map((part) => (
                <li key={part}>{checklist[part]}</li>
              ))}
              {draft.from && configs.items.length === 1 && <li style={{ visibility: 'hidden' }}>{checklist.from}</li>}
            </ul>
          ) : (
            <span>
              {goodCount.toLocaleString()} {goodCount === 1 ? 'recipient' : 'recipients'}
              {markedCount > 0 && `, ${markedCount} not an address`}
            </span>
          )}
          {keptNote && <span className="kept">{keptNote}</span>}
        </div>
      </div>
    </div>
  )
}
