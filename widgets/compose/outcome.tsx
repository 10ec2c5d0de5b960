import { useSnapshot } from 'valtio'
import { Banner } from '../kit/banner.tsx'
import { campaignLaunched } from '../lib/campaign-messages.ts'
import { sent as sentText } from '../lib/send-messages.ts'
import type { ComposeStore } from './composer.ts'

/** How the last launch ended: the banner of a failure, or the alert of a success (spec §8, §4). */
export function Outcome({ store }: { store: ComposeStore }) {
  const { status, problem, sent, launched } = useSnapshot(store.state)
  if (status === 'failed' && problem) {
    return (
      <Banner kind="error" title={problem.title}>
        {problem.text && <p>{problem.text}</p>}
      </Banner>
    )
  }
  if (status !== 'sent' || !sent) return null
  return (
    <Banner kind="success" title={launched?.kind === 'campaign' ? campaignLaunched : sentText}>
      <p>
        {sent.message}
        {sent.suppressed > 0 && `, ${sent.suppressed} left out because they must not be written to`}
      </p>
    </Banner>
  )
}
