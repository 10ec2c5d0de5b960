import type { Campaign } from '../../../contract/mail/campaign.ts'
import type { DeliveryState } from '../../../contract/mail/message.ts'
import { pageLanguage } from '../../../widgets/lib/messages/messages.ts'

/** What the list shows of a campaign. */
export type Shown = Omit<Campaign, 'counts' | 'config_ids' | 'context' | 'unfilled_variables' | AudiencePart> & {
  counts: Readonly<Campaign['counts']>
} & Readonly<Record<AudiencePart, readonly string[]>>

type AudiencePart = 'list_ids' | 'segment_ids' | 'exclude_list_ids' | 'exclude_segment_ids'

/** Each state's word and tone. */
export const statusLabels: Readonly<
  Record<Campaign['status'], { word: string; tone: 'open' | 'good' | 'warn' | 'bad' }>
> = {
  draft: { word: 'Draft', tone: 'open' },
  scheduled: { word: 'Scheduled', tone: 'warn' },
  preparing: { word: 'Preparing', tone: 'good' },
  sending: { word: 'Sending', tone: 'good' },
  paused: { word: 'Paused', tone: 'warn' },
  finished: { word: 'Finished', tone: 'good' },
  cancelled: { word: 'Cancelled', tone: 'open' },
  failed: { word: 'Failed', tone: 'bad' },
}

/** Each state of a recipient: its word and tone. */
export const deliveryLabels: Readonly<Record<DeliveryState, { word: string; tone: 'open' | 'good' | 'warn' | 'bad' }>> =
  {
    queued: { word: 'Queued', tone: 'open' },
    sending: { word: 'Sending', tone: 'open' },
    sent: { word: 'Sent', tone: 'good' },
    deferred: { word: 'Deferred', tone: 'warn' },
    failed: { word: 'Failed', tone: 'bad' },
    suppressed: { word: 'Suppressed', tone: 'warn' },
    cancelled: { word: 'Cancelled', tone: 'open' },
    unknown: { word: 'Unknown', tone: 'warn' },
  }

const others = ['failed', 'unknown', 'suppressed', 'deferred', 'cancelled'] as const

/** Who of a campaign got no mail, by why: '3 failed', '2 suppressed'. */
export function unsentCounts(counts: Shown['counts']): { text: string; isBad: boolean }[] {
  return others
    .filter((state) => counts[state] > 0)
    .map((state) => ({
      text: pageLanguage.t(`{number} ${state}`, { number: counts[state] }),
      isBad: state === 'failed' || state === 'unknown',
    }))
}

/** The moment that matters most in its state, and what it is. */
export function relevantTime(campaign: Shown): { word: string; at: string } {
  const { status, scheduled_at: startsAt, started_at: startedAt, finishes_at: endsAt, finished_at: endedAt } = campaign
  const created = { word: 'Created', at: campaign.created_at }
  if (status === 'scheduled' && startsAt) return { word: 'Starts', at: startsAt }
  if (status === 'sending' && endsAt) return { word: 'Last mail at', at: endsAt }
  if (status === 'paused') return startedAt ? { word: 'Started', at: startedAt } : created
  if (endedAt) return { word: 'Ended', at: endedAt }
  return created
}

/** A moment in the reader's time zone, with that zone's name. */
export function startText(iso: string): string {
  return new Date(iso).toLocaleString(pageLanguage.t.lang, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  })
}

/** Its name, or what else it is known by. */
export const nameOf = ({ name, subject }: Pick<Campaign, 'name' | 'subject'>) =>
  name || subject || pageLanguage.t('No subject')
