import { useSnapshot } from 'valtio'
import { Button } from '../kit/button.tsx'
import { send } from '../kit/icons.ts'
import { useModule } from '../kit/use-module.ts'
import { checklist } from '../lib/messages.ts'
import { missingParts, type ComposeStore } from './compose-store.ts'

const loadOutcome = () => import('./outcome.tsx')

/** The outcome, 'Launch Message', and what is still missing. */
export function LaunchBar({ store }: { store: ComposeStore }) {
  const { status, draft, keptAt } = useSnapshot(store.state)
  const missing = missingParts(draft)
  const outcome = useModule(loadOutcome, status === 'failed' || status === 'sending')
  const count = draft.recipients.length
  const isSending = status === 'sending'
  return (
    <div className="launch">
      {outcome.status === 'ready' && <outcome.module.Outcome store={store} />}
      <div className="launch-row">
        <Button
          kind="primary"
          type="submit"
          icon={send}
          busy={isSending}
          disabled={missing.length > 0}
          title="Ctrl+Enter or ⌘+Enter"
        >
          {isSending ? 'Sending...' : 'Launch Message'}
        </Button>
        <div className="launch-notes">
          <ul aria-label="Before you launch" hidden={missing.length === 0}>
            {missing.map((part) => (
              <li key={part}>{checklist[part]}</li>
            ))}
          </ul>
          {missing.length === 0 && <span>{count === 1 ? '1 recipient' : `${count.toLocaleString()} recipients`}</span>}
          {keptAt !== null && (
            <span className="kept">Draft saved {new Date(keptAt).toLocaleTimeString([], { timeStyle: 'short' })}</span>
          )}
        </div>
      </div>
    </div>
  )
}
