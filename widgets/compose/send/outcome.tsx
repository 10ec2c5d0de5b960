import { useSnapshot } from 'valtio'
import { Banner } from '../../kit/feedback/banner.tsx'
import { sent as sentText } from '../../lib/send-messages.ts'
import type { ComposeStore } from '../compose-types.ts'
import { useMessages } from '../../kit/text/text.tsx'

/** How the last launch ended: the banner of a failure, or the alert of a success (spec §8, §4). */
export function Outcome({ store }: { store: ComposeStore }) {
  const t = useMessages()
  const { status, problem, sent, launched } = useSnapshot(store.state)
  if (status === 'failed' && problem) {
    return (
      <Banner kind="error" title={t(problem.title)}>
        {problem.text && <p>{t(problem.text)}</p>}
      </Banner>
    )
  }
  if (status !== 'sent' || !sent) return null
  return (
    <Banner kind="success" title={t(launched?.kind === 'campaign' ? 'Campaign launched' : sentText)}>
      <p>
        {t(sent.text, sent.values)}
        {sent.suppressed > 0 && t(', {left} left out because they are suppressed', { left: sent.suppressed })}
      </p>
    </Banner>
  )
}
