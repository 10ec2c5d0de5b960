/** A measurement and its reference value. */
export interface Figure {
  bench: string
  case: string
  value: number
  /** A comparison of commits derives from it which direction is better (compare/figures.ts). */
  unit: string
  /** Measured in the same run, or the limit set by the product; null if there is none. */
  baseline: number | null
  /** The name of the baseline. */
  against: string
}

/** A bench: its name on the command line, and its function. */
export interface Bench {
  name: string
  title: string
  run: () => Promise<Omit<Figure, 'bench'>[]>
  /** Also runs with the bench of this name. */
  partOf?: string
  /** Runs only if named. */
  isLong?: true
}

/** Prints a bench's measurements as a table, or with `isJson` as one line of JSON each. */
export function report(bench: Bench, figures: readonly Omit<Figure, 'bench'>[], isJson: boolean): void {
  const rows = figures.map((figure) => ({ bench: bench.name, ...figure, ratio: ratioOf(figure) }))
  if (isJson) {
    for (const row of rows) console.log(JSON.stringify(row))
    return
  }
  console.log(`\n${bench.title}`)
  const width = Math.max(...rows.map((row) => row.case.length))
  for (const row of rows) {
    const measured = `${row.value.toFixed(1).padStart(10)} ${row.unit}`
    const compared = row.baseline === null ? '' : `${row.baseline.toFixed(1)} ${row.unit} (${row.against})`
    const ratio = row.ratio === null ? '' : `${row.ratio.toFixed(2)} ×`
    console.log(`  ${row.case.padEnd(width)} ${measured.padEnd(18)} ${compared.padEnd(44)} ${ratio}`)
  }
}

function ratioOf({ value, baseline }: { value: number; baseline: number | null }): number | null {
  return baseline === null ? null : value / baseline
}

/** The quantile of a list, such as 0.5 for the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
