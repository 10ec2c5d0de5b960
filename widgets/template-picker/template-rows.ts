import type { ListSearch } from '../../client/core/list-search.ts'
import type { TemplateRecord } from '../lib/template-record.ts'

/** A list without a search. */
export const noSearch: ListSearch['state'] = { status: 'idle', error: null, totalCount: null, hasMore: false }

/** One source's templates. `items` is replaced whole, and never changed in place. */
export interface TemplateRows {
  status: 'loading' | 'ready' | 'failed'
  items: readonly TemplateRecord[]
  error: string | null
  /** What a search reads: the items, and what the server has found beyond them. */
  searched: readonly TemplateRecord[]
  /** Whether there are more on the server than `items`, and how many there are in all. */
  hasMore: boolean
  totalCount: number
  search: ListSearch['state']
}

/** No templates; `failed` with the reason. */
export const noRows = (error: string | null = null): TemplateRows => ({
  ...{ items: [], searched: [], error, hasMore: false, totalCount: 0, search: noSearch },
  status: error === null ? 'loading' : 'failed',
})

/** How many templates match a query of which so many are shown. */
export const countFound = ({ search }: Pick<TemplateRows, 'search'>, shownCount: number): number =>
  search.hasMore ? Math.max(search.totalCount ?? 0, shownCount) : shownCount
