import { proxy } from 'valtio/vanilla'
import { errorText, isAbort, type CallOptions, type Page } from '../../../client/http.ts'

/** One page of a long list; `failed` keeps the rows that were there. */
export interface PagedState<Row, Filter> {
  status: 'loading' | 'ready' | 'failed'
  error: string | null
  items: Row[]
  totalCount: number
  /** Of the first row of the page. */
  offset: number
  filter: Filter
}

interface Deps<Row, Filter> {
  filter: Filter
  fetch: (filter: Filter, page: { limit: number; offset: number }, options: CallOptions) => Promise<Page<Row>>
  /** How long the page rests before it is asked for again; null: until somebody asks. */
  restMs?: (rows: readonly Row[]) => number | null
}

export const pageCount = 25

/** A list that is looked at a page at a time, found by a filter, and kept up with. */
export function createPagedStore<Row, Filter extends object>({
  filter,
  fetch,
  restMs = () => null,
}: Deps<Row, Filter>) {
  const state = proxy({
    status: 'loading',
    error: null,
    items: [],
    totalCount: 0,
    offset: 0,
    filter,
  }) as PagedState<Row, Filter>
  let loading = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined

  async function load(): Promise<void> {
    loading.abort()
    clearTimeout(timer)
    const { signal } = (loading = new AbortController())
    try {
      const page = await fetch({ ...state.filter }, { limit: pageCount, offset: state.offset }, { signal })
      Object.assign(state, { status: 'ready', error: null, ...page })
      // The last row of the last page is gone: the page before it is the last now.
      if (page.items.length === 0 && state.offset > 0 && page.totalCount > 0) {
        await turn(lastOffset())
        return
      }
    } catch (error) {
      if (isAbort(error)) return
      Object.assign(state, { status: 'failed', error: errorText(error) })
    }
    const ms = restMs(state.items)
    if (ms !== null && !signal.aborted) timer = setTimeout(() => void load(), ms)
  }

  const lastOffset = () => Math.floor(Math.max(0, state.totalCount - 1) / pageCount) * pageCount

  /** Shows the page that begins there. */
  async function turn(offset: number): Promise<void> {
    state.offset = Math.max(0, Math.min(offset, lastOffset()))
    await load()
  }

  return {
    state,
    load,
    retry() {
      if (state.items.length === 0) state.status = 'loading'
      return load()
    },
    turn,
    /** Shows what the filter lets through, from its first page. */
    find(change: Partial<Filter>): Promise<void> {
      Object.assign(state.filter, change)
      state.offset = 0
      return load()
    },
    /** Loads the list; gives the undo. */
    start() {
      void load()
      return () => {
        loading.abort()
        clearTimeout(timer)
      }
    },
  }
}
