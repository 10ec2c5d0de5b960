import { describe, expect, it } from 'vitest'
import type { RuleTargets, SegmentRule } from '../../../../contract/audience/segment-rule.ts'
import { movePart, possibleMoves, removePart, rowsOf } from './edit-draft.ts'
import { checkDraft, readDraft, type Group } from './rule-draft.ts'

const targets: RuleTargets = {
  fields: new Map([
    [1, 'text'],
    [4, 'number'],
    [5, 'date'],
  ]),
  lists: new Set(['1']),
  segments: new Set(['2']),
}
const draftOf = (rule: SegmentRule) => {
  let key = 0
  return readDraft(rule, () => ++key)
}
const fieldRule = (value: string) => ({ field: 1, op: 'is', value }) as const
const valuesOf = (group: Group): unknown[] =>
  group.parts.map((part) => (part.kind === 'row' ? part.value : valuesOf(part)))

describe('a rule that is read for editing', () => {
  it.each<SegmentRule>([
    { all: [] },
    { any: [fieldRule('a'), { all: [fieldRule('b'), { not: { any: [fieldRule('c')] } }] }] },
    { not: { all: [{ not: { field: 4, op: 'between', value: [1, 2.5] } }, { segment: '2', op: 'not_member_of' }] } },
    {
      all: [
        { field: 5, op: 'between', value: ['2020-01-01', '2020-02-29'] },
        { list: '1', op: 'member_of' },
      ],
    },
    {
      all: [
        { list: '1', op: 'not_member_of', state: 'pending' },
        { field: 1, op: 'is_one_of', value: ['a', 'b'] },
      ],
    },
    { all: [{ not: { behaviour: 'was_sent', within_days: 30 } }, { not: { behaviour: 'bounced' } }] },
    {
      all: [
        { behaviour: 'was_sent', times: 2, source: { last: 3 } },
        { field: 'created_at', op: 'is_set' },
      ],
    },
    { all: [{ behaviour: 'was_sent', source: { campaigns: ['8f14e45f-0000-4000-8000-000000000001'] } }] },
  ])('is the same rule again: %j', (rule) => {
    expect(checkDraft(draftOf(rule), targets)).toEqual({ rule, faults: {}, wholeFault: null })
  })

  it('has its faults at the controls of its rows', () => {
    const rule = {
      all: [
        { field: 9, op: 'is', value: 'x' },
        { not: { field: 4, op: 'eq', value: 'x' } },
        { list: '7', op: 'member_of' },
      ],
    } as unknown as SegmentRule
    const draft = draftOf(rule)
    expect(rowsOf(draft).map(({ key }) => checkDraft(draft, targets).faults[key])).toEqual([
      { control: 'field', problem: 'field' },
      { control: 'value', problem: 'value' },
      { control: 'list', problem: 'list' },
    ])
  })

  it('has a fault of the whole rule beyond the limits', () => {
    const rule = { all: Array.from({ length: 101 }, () => fieldRule('a')) }
    expect(checkDraft(draftOf(rule), targets)).toMatchObject({ faults: {}, wholeFault: 'leaves' })
  })
})

describe('a part of a rule', () => {
  const draft = draftOf({ all: [fieldRule('a'), { any: [fieldRule('b'), fieldRule('c')] }, fieldRule('d')] })
  const keyOf = (value: string) => rowsOf(draft).find((row) => row.value === value)!.key

  it.each([
    ['a', ['down', 'into_below']],
    ['b', ['up', 'down']],
    ['d', ['up', 'into_above']],
  ])('%s can be moved %j', (value, moves) => {
    expect(possibleMoves(draft, keyOf(value))).toEqual(moves)
  })

  it.each([
    ['a', 'down', [['b', 'c'], 'a', 'd']],
    ['a', 'into_below', [['a', 'b', 'c'], 'd']],
    ['d', 'into_above', ['a', ['b', 'c', 'd']]],
    ['b', 'up', ['a', 'b', ['c'], 'd']],
    ['b', 'down', ['a', ['c', 'b'], 'd']],
    ['c', 'down', ['a', ['b'], 'c', 'd']],
  ] as const)('%s moved %s', (value, move, expected) => {
    expect(valuesOf(movePart(draft, keyOf(value), move))).toEqual(expected)
  })

  it('that is the last one of a group is removed with the group', () => {
    expect(valuesOf(removePart(removePart(draft, keyOf('b')), keyOf('c')))).toEqual(['a', 'd'])
  })
})
