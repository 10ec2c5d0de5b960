import { describe, expect, it } from 'vitest'
import { findRuleFaults } from './segment-rule.ts'

const problemOf = (rule: unknown) => findRuleFaults(rule)[0]?.problem
const city = { field: 'locale', op: 'is', value: 'de' }
const many = <T>(count: number, of: T): T[] => Array.from({ length: count }, () => of)
const nested = (levels: number): unknown => (levels === 1 ? city : { not: nested(levels - 1) })
const campaign = '0198f2c4-1a2b-7c3d-8e4f-0123456789ab'

describe('a rule', () => {
  it.each<[what: string, problem: string, valid: unknown, invalid: unknown]>([
    ['conditions of one group', 'leaves', { all: many(100, city) }, { all: many(101, city) }],
    [
      'conditions of several groups',
      'leaves',
      { all: [{ any: many(60, city) }, { any: many(40, city) }] },
      { all: [{ any: many(60, city) }, { any: many(41, city) }] },
    ],
    ['groups without conditions', 'leaves', { all: many(100, { all: [] }) }, { all: many(101, { all: [] }) }],
    ['levels', 'levels', nested(8), nested(9)],
    [
      'values',
      'value',
      { ...city, op: 'is_one_of', value: many(1000, 'de') },
      { ...city, op: 'is_one_of', value: many(1001, 'de') },
    ],
    ['characters of a value', 'value', { ...city, value: 'x'.repeat(10_000) }, { ...city, value: 'x'.repeat(10_001) }],
    [
      'days',
      'value',
      { field: 'created_at', op: 'within_days', value: 36_500 },
      { field: 'created_at', op: 'within_days', value: 36_501 },
    ],
    [
      'days below zero',
      'value',
      { field: 'created_at', op: 'within_days', value: 0 },
      { field: 'created_at', op: 'within_days', value: -1 },
    ],
    [
      'values of between',
      'value',
      { field: 1, op: 'between', value: [1, 2] },
      { field: 1, op: 'between', value: [1, 2, 3] },
    ],
    [
      'days of a behaviour',
      'value',
      { behaviour: 'opened', within_days: 36_500 },
      { behaviour: 'opened', within_days: 36_501 },
    ],
    ['times', 'value', { behaviour: 'opened', times: 10_000 }, { behaviour: 'opened', times: 10_001 }],
    ['times below one', 'value', { behaviour: 'opened', times: 1 }, { behaviour: 'opened', times: 0 }],
    [
      'campaigns',
      'value',
      { behaviour: 'opened', source: { campaigns: many(1000, campaign) } },
      { behaviour: 'opened', source: { campaigns: many(1001, campaign) } },
    ],
    [
      'digits of a campaign',
      'value',
      { behaviour: 'opened', source: { campaigns: [campaign] } },
      { behaviour: 'opened', source: { campaigns: [`${campaign}0`] } },
    ],
    [
      'last campaigns',
      'value',
      { behaviour: 'opened', source: { last: 1000 } },
      { behaviour: 'opened', source: { last: 1001 } },
    ],
    [
      'last campaigns below one',
      'value',
      { behaviour: 'opened', source: { last: 1 } },
      { behaviour: 'opened', source: { last: 0 } },
    ],
    ['digits of a list', 'list', { list: '9'.repeat(18), op: 'member_of' }, { list: '9'.repeat(19), op: 'member_of' }],
    ['number of a field', 'field', { field: 32_767, op: 'is_set' }, { field: 32_768, op: 'is_set' }],
    ['number of a field below one', 'field', { field: 1, op: 'is_set' }, { field: 0, op: 'is_set' }],
    [
      'days of February',
      'value',
      { field: 'created_at', op: 'before', value: '2028-02-29' },
      { field: 'created_at', op: 'before', value: '2027-02-29' },
    ],
    [
      'days of a century',
      'value',
      { field: 'created_at', op: 'before', value: '2000-02-29' },
      { field: 'created_at', op: 'before', value: '2100-02-29' },
    ],
    [
      'months',
      'value',
      { field: 'created_at', op: 'before', value: '2026-12-31' },
      { field: 'created_at', op: 'before', value: '2026-13-01' },
    ],
  ])('at the limit is valid, and beyond it not: %s', (_what, problem, valid, invalid) => {
    expect(findRuleFaults(valid)).toEqual([])
    expect(problemOf(invalid)).toBe(problem)
  })

  it.each([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].map((days, month) => [days, month + 1] as const))(
    'has a day %i of month %i of 2027, and not the next',
    (days, month) => {
      const before = (day: number) =>
        problemOf({ field: 'created_at', op: 'before', value: `2027-${String(month).padStart(2, '0')}-${day}` })
      expect([before(days), before(days + 1)]).toEqual([undefined, 'value'])
    },
  )
})
