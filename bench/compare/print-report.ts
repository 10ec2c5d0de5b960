import { shareByChance, type Comparison, type Measure, type OneSided, type Side } from './pairs.ts'

/** A commit that is measured. */
export interface Commit {
  hash: string
  subject: string
}

/** The machine, before anything is built. */
export interface Machine {
  coreCount: number
  memoryGiB: number
  /** Processes that ran or waited, the mean of a minute. */
  load: number
}

/** The result of a comparison. */
export interface CompareReport extends Readonly<Record<Side, Commit>> {
  bench: string
  pairCount: number
  machine: Machine
  /** Files of the benches and of their helpers that differ between the commits. */
  changedFiles: readonly string[]
  /** Whether the lock files are equal. */
  hasSamePackages: boolean
  comparisons: readonly Comparison[]
  oneSided: readonly OneSided[]
}

const shownFileCount = 8
/** Of a core: above it other work disturbs the runs. */
const quietLoad = 0.5
const hashLength = 8

/** The hash as it is shown. */
export const shortHash = ({ hash }: Commit): string => hash.slice(0, hashLength)

/** One line of JSON for the commits, then one for each case. */
export function jsonLines({ comparisons, oneSided, ...about }: CompareReport): string[] {
  return [about, ...comparisons, ...oneSided].map((line) => JSON.stringify(line))
}

/** The report as text. */
export function textLines(report: CompareReport): string[] {
  const { bench, before, after, pairCount, machine } = report
  return [
    `${bench}, ${pairCount} pairs in turns; ${machine.coreCount} cores, ${machine.memoryGiB} GiB, load ${machine.load.toFixed(1)} at the start`,
    `  before  ${shortHash(before)} ${before.subject}`,
    `  after   ${shortHash(after)} ${after.subject}`,
    ...notes(report).map((note) => `  ${note}`),
    '',
    ...table(report),
    ...oneSidedLines(report),
    '',
    'Ratio: after by before, the median of the pairs; spread: the lowest and the highest pair.',
    `With ${pairCount} pairs ${percent(shareByChance(pairCount))} of the lines of equal commits have a spread without 1 by chance.`,
  ]
}

function notes({ before, after, machine, changedFiles, hasSamePackages }: CompareReport): string[] {
  const lines: string[] = []
  if (machine.load > quietLoad * machine.coreCount) {
    lines.push('The machine was busy: repeat the comparison when nothing else runs.')
  }
  if (before.hash === after.hash) lines.push('Both are the same commit: the spread is that of the machine.')
  if (!hasSamePackages) lines.push('Their lock files differ: each side has packages of its own.')
  if (changedFiles.length > 0) {
    const shown = changedFiles.slice(0, shownFileCount).join(', ')
    const more = changedFiles.length > shownFileCount ? ` and ${changedFiles.length - shownFileCount} more` : ''
    lines.push(`Files of the benches differ, each side ran its own: ${shown}${more}.`)
  }
  return lines
}

const headings = ['case', 'before', 'after', 'ratio', 'spread', '']

function table({ bench, comparisons, pairCount }: CompareReport): string[] {
  if (comparisons.length === 0) return ['No case is on both sides.']
  const rows = [headings, ...comparisons.flatMap((one, at) => rowsOf(one, comparisons[at - 1], bench, pairCount))]
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => {
    const cells = row.map((cell, column) =>
      column === 0 || column >= 4 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
    return `  ${cells.join('  ').trimEnd()}`
  })
}

/** A case with several baselines is printed once with its value, then beside each baseline. */
function rowsOf(one: Comparison, previous: Comparison | undefined, bench: string, pairCount: number): string[][] {
  const rest = one.pairCount === pairCount ? '' : ` in ${one.pairCount} pairs`
  // A bench may run others with it.
  const name = one.bench === bench ? one.case : `${one.bench}: ${one.case}`
  const value = cellsOf(name, one.value, one.unit, rest)
  const rows = previous !== undefined && isRepeated(one, previous) ? [] : [value]
  if (one.besideBaseline) rows.push(cellsOf(`  by its baseline: ${one.against}`, one.besideBaseline, '×', rest))
  return rows
}

function isRepeated(one: Comparison, { bench, case: name, unit, value }: Comparison): boolean {
  return (
    one.bench === bench && one.case === name && one.unit === unit && JSON.stringify(one.value) === JSON.stringify(value)
  )
}

function cellsOf(
  name: string,
  { before, after, ratio, lowest, highest, verdict }: Measure,
  unit: string,
  rest: string,
) {
  const spread = lowest === null || highest === null ? '' : `${lowest.toFixed(3)} to ${highest.toFixed(3)}`
  return [
    name,
    `${shownNumber(before)} ${unit}`.trimEnd(),
    `${shownNumber(after)} ${unit}`.trimEnd(),
    ratio === null ? '' : ratio.toFixed(3),
    spread,
    verdict + rest,
  ]
}

/** With at least three digits that count. */
function shownNumber(value: number): string {
  return Math.abs(value) >= 100 || value === 0 ? value.toFixed(0) : value.toPrecision(3)
}

function oneSidedLines({ oneSided, ...sides }: CompareReport): string[] {
  const lines = oneSided.map(
    ({ case: name, unit, onlyIn }) =>
      `  only in ${shortHash(sides[onlyIn])} (${onlyIn}): ${name}${unit === '' ? '' : `, ${unit}`}`,
  )
  return [...new Set(lines)] // A case with several baselines.
}

function percent(share: number): string {
  return `${(100 * share).toPrecision(2)} %`
}
