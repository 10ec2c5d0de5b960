import { describe, expect, it } from 'vitest'
import type { PrintedFigure } from './figures.ts'
import { comparePairs, orderOf, shareByChance, type RunPair } from './pairs.ts'

function figure(given: Partial<PrintedFigure>): PrintedFigure {
  const figure = { bench: 'accept', case: 'calls', unit: '/s', value: 1, baseline: null, against: '', ...given }
  return { ...figure, ratio: figure.baseline === null ? null : figure.value / figure.baseline }
}

/** Pairs of one figure, from its values before and after. */
function pairsOf(values: readonly (readonly [number, number])[], given: Partial<PrintedFigure> = {}): RunPair[] {
  return values.map(([before, after]) => ({
    before: [figure({ ...given, value: before })],
    after: [figure({ ...given, value: after })],
  }))
}

const only = (pairs: readonly RunPair[]) => comparePairs(pairs).comparisons[0]!

describe('the pairs', () => {
  it('begin with each side in turn', () => {
    expect([0, 1, 2, 3].map(orderOf)).toEqual([
      ['before', 'after'],
      ['after', 'before'],
      ['before', 'after'],
      ['after', 'before'],
    ])
  })

  it('of equal commits lie on one side by chance in a quarter of the cases if there are three', () => {
    expect([3, 5, 8].map(shareByChance)).toEqual([1 / 4, 1 / 16, 1 / 128])
  })
})

describe('a case on both sides', () => {
  it('has the medians of both, and the median of the pairs’ ratios between the lowest and the highest', () => {
    // The machine was twice as fast during the second pair.
    const pairs = pairsOf([
      [100, 110],
      [200, 240],
      [100, 90],
    ])
    expect(only(pairs)).toMatchObject({ pairCount: 3, better: 'more' })
    expect(only(pairs).value).toEqual({
      ...{ before: 100, after: 110, ratio: 1.1, lowest: 0.9, highest: 1.2 },
      verdict: 'includes 1',
    })
  })

  it('has the inverse ratio if the sides are exchanged, for an even number of pairs too', () => {
    const values = [
      [100, 110],
      [100, 150],
      [100, 80],
      [100, 120],
    ] as const
    const forth = only(pairsOf(values)).value
    const back = only(pairsOf(values.map(([before, after]) => [after, before]))).value
    expect(forth.ratio).toBeCloseTo(Math.sqrt(1.1 * 1.2), 10)
    expect(back.ratio! * forth.ratio!).toBeCloseTo(1, 10)
    expect(back.lowest! * forth.highest!).toBeCloseTo(1, 10)
  })

  it.each([
    ['/s', 1.1, 'better'],
    ['/s', 0.9, 'worse'],
    ['ms', 1.1, 'worse'],
    ['ms', 0.9, 'better'],
    ['', 1.1, 'different'],
    ['ms', 1, 'includes 1'],
  ])('in “%s” that is %s times as much in every pair is %s', (unit, factor, verdict) => {
    const values = [50, 60, 70].map((before) => [before, before * factor] as const)
    expect(only(pairsOf(values, { unit })).value.verdict).toBe(verdict)
  })

  it('includes 1 as soon as one pair shows the opposite', () => {
    const values = [...Array.from({ length: 9 }, () => [100, 130] as const), [100, 99] as const]
    expect(only(pairsOf(values)).value.verdict).toBe('includes 1')
  })

  it.each([
    [[0, 4], 'no ratio'],
    [[4, 0], 'no ratio'],
    [[-4, -5], 'no ratio'],
    [[4, Number.NaN], 'no ratio'],
    [[0, 0], 'includes 1'],
  ] as const)('with the values %j has the verdict “%s”', (values, verdict) => {
    const { value } = only(pairsOf([[1, 1], values, [1, 1]], { unit: 'rows' }))
    expect(value).toMatchObject({ verdict, ratio: verdict === 'no ratio' ? null : 1 })
  })

  it('is compared beside its baseline too, which takes out the speed of the machine, unless that is a fixed limit', () => {
    const runs = [
      { before: [100, 200], after: [50, 100] },
      { before: [80, 160], after: [100, 200] },
      { before: [90, 180], after: [30, 60] },
    ] as const
    const pairs = runs.map(({ before, after }) => ({
      before: [figure({ value: before[0], baseline: before[1], against: 'bare route' })],
      after: [figure({ value: after[0], baseline: after[1], against: 'bare route' })],
    }))
    const one = only(pairs)
    expect(one.value.verdict).toBe('includes 1')
    expect(one.besideBaseline).toMatchObject({ before: 0.5, after: 0.5, ratio: 1, lowest: 1, highest: 1 })
    const limited = pairsOf(
      [
        [10, 11],
        [10, 12],
        [10, 13],
      ],
      { baseline: 15, against: 'limit', unit: 'ms' },
    )
    expect(only(limited).besideBaseline).toBeNull()
  })

  it('is kept apart from one with the same name, another baseline or another bench', () => {
    const run = (factor: number) => [
      figure({ value: factor, baseline: 2, against: 'without a database' }),
      figure({ value: factor, baseline: 3, against: 'bare route' }),
      figure({ case: 'p99', value: 5, unit: 'ms' }),
      figure({ case: 'p99', value: 7 * factor, unit: 'ms' }),
      figure({ bench: 'engine', value: 9 }),
    ]
    const { comparisons, oneSided } = comparePairs([{ before: run(1), after: run(2) }])
    expect(comparisons.map(({ bench, case: name, against, value }) => [bench, name, against, value.ratio])).toEqual([
      ['accept', 'calls', 'without a database', 2],
      ['accept', 'calls', 'bare route', 2],
      ['accept', 'p99', '', 1],
      ['accept', 'p99', '', 2],
      ['engine', 'calls', '', 1],
    ])
    expect(oneSided).toEqual([])
  })

  it('that a run leaves out is compared in the other pairs', () => {
    const [first, second, third] = pairsOf([
      [10, 20],
      [10, 20],
      [10, 20],
    ])
    const one = only([first!, { before: second!.before, after: [] }, third!])
    expect(one).toMatchObject({ pairCount: 2, value: { ratio: 2 } })
  })
})

it('a case of one side is named with its side, and not compared', () => {
  const pair = {
    before: [figure({ case: 'removed' }), figure({ case: 'both' })],
    after: [figure({ case: 'both' }), figure({ case: 'both', unit: 'ms' })],
  }
  const { comparisons, oneSided } = comparePairs([pair, pair, pair])
  expect(comparisons.map(({ case: name }) => name)).toEqual(['both'])
  expect(oneSided).toEqual([
    { bench: 'accept', case: 'both', unit: 'ms', against: '', onlyIn: 'after' },
    { bench: 'accept', case: 'removed', unit: '/s', against: '', onlyIn: 'before' },
  ])
})
