import { expect, it } from 'vitest'
import type { SegmentRule } from '../../../contract/audience/segment-rule.ts'
import { clockOf, nextEvaluationOf, readsMails } from './live.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const city: SegmentRule = { field: 3, op: 'is', value: 'Berlin' }
const recent: SegmentRule = { field: 'created_at', op: 'within_days', value: 3 }
const sent: SegmentRule = { behaviour: 'was_sent' }
const rules = new Map<string, SegmentRule>([
  ['1', { all: [city, { segment: '2', op: 'member_of' }] }],
  ['2', { not: sent }],
])

it.each<[SegmentRule, string]>([
  [city, 'none'],
  [{ list: '1', op: 'member_of' }, 'none'],
  [{ field: 'created_at', op: 'before', value: '2026-01-01' }, 'none'],
  [{ behaviour: 'unsubscribed' }, 'none'],
  [{ behaviour: 'opened', source: { campaigns: ['1'] } }, 'none'],
  [{ behaviour: 'clicked', within_days: 7 }, 'days'],
  [{ behaviour: 'replied', source: { last: 2 } }, 'mails'],
  [{ behaviour: 'bounced' }, 'mails'],
  [{ any: [city, { not: recent }] }, 'days'],
  [{ behaviour: 'unsubscribed', within_days: 7 }, 'days'],
  [{ behaviour: 'unsubscribed', source: { last: 2 } }, 'mails'],
  [{ all: [recent, sent] }, 'mails'],
  [{ segment: '1', op: 'not_member_of' }, 'mails'],
  [{ segment: '9', op: 'member_of' }, 'none'],
])('%j changes with: %s', (rule, clock) => {
  expect(clockOf(rule, rules)).toBe(clock)
})

it('does not evaluate rules on what was sent at each change of a contact, and others do not wait for the clock', () => {
  expect(readsMails({ all: [city, { segment: '2', op: 'member_of' }] }, rules)).toBe(true)
  expect(readsMails({ not: { behaviour: 'opened', source: { last: 2 } } }, rules)).toBe(false)
})

it('evaluates a rule on mails within 15 minutes, one on days soon after midnight, others once a day', () => {
  for (const id of [1, 77, 123_456]) {
    expect(nextEvaluationOf('mails', id, hourMs).inMs).toBeLessThan(15 * minuteMs)
    const days = nextEvaluationOf('days', id, hourMs)
    expect([days.isAfterMidnight, days.inMs < 15 * minuteMs]).toEqual([true, true])
    expect(nextEvaluationOf('none', id, hourMs).inMs).toBeGreaterThanOrEqual(24 * hourMs)
  }
})

it.each([
  ['mails', 1, false, 12 * minuteMs],
  // The 76th segment begins the ten minutes again.
  ['days', 75, true, 593_925],
  ['days', 76, true, 1844],
  ['none', 75, false, 24 * hourMs + 593_925],
  ['none', 76, false, 24 * hourMs + 1844],
] as const)(
  'evaluates a rule on %s of the segment %i next at: after midnight %s, in %i ms',
  (clock, id, isAfterMidnight, inMs) => {
    expect(nextEvaluationOf(clock, id, hourMs)).toEqual({ isAfterMidnight, inMs })
    expect(nextEvaluationOf(clock, id, minuteMs)).toEqual({ isAfterMidnight, inMs })
    expect(nextEvaluationOf(clock, id, minuteMs - 1)).toEqual({ isAfterMidnight: false, inMs: minuteMs })
  },
)

it('evaluates a rule that has just changed again after a minute', () => {
  for (const clock of ['mails', 'days', 'none'] as const)
    expect(nextEvaluationOf(clock, 1, 1000)).toEqual({ isAfterMidnight: false, inMs: minuteMs })
})
