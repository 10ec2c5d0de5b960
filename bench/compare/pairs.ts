import { betterOf, type Better, type PrintedFigure } from './figures.ts'

/** The two sides: the commit that was named, and HEAD. */
export type Side = 'before' | 'after'

/** The figures of one run on each side. */
export type RunPair = Readonly<Record<Side, readonly PrintedFigure[]>>

/**
 * `includes 1`: the spread shows no difference. `different`: it does, and the unit does not decide which side is better.
 * `no ratio`: a value is 0, negative or missing.
 */
export type Verdict = 'includes 1' | 'better' | 'worse' | 'different' | 'no ratio'

/** A quantity on both sides. */
export interface Measure {
  /** Medians of all runs. */
  before: number
  after: number
  /** After by before within a pair: the median of the pairs, the lowest and the highest; null if there is no ratio. */
  ratio: number | null
  lowest: number | null
  highest: number | null
  verdict: Verdict
}

/** A case that both sides measured. */
export interface Comparison {
  bench: string
  case: string
  unit: string
  against: string
  better: Better
  /** Pairs with the case on both sides. */
  pairCount: number
  value: Measure
  /** The value by its baseline of the same run; null if the baseline is a fixed limit, or there is none. */
  besideBaseline: Measure | null
}

/** A case that one side lacks. */
export interface OneSided {
  bench: string
  case: string
  unit: string
  against: string
  onlyIn: Side
}

/** Which side runs first in a pair, counted from 0: in turns, so that a machine that slows down or warms up favours neither. */
export function orderOf(pair: number): readonly [Side, Side] {
  return pair % 2 === 0 ? ['before', 'after'] : ['after', 'before']
}

/**
 * The share of comparisons of equal commits whose pairs all lie on one side of 1 by chance: with 3 pairs, a quarter. Each of
 * the 2ⁿ patterns is equally likely, and two of them are one-sided.
 */
export function shareByChance(pairCount: number): number {
  return 2 ** (1 - pairCount)
}

/** Compares each case of a bench, in the order in which it was printed. */
export function comparePairs(pairs: readonly RunPair[]): { comparisons: Comparison[]; oneSided: OneSided[] } {
  const runs = pairs.map(({ before, after }) => ({ before: byKey(before), after: byKey(after) }))
  const cases = new Map(runs.flatMap(({ before, after }) => [...after, ...before]))
  const comparisons: Comparison[] = []
  const oneSided: OneSided[] = []
  for (const [key, { bench, case: name, unit, against }] of cases) {
    const figures = { before: figuresOf(runs, 'before', key), after: figuresOf(runs, 'after', key) }
    const about = { bench, case: name, unit, against }
    if (figures.before.length === 0 || figures.after.length === 0) {
      oneSided.push({ ...about, onlyIn: figures.before.length > 0 ? 'before' : 'after' })
      continue
    }
    const both = runs.flatMap(({ before, after }): FigurePair[] => {
      const [one, other] = [before.get(key), after.get(key)]
      return one && other ? [{ before: one, after: other }] : []
    })
    const better = betterOf(about)
    comparisons.push({
      ...about,
      better,
      pairCount: both.length,
      value: measure(both, better, ({ value }) => value),
      besideBaseline:
        hasMeasuredBaseline(figures.before) || hasMeasuredBaseline(figures.after)
          ? measure(both, better, ({ ratio }) => ratio ?? Number.NaN)
          : null,
    })
  }
  return { comparisons, oneSided }
}

type FigurePair = Readonly<Record<Side, PrintedFigure>>

/** Benches print a case once for each of its baselines, and may use a name twice. */
function byKey(figures: readonly PrintedFigure[]): Map<string, PrintedFigure> {
  const found = new Map<string, PrintedFigure>()
  for (const figure of figures) {
    const words = [figure.bench, figure.case, figure.unit, figure.against]
    let at = 0
    while (found.has(JSON.stringify([...words, at]))) at++
    found.set(JSON.stringify([...words, at]), figure)
  }
  return found
}

function figuresOf(
  runs: readonly Readonly<Record<Side, ReadonlyMap<string, PrintedFigure>>>[],
  side: Side,
  key: string,
): PrintedFigure[] {
  return runs.flatMap((run) => run[side].get(key) ?? [])
}

/** A baseline that was measured differs from run to run; a limit does not. */
function hasMeasuredBaseline(figures: readonly PrintedFigure[]): boolean {
  return new Set(figures.map(({ baseline }) => baseline)).size > 1
}

function measure(pairs: readonly FigurePair[], better: Better, valueOf: (figure: PrintedFigure) => number): Measure {
  const befores = pairs.map(({ before }) => valueOf(before))
  const afters = pairs.map(({ after }) => valueOf(after))
  const middle = { before: median(befores), after: median(afters) }
  const ratios = befores.map((before, at) => ratioOf(before, afters[at] ?? Number.NaN))
  if (ratios.length === 0 || ratios.includes(null)) {
    return { ...middle, ratio: null, lowest: null, highest: null, verdict: 'no ratio' }
  }
  const sorted = ratios.map(Number).sort((a, b) => a - b)
  const [lowest, highest] = [sorted.at(0) ?? 1, sorted.at(-1) ?? 1]
  return { ...middle, ratio: geometricMedian(sorted), lowest, highest, verdict: verdictOf(lowest, highest, better) }
}

function ratioOf(before: number, after: number): number | null {
  if (before === 0 && after === 0) return 1
  return before > 0 && after > 0 && Number.isFinite(after / before) ? after / before : null
}

/** Of an even number of ratios the geometric mean of the middle two: exchanging the sides inverts it. */
function geometricMedian(sorted: readonly number[]): number {
  const [lower, upper] = middleOf(sorted)
  return lower === upper ? lower : Math.sqrt(lower * upper)
}

function median(values: readonly number[]): number {
  const [lower, upper] = middleOf(values.toSorted((a, b) => a - b))
  return (lower + upper) / 2
}

/** The two values in the middle, which are the same one of an odd number; NaN of none. */
function middleOf(sorted: readonly number[]): readonly [number, number] {
  const last = sorted.length - 1
  return [sorted[Math.floor(last / 2)] ?? Number.NaN, sorted[Math.ceil(last / 2)] ?? Number.NaN]
}

function verdictOf(lowest: number, highest: number, better: Better): Verdict {
  if (lowest <= 1 && highest >= 1) return 'includes 1'
  if (better === null) return 'different'
  return lowest > 1 === (better === 'more') ? 'better' : 'worse'
}
