import { useSnapshot } from 'valtio'
import { Button } from '../../kit/form/button.tsx'
import { send } from '../../kit/icon/icons.ts'
import { useModule } from '../../kit/use-module.ts'
import { checklist } from '../../lib/compose-messages.ts'
import { missingParts } from '../compose-state.ts'
import type { ComposeExtras, ComposeStore } from '../compose-types.ts'
import { useMessages } from '../../kit/text/text.tsx'

const loadOutcome = () => import('./outcome.tsx')

/**
 * The outcome, 'Launch Message', and what is still missing. The sender is last and keeps its room where the only mailbox is
 * selected: so nothing moves when the list of mailboxes comes.
 */
export function LaunchBar({ store, extras }: { store: ComposeStore; extras: ComposeExtras | undefined }) {
  const t = useMessages()
  const { status, draft, audience, keptNote, configs, hide, edited } = useSnapshot(store.state)
  const missing = missingParts(draft)
  const good = draft.recipients.filter(({ problem }) => problem === null)
  const goodCount = new Set(good.map(({ key }) => key)).size
  const { module } = useModule(loadOutcome, status !== 'editing' || goodCount > 1)
  const markedCount = draft.recipients.length - good.length
  const isSending = status === 'sending'
  return (
    <>
      {module && <module.Kind store={store} count={goodCount} />}
      <div className="launch">
        <div className="launch-row">
          {module && <module.Outcome store={store} />}
          <Button
            kind="primary"
            type="submit"
            icon={send}
            busy={isSending}
            disabled={Boolean(missing[0])}
            data-needs="mail:send"
            title={t('Ctrl+Enter or ⌘+Enter')}
          >
            {edited && !isSending ? edited.act : t(isSending ? 'Sending...' : 'Launch Message')}
          </Button>
          {store.loadExtras && (
            <span className="later">
              {extras && <extras.LaterButton store={store} isDisabled={Boolean(missing[0]) || isSending} />}
            </span>
          )}
          <div className="launch-notes">
            {missing[0] ? (
              <ul aria-label={t('Before you launch')}>
                {missing.map((part) => (
                  <li key={part}>{t(checklist[part])}</li>
                ))}
                {draft.from && configs.items.length === 1 && (
                  <li style={{ visibility: 'hidden' }}>{t(checklist.from)}</li>
                )}
              </ul>
            ) : (
              <span>
                {t('{count} recipient|{count} recipients', { count: audience?.counted?.count ?? goodCount })}
                {markedCount > 0 && t(', {marked} not an address', { marked: markedCount })}
              </span>
            )}
            {keptNote && <span className="kept">{keptNote}</span>}
          </div>
        </div>
        {store.openPicker && !hide.includes('templates') && (
          <Button data-needs="templates:write" onClick={() => store.set({ picker: 'create' })}>
            {t('Create Template')}
          </Button>
        )}
      </div>
    </>
  )
}
