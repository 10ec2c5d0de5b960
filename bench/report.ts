/** One measured figure beside what it is held against. */
export interface Figure {
  bench: string
  case: string
  value: number
  unit: string
  /** Measured in the same run, or the limit that the product sets itself; null where there is nothing to compare. */
  baseline: number | null
  /** What the baseline is. */
  against: string
}

/** A bench: its name on the command line, and how it is run. */
export interface Bench {
  name: string
  title: string
  run: () => Promise<Omit<Figure, 'bench'>[]>
  /** Of another bench by whose name it runs too. */
  partOf?: string
  /** Runs only where it is named. */
  isLong?: true
}

/** Prints a bench's figures as a table, or with `isJson` as one line of JSON each. */
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

/** The value that a share of all values stays under, such as 0.5 for the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
