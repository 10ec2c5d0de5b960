import type { Figure } from '../report.ts'

/** A line of `npm run bench -- <name> --json`. NaN is a value that JSON cannot write. */
export type PrintedFigure = Figure & { ratio: number | null }

/** Reads the figures in the output of a bench; other lines, such as those of the build, are left out. */
export function readFigures(output: string): PrintedFigure[] {
  return output.split('\n').flatMap((line) => {
    const figure = line.startsWith('{') ? parseFigure(line) : null
    return figure === null ? [] : [figure]
  })
}

function parseFigure(line: string): PrintedFigure | null {
  let read: Partial<Omit<PrintedFigure, 'value'>> & { value?: number | null }
  try {
    read = JSON.parse(line) as typeof read
  } catch {
    return null // A line of a log, or a part of one.
  }
  const { bench, case: name, unit = '', value, baseline = null, against = '', ratio = null } = read
  if (typeof bench !== 'string' || typeof name !== 'string' || value === undefined) return null
  // JSON.stringify writes NaN and Infinity as null.
  return { bench, case: name, unit, against, baseline, ratio, value: value ?? Number.NaN }
}

/** Which values of a figure are better: `more`, `less`, or null if the unit does not decide it. */
export type Better = 'more' | 'less' | null

/** Times, sizes, and counts of what was lost. */
const lessUnits = new Set(['ns', 'µs', 'ms', 's', 'min', 'B', 'kB', 'MB', 'GB', 'KiB', 'MiB', 'GiB'])
const lostUnits = new Set(['rows', 'people', '% of all'])

/** The direction of a figure: rates and what is wanted `at least` are better if more, times, sizes and losses if less. */
export function betterOf({ unit, against }: Pick<Figure, 'unit' | 'against'>): Better {
  if (unit.endsWith('/s') || against === 'at least') return 'more'
  return lessUnits.has(unit) || lostUnits.has(unit) ? 'less' : null
}
