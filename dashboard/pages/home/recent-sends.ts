import type { Campaign } from '../../../contract/mail/campaign.ts'
import type { DeliveryState, MessageSummary } from '../../../contract/mail/message.ts'

/** A single send or a campaign, as the home screen lists it. */
export interface Send {
  id: string
  kind: 'message' | 'campaign'
  title: string
  /** Address it came from; null for a campaign, which several mailboxes may share. */
  from: string | null
  at: string
  /** Recipients by state, those without any left out. */
  counts: { state: DeliveryState; count: number }[]
  /** The state of a campaign that its counts do not show, such as `paused`; otherwise null. */
  note: string | null
  isUnderWay: boolean
}

type Counts = Partial<Record<DeliveryState, number>>

const order: readonly DeliveryState[] = [
  'sent',
  'sending',
  'queued',
  'deferred',
  'failed',
  'unknown',
  'suppressed',
  'cancelled',
]

/** Both lists as one, newest first. */
export function recentSends(messages: readonly MessageSummary[], campaigns: readonly Campaign[]): Send[] {
  const sends = [...messages.map(ofMessage), ...campaigns.map(ofCampaign)]
  return sends.sort((a, b) => b.at.localeCompare(a.at))
}

function ofMessage({ id, from, subject, created_at: at, counts }: MessageSummary): Send {
  const isUnderWay = counts.queued + counts.sending > 0
  return { id, kind: 'message', title: subject, from, at, counts: inOrder(counts), note: null, isUnderWay }
}

function ofCampaign({
  id,
  name,
  subject,
  status,
  created_at: createdAt,
  started_at: startedAt,
  counts,
}: Campaign): Send {
  return {
    id,
    kind: 'campaign',
    title: name === '' ? subject : name,
    from: null,
    at: startedAt ?? createdAt,
    // A draft has no deliveries.
    counts: status === 'draft' ? [] : inOrder(counts),
    note: status === 'finished' || status === 'sending' ? null : status,
    isUnderWay: status === 'sending',
  }
}

function inOrder(counts: Counts): Send['counts'] {
  return order.flatMap((state) => {
    const count = counts[state] ?? 0
    return count > 0 ? [{ state, count }] : []
  })
}
