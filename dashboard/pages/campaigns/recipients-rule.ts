import type { Behaviour, SegmentRule } from '../../../contract/audience/segment-rule.ts'
import type { RecipientAct } from '../../../contract/mail/campaign-recipient.ts'
import { noRecipientFilter, type RecipientFilter } from './recipients-store.ts'

const behaviourOf: Partial<Record<RecipientAct, Behaviour>> = {
  sent: 'was_sent',
  opened: 'opened',
  clicked: 'clicked',
  replied: 'replied',
  bounced: 'bounced',
  complained: 'complained',
  unsubscribed: 'unsubscribed',
}

/** The rule that finds the people of a filter by what they did alone; null where no rule does. */
export function segmentRuleOf(campaignId: string, filter: Readonly<RecipientFilter>): SegmentRule | null {
  const { did, ...others } = filter
  const { did: _none, ...empty } = noRecipientFilter
  if (did === '' || JSON.stringify(others) !== JSON.stringify(empty)) return null
  const source = { campaigns: [campaignId] }
  if (did === 'not_opened')
    return { all: [{ behaviour: 'was_sent', source }, { not: { behaviour: 'opened', source } }] }
  const behaviour = behaviourOf[did]
  if (behaviour === undefined) return null
  return { behaviour, source }
}
