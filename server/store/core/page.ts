import type { SortKey } from '../../domain/core/page.ts'

/** Column of a page's rows with the exact time that they are sorted by: a Date would lose its microseconds. */
export const sortAtColumn = (column = 'created_at'): string =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "sortAt"`

/**
 * Condition for the rows after a cursor in a list by `created_at, id`; its parameters are `$first` and the next one, with
 * the values of `afterValues`. `prefix`: table alias with a dot.
 */
export function isAfter(order: 'asc' | 'desc', first: number, { prefix = '', idType = 'uuid' } = {}): string {
  const operator = order === 'asc' ? '>' : '<'
  const key = `(${prefix}created_at, ${prefix}id)`
  return `($${first}::timestamptz is null or ${key} ${operator} ($${first}::timestamptz, $${first + 1}::${idType}))`
}

export const afterValues = (after: SortKey | null | undefined): unknown[] => [after?.at ?? null, after?.id ?? null]

/** The same as `toPage` for a list that is sorted by a numeric id. */
export function toIdPage<Row extends { id: number }>(
  found: readonly Row[],
  limit: number,
): { rows: Row[]; next: number | null } {
  return { rows: found.slice(0, limit), next: found.length > limit ? (found[limit - 1]?.id ?? null) : null }
}

/** The first `limit` of the rows of a query for one row more, and the cursor of the next page if there is one. */
export function toPage<Row extends { id: string }>(
  found: readonly (Row & { sortAt: string })[],
  limit: number,
): { rows: Row[]; next: SortKey | null } {
  const last = found.length > limit ? found[limit - 1] : undefined
  return {
    rows: found.slice(0, limit).map(({ sortAt: _sortAt, ...row }) => row as unknown as Row),
    next: last === undefined ? null : { at: last.sortAt, id: last.id },
  }
}
