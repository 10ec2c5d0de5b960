/** Sums by key of parts. */
export class Tally<Part extends readonly (string | number)[]> {
  readonly #sums = new Map<string, { parts: Part; first: number; second: number }>()

  add(parts: Part, first: number, second = 0): void {
    let key = ''
    for (const part of parts) key += `${part}|`
    const entry = this.#sums.get(key)
    if (entry === undefined) this.#sums.set(key, { parts, first, second })
    else {
      entry.first += first
      entry.second += second
    }
  }

  /**
   * The first `count` columns of the parts followed by the sums, with the rows that differ from 0; null without rows. In order
   * of the keys, so that all writers lock rows in the same order.
   */
  columns(count: number): (string | number)[][] | null {
    const rows = [...this.#sums.entries()]
      .filter(([, { first, second }]) => first !== 0 || second !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { parts, first, second }]) => [...parts, first, second])
    if (rows.length === 0) return null
    return Array.from({ length: count }, (_, index) => rows.map((row) => row[index] ?? 0))
  }
}
