import { proxy } from 'valtio/vanilla'
import { errorText, isAbort, type CallOptions, type Page } from '../../client/core/http.ts'
import { onListLocation, readListLocation, writeListLocation, type FilterValues } from './list-url.ts'

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

/** Where a page begins. */
type PlaceInList = { limit: number; offset: number } | { limit: number; cursor: string }

interface Deps<Row, Filter> {
  /** What its filter may be. */
  filter: FilterValues<Filter>
  fetch: (filter: Filter, page: PlaceInList, options: CallOptions) => Promise<Page<Row>>
  /** Query parameter of the page; default 'page'. */
  pageName?: string
  /** Refresh interval of the page in ms; null: no refresh. */
  restMs?: (rows: readonly Row[]) => number | null
}

export const pageCount = 25

/**
 * A paged and filtered list with automatic refresh. Page and filter are in the address, so that a reload, Back and a link
 * show the same view.
 */
export function createPagedStore<Row, Filter extends object>({
  filter: values,
  pageName,
  fetch,
  restMs = () => null,
}: Deps<Row, Filter>) {
  const place = readListLocation(values, pageName)
  const state = proxy({
    status: 'loading',
    error: null,
    items: [],
    totalCount: 0,
    offset: (place.page - 1) * pageCount,
    filter: place.filter,
  }) as PagedState<Row, Filter>
  let loading = new AbortController()
  /** Cursors of pages by their offset: reading behind one costs the same on every page. */
  const cursors = new Map<number, string>()
  let timer: ReturnType<typeof setTimeout> | undefined

  async function load(): Promise<void> {
    loading.abort()
    clearTimeout(timer)
    const { signal } = (loading = new AbortController())
    try {
      const { offset } = state
      const cursor = cursors.get(offset)
      const place = { limit: pageCount, ...(cursor === undefined ? { offset } : { cursor }) }
      const { nextCursor, ...page } = await fetch({ ...state.filter }, place, { signal })
      if (nextCursor !== null) cursors.set(offset + pageCount, nextCursor)
      Object.assign(state, { status: 'ready', error: null, ...page })
      // The last row of the last page is gone: the page before it is the last now.
      if (page.items.length === 0 && state.offset > 0 && page.totalCount > 0) {
        await turn(lastOffset(), 'replace')
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
  async function turn(offset: number, how: 'push' | 'replace' = 'push'): Promise<void> {
    state.offset = Math.max(0, Math.min(offset, lastOffset()))
    write(how)
    await load()
  }

  const write = (how: 'push' | 'replace') =>
    writeListLocation({ filter: state.filter, page: state.offset / pageCount + 1 }, how, pageName)

  /** Removes the parameters from the address when the list leaves a screen that stays. */
  function leaveAddress(): void {
    const none = Object.fromEntries(Object.keys(values).map((name) => [name, ''])) as Filter
    writeListLocation({ filter: none, page: 1 }, 'replace', pageName)
  }

  /** Reads the address; returns whether the view has changed. */
  function takePlace(): boolean {
    const { filter, page } = readListLocation(values, pageName)
    const offset = (page - 1) * pageCount
    const isFiltered = JSON.stringify(filter) !== JSON.stringify(state.filter)
    if (isFiltered) cursors.clear()
    const isOther = isFiltered || offset !== state.offset
    Object.assign(state, { filter, offset })
    return isOther
  }

  return {
    state,
    load,
    retry() {
      if (state.items.length === 0) state.status = 'loading'
      return load()
    },
    turn,
    /** Applies a filter and shows its first page. */
    find(change: Partial<Filter>): Promise<void> {
      const isTyping = isRefined(state.filter, change)
      Object.assign(state.filter, change)
      state.offset = 0
      cursors.clear()
      write(isTyping ? 'replace' : 'push')
      return load()
    },
    /** Loads the list and follows the address; returns the undo. */
    start() {
      takePlace()
      void load()
      const unfollow = onListLocation(() => takePlace() && void load())
      return () => {
        unfollow()
        loading.abort()
        clearTimeout(timer)
        if (pageName !== undefined) leaveAddress()
      }
    },
  }
}

/** Whether a search only continues the previous one: it replaces its history entry. */
function isRefined(filter: object, change: object): boolean {
  const before = filter as Readonly<Record<string, string>>
  const isWords = (name: string) => name === 'search' || name === 'recipient'
  return Object.entries(change).every(([name, value]) => isWords(name) && before[name] !== '' && value !== '')
}
