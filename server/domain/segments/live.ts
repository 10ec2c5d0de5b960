import {
  type Behaviour,
  leavesOf,
  referencedSegments,
  type RuleLeaf,
  type SegmentRule,
} from '../../../contract/audience/segment-rule.ts'

/** What changes the people of a rule without a change of a contact: the calendar, mails, or nothing. */
export type RuleClock = 'mails' | 'days' | 'none'

/** When a segment is evaluated next: so long from now, or after the next midnight of the workspace. */
export interface NextEvaluation {
  isAfterMidnight: boolean
  inMs: number
}

const minuteMs = 60_000
const settleMs = minuteMs
/** Below the 15 minutes within which members follow, with room for the evaluations before it. */
const mailsEveryMs = 12 * minuteMs
const staggerMaxMs = 10 * minuteMs
const dayMs = 24 * 60 * minuteMs

const dayOperators: ReadonlySet<string> = new Set(['within_days', 'older_than_days', 'anniversary_in_days'])

/** How soon the members of a live segment are compared with all contacts again. `changedMs`: since its rule was changed. */
export function nextEvaluationOf(clock: RuleClock, id: number, changedMs: number): NextEvaluation {
  // A change of a contact that was under way when the segment became live is neither seen nor noted: it has ended by then.
  if (changedMs < settleMs) return { isAfterMidnight: false, inMs: settleMs }
  if (clock === 'mails') return { isAfterMidnight: false, inMs: mailsEveryMs }
  const staggerMs = (id * 7919) % staggerMaxMs
  // Days begin at midnight; without them nothing is due, and once a day heals what was missed.
  return { isAfterMidnight: clock === 'days', inMs: staggerMs + (clock === 'days' ? 0 : dayMs) }
}

/** Decides by the leaves of the rule and of the segments that it refers to; each segment counts once. */
export function clockOf(rule: SegmentRule, rules: ReadonlyMap<string, SegmentRule>): RuleClock {
  let clock: RuleClock = 'none'
  for (const leaf of allLeaves(rule, rules)) {
    const own = clockOfLeaf(leaf)
    if (own === 'mails') return own
    if (own === 'days') clock = own
  }
  return clock
}

/** Whether a rule asks for what was sent: it is not evaluated at each change of a contact, since mails are no changes of it. */
export function readsMails(rule: SegmentRule, rules: ReadonlyMap<string, SegmentRule>): boolean {
  return allLeaves(rule, rules).some((leaf) => 'behaviour' in leaf && ofMails.has(leaf.behaviour))
}

/** Read from the ledger. The others change the contact, by the digest of their events. */
const ofMails: ReadonlySet<string> = new Set<Behaviour>(['was_sent', 'bounced'])

/** The leaves of a rule and of the segments that it refers to. */
function allLeaves(rule: SegmentRule, rules: ReadonlyMap<string, SegmentRule>): RuleLeaf[] {
  const seen = new Set<string>()
  const pending = [rule]
  const leaves: RuleLeaf[] = []
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    leaves.push(...leavesOf(next))
    for (const id of referencedSegments(next)) {
      const referenced = rules.get(id)
      if (referenced === undefined || seen.has(id)) continue
      seen.add(id)
      pending.push(referenced)
    }
  }
  return leaves
}

function clockOfLeaf(leaf: RuleLeaf): RuleClock {
  if ('field' in leaf) return dayOperators.has(leaf.op) ? 'days' : 'none'
  if (!('behaviour' in leaf)) return 'none'
  const { behaviour, source = 'any', within_days: days } = leaf
  // The last campaigns are others as soon as one begins.
  const isOfLastCampaigns = source !== 'any' && 'last' in source
  if (ofMails.has(behaviour) || isOfLastCampaigns) return 'mails'
  return days === undefined ? 'none' : 'days'
}
