import { describe, expect, it } from 'vitest'
import type { PrintedFigure } from './figures.ts'
import { comparePairs } from './pairs.ts'
import { jsonLines, textLines, type CompareReport } from './print-report.ts'

const figures = (factor: number, cases: readonly string[]): PrintedFigure[] =>
  cases.flatMap((name) => [
    { bench: 'accept', case: name, value: 9000 * factor, unit: '/s', baseline: 20_000, against: 'one', ratio: 0.45 },
    { bench: 'accept', case: name, value: 9000 * factor, unit: '/s', baseline: 30_000, against: 'two', ratio: 0.3 },
  ])

/** After is a tenth faster; the first baseline was measured, the second is the same in every run. */
function reportOf(given: Partial<CompareReport> = {}): CompareReport {
  const pairs = [1, 2, 3].map((at) => ({
    before: figures(1, ['calls', 'removed']).map((figure, place) => ({ ...figure, baseline: place === 0 ? at : 1 })),
    after: figures(1.1, ['calls']).map((figure, place) => ({ ...figure, baseline: place === 0 ? at : 1 })),
  }))
  return {
    bench: 'accept',
    before: { hash: '1234567890'.repeat(4), subject: 'mailer: send' },
    after: { hash: 'abcdefabcd'.repeat(4), subject: 'mailer: send faster' },
    pairCount: 3,
    machine: { coreCount: 2, memoryGiB: 24, load: 0.3 },
    changedFiles: [],
    hasSamePackages: true,
    ...comparePairs(pairs),
    ...given,
  }
}

describe('the report', () => {
  it('names both commits, and for each case values, ratio, spread and verdict', () => {
    expect(textLines(reportOf())).toEqual([
      'accept, 3 pairs in turns; 2 cores, 24 GiB, load 0.3 at the start',
      '  before  12345678 mailer: send',
      '  after   abcdefab mailer: send faster',
      '',
      '  case                     before    after  ratio  spread',
      '  calls                   9000 /s  9900 /s  1.100  1.100 to 1.100  better',
      '    by its baseline: one  0.450 ×  0.450 ×  1.000  1.000 to 1.000  includes 1',
      '  only in 12345678 (before): removed, /s',
      '',
      'Ratio: after by before, the median of the pairs; spread: the lowest and the highest pair.',
      'With 3 pairs 25 % of the lines of equal commits have a spread without 1 by chance.',
    ])
  })

  it('says what differs beside the measured code', () => {
    const changedFiles = Array.from({ length: 10 }, (_, at) => `bench/${at}.ts`)
    const text = textLines(reportOf({ changedFiles, hasSamePackages: false })).join('\n')
    expect(text).toContain('Their lock files differ')
    expect(text).toContain('Files of the benches differ, each side ran its own: bench/0.ts, ')
    expect(text).toContain('bench/7.ts and 2 more.')
    expect(text).not.toContain('the same commit')
  })

  it('names the bench of a case that runs with another bench', () => {
    const comparisons = reportOf().comparisons.map((one) => ({ ...one, bench: 'million' }))
    expect(textLines(reportOf({ comparisons })).join('\n')).toContain('\n  million: calls ')
  })

  it('warns if other work disturbed the runs', () => {
    const on = (load: number) => textLines(reportOf({ machine: { coreCount: 2, memoryGiB: 24, load } })).join('\n')
    expect(on(1)).not.toContain('busy')
    expect(on(1.1)).toContain('The machine was busy: repeat the comparison when nothing else runs.')
  })

  it('of a commit and itself says that it shows the machine', () => {
    const { before } = reportOf()
    expect(textLines(reportOf({ after: before })).join('\n')).toContain('Both are the same commit')
  })

  it('says how many pairs have a case that is missing in others', () => {
    const [first, ...rest] = reportOf().comparisons
    const text = textLines(reportOf({ comparisons: [{ ...first!, pairCount: 2 }, ...rest] })).join('\n')
    expect(text).toContain('better in 2 pairs')
  })

  it('is the same as lines of JSON', () => {
    const [about, first, ...rest] = jsonLines(reportOf()).map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(about).toMatchObject({
      bench: 'accept',
      pairCount: 3,
      before: { subject: 'mailer: send' },
      changedFiles: [],
    })
    expect(first).toMatchObject({
      ...{ case: 'calls', unit: '/s', better: 'more', pairCount: 3 },
      value: { before: 9000, ratio: 1.1, verdict: 'better' },
      besideBaseline: { verdict: 'includes 1' },
    })
    expect(rest.at(-1)).toMatchObject({ case: 'removed', onlyIn: 'before' })
  })
})
