import { useSnapshot } from 'valtio'
import { Banner } from '../../kit/feedback/banner.tsx'
import { sent as sentText } from '../../lib/send-messages.ts'
import type { ComposeStore } from '../compose-types.ts'
import { useModule } from '../../kit/use-module.ts'
import { useMessages } from '../../kit/text/text.tsx'

/** Pages of others offer neither undo nor a kind. */
const loadExtras = () => import('./launch-extras.ts')

/** What a message to several recipients is. */
export function Kind({ store, count }: { store: ComposeStore; count: number }) {
  const extras = useModule(loadExtras, store.undoSeconds !== undefined && count > 1).module
  return extras && count > 1 && <extras.KindSelect store={store} count={count} />
}

/** How the last launch ended: the banner of a failure, or the alert of a success (spec §8, §4). */
export function Outcome({ store }: { store: ComposeStore }) {
  const t = useMessages()
  const { status, problem, sent, launched, held } = useSnapshot(store.state)
  const extras = useModule(loadExtras, store.undoSeconds !== undefined && (held !== null || sent !== null)).module
  if (status === 'failed' && problem) {
    return (
      <Banner kind="error" title={t(problem.title)}>
        {problem.text && <p>{t(problem.text)}</p>}
      </Banner>
    )
  }
  if (status !== 'sent' || !sent) return null
  if (sent.scheduled_at) return extras ? <extras.Scheduled store={store} at={sent.scheduled_at} /> : null
  return (
    <Banner kind="success" title={t(launched?.kind === 'campaign' ? 'Campaign launched' : sentText)}>
      <p>
        {t(sent.text, sent.values)}
        {sent.suppressed > 0 && t(', {left} left out because they are suppressed', { left: sent.suppressed })}
        {store.launchedHref && launched && (
          <>
            {' · '}
            <a href={store.launchedHref(launched)}>
              {t(launched.kind === 'campaign' ? 'Open the campaign' : 'Open the message')}
            </a>
          </>
        )}
      </p>
      {extras && held && <extras.UndoBar store={store} />}
    </Banner>
  )
}
