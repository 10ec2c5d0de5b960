/** Position of a row in a list that is sorted by `created_at, id`. */
export interface SortKey {
  /** ISO 8601 in UTC with microseconds. */
  at: string
  id: string
}

/** A page of a list: `limit` rows after skipping `offset` rows from the start, or from the row after `after`. */
export interface PageQuery {
  limit: number
  offset: number
  after?: SortKey | null
}

/** The same for a list that is sorted by a numeric id. */
export interface IdPageQuery {
  limit: number
  offset: number
  afterId?: number | null
}

/** A page's rows, the total count, and the position of the last row if more rows follow. */
export interface Listed<Row, Position = SortKey> {
  rows: Row[]
  total: number
  next: Position | null
}
