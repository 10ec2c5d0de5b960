import { proxy } from 'valtio/vanilla'
import { errorText, isAbort, type CallOptions, type Page } from './http.ts'
import type { SharedList } from './shared-list.ts'

/** Rows of a search that are requested at a time. */
const pageCount = 100
/** How long typing rests before a request, in ms. */
const pauseMs = 250

/** A search on the server in the pages of a list that are not loaded yet. */
export interface ListSearch {
  /** A valtio proxy. `totalCount`: how many rows of the whole list match; null before the answer. `failed` until the next search. */
  readonly state: {
    status: 'idle' | 'searching' | 'failed'
    error: string | null
    totalCount: number | null
    hasMore: boolean
  }
  /** Searches after a pause in typing; nothing for an empty query, for the same one, and where all rows are loaded. */
  find(query: string): void
  /** Loads the next rows of the search; after a failure the same ones. */
  loadMore(): void
  stop(): void
}

/** Adds what it finds to the list. A request ends when the next query begins. */
export function searchList<T extends { id: string }>(
  list: SharedList<T>,
  fetchPage: (query: { search: string; limit: number; cursor?: string }, options: CallOptions) => Promise<Page<T>>,
): ListSearch {
  const state = proxy<ListSearch['state']>({ status: 'idle', error: null, totalCount: null, hasMore: false })
  let asked = ''
  let cursor: string | null = null
  let aborter = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined

  async function fetch(): Promise<void> {
    const { signal } = (aborter = new AbortController())
    Object.assign(state, { status: 'searching', error: null })
    try {
      const query = { search: asked, limit: pageCount, ...(cursor !== null && { cursor }) }
      const { items, totalCount, nextCursor } = await fetchPage(query, { signal })
      if (signal.aborted) return
      cursor = nextCursor
      list.addFound(items)
      Object.assign(state, { status: 'idle', totalCount, hasMore: nextCursor !== null })
    } catch (error) {
      if (!isAbort(error)) Object.assign(state, { status: 'failed', error: errorText(error) })
    }
  }

  function stop(): void {
    clearTimeout(timer)
    aborter.abort()
  }

  return {
    state,
    find(text) {
      const query = list.state.hasMore ? text.trim().toLowerCase() : ''
      if (query === asked) return
      stop()
      asked = query
      cursor = list.cursor()
      const status = query === '' ? 'idle' : 'searching'
      Object.assign(state, { status, error: null, totalCount: null, hasMore: false })
      if (query !== '') timer = setTimeout(() => void fetch(), pauseMs)
    },
    loadMore() {
      if (asked !== '' && state.status !== 'searching' && (state.hasMore || state.status === 'failed')) void fetch()
    },
    stop,
  }
}
