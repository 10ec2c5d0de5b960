import { describe, expect, it } from 'vitest'
import type { SegmentRule } from '../../contract/audience/segment-rule.ts'
import { countedCampaigns } from '../../server/domain/segments/rule-context.ts'
import { matchesRule, type ContactFacts } from './matches-rule.ts'

const contact = (changes: Partial<ContactFacts>): ContactFacts => ({
  id: '1',
  columns: {},
  fields: {},
  lists: new Map(),
  mails: [],
  unsubscribed: null,
  ...changes,
})
const matches = (rule: SegmentRule, changes: Partial<ContactFacts>) =>
  matchesRule(rule, contact(changes), {
    today: '2026-08-24',
    fieldTypes: new Map([
      [1, 'date'],
      [2, 'number'],
    ]),
    lists: new Set(),
    segments: new Map(),
    campaigns: [],
  })

describe('a rule at its limits', () => {
  it.each<[SegmentRule, matching: string, other: string]>([
    [{ field: 1, op: 'within_days', value: 7 }, '2026-08-17', '2026-08-16'],
    [{ field: 1, op: 'within_days', value: 7 }, '2026-08-24', '2026-08-25'],
    [{ field: 1, op: 'older_than_days', value: 7 }, '2026-08-16', '2026-08-17'],
    [{ field: 1, op: 'anniversary_in_days', value: 7 }, '1990-08-31', '1990-09-01'],
    [{ field: 1, op: 'anniversary_in_days', value: 7 }, '1990-08-31', '1990-07-31'],
    [{ field: 1, op: 'before', value: '2026-08-24' }, '2026-08-23', '2026-08-24'],
    [{ field: 1, op: 'after', value: '2026-08-24' }, '2026-08-25', '2026-08-24'],
    [{ field: 1, op: 'between', value: ['2026-08-20', '2026-08-24'] }, '2026-08-20', '2026-08-19'],
    [{ field: 1, op: 'between', value: ['2026-08-20', '2026-08-24'] }, '2026-08-24', '2026-08-25'],
  ])('%j matches %s, and not %s', (rule, matching, other) => {
    expect([matching, other].map((day) => matches(rule, { fields: { 1: day } }))).toEqual([true, false])
  })

  it.each<[SegmentRule, matching: number, other: number]>([
    [{ field: 2, op: 'lt', value: 5 }, 4, 5],
    [{ field: 2, op: 'lte', value: 5 }, 5, 6],
    [{ field: 2, op: 'gt', value: 5 }, 6, 5],
    [{ field: 2, op: 'gte', value: 5 }, 5, 4],
    [{ field: 2, op: 'between', value: [5, 7] }, 5, 4],
    [{ field: 2, op: 'between', value: [5, 7] }, 7, 8],
  ])('%j matches %i, and not %i', (rule, matching, other) => {
    expect([matching, other].map((number) => matches(rule, { fields: { 2: number } }))).toEqual([true, false])
  })

  it('counts acts of the last days, and as many as it asks for', () => {
    const opened = (...days: string[]): Partial<ContactFacts> => ({
      mails: days.map((day, no) => ({ mail: String(no), campaignId: null, act: 'opened', day })),
    })
    expect(matches({ behaviour: 'opened', within_days: 7 }, opened('2026-08-17'))).toBe(true)
    expect(matches({ behaviour: 'opened', within_days: 7 }, opened('2026-08-16'))).toBe(false)
    expect(matches({ behaviour: 'opened', times: 2 }, opened('2026-08-17', '2026-08-17'))).toBe(true)
    expect(matches({ behaviour: 'opened', times: 2 }, opened('2026-08-17'))).toBe(false)
    expect(countedCampaigns({ last: 2 }, ['3', '2', '1'])).toEqual(['3', '2'])
  })
})
