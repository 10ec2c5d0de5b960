import { proxy } from 'valtio/vanilla'
import { listMaxCount } from '../../contract/core/limits.ts'
import { errorText, type CallOptions, type Page, type Session } from './http.ts'

/** `failed` keeps the loaded rows; `error` is the reason. */
export type ListStatus = 'idle' | 'loading' | 'ready' | 'failed'

/** Rows of a session, the same object for every screen that shows them. `state` is a valtio proxy. */
export interface SharedList<T> {
  readonly state: {
    status: ListStatus
    /** The loaded pages, without a gap. */
    items: T[]
    /** Rows of later pages that a search has found, in the order of the list. */
    found: T[]
    error: string | null
    /** Whether there are pages after `items`. */
    hasMore: boolean
    /** How many rows there are on the server. */
    totalCount: number
  }
  /**
   * Loads the first page, or as many pages as are there already. Concurrent calls share one request, and fresh rows are not
   * requested again. Known rows remain until the new ones arrive. `isForced` loads fresh rows too, for example in a new
   * session.
   */
  load(how?: { isForced?: boolean }): Promise<void>
  /** Loads the next page. After a failure, `state` says why, and the next call tries again. */
  loadMore(): Promise<void>
  /** Inserts a row at its place, or replaces the one with its id. */
  put(item: T): void
  remove(id: string): void
  /** Where the pages after `items` begin; null where all rows are loaded. */
  cursor(): string | null
  /** Adds the rows that a search has found. */
  addFound(rows: readonly T[]): void
}

interface Source<T> {
  /** Key under which the session shares it. */
  key: string
  fetchPage: (session: Session, query: { limit: number; cursor?: string }, options?: CallOptions) => Promise<Page<T>>
  /** Where a new row is inserted. */
  newestAt: 'start' | 'end'
  /** How long loaded rows are not requested again; 0 requests them on every load. */
  freshMs: number
  /** Whether `load` goes on until the last page. The rows of the first one show at once. */
  isWhole: boolean
}

interface Row {
  id: string
  created_at: string
}

/** The session's list of one kind; the first caller creates it. */
export function sharedList<T extends Row>(session: Session, source: Source<T>): SharedList<T> {
  const known = session.shared.get(source.key)
  if (known !== undefined) return known as SharedList<T>
  const list = createList(session, source)
  session.shared.set(source.key, list)
  return list
}

function createList<T extends Row>(session: Session, source: Source<T>): SharedList<T> {
  const state = proxy({
    status: 'idle',
    ...{ items: [], found: [], error: null, hasMore: false, totalCount: 0 },
  }) as unknown as SharedList<T>['state']
  let underWay: Promise<void> | null = null
  let loadedAt = -Infinity
  let pageCount = 1
  let cursor: string | null = null
  /** Ids of rows that were removed and can come back. */
  const removed = new Set<string>()

  const isAfter = (a: Row, b: Row) =>
    source.newestAt === 'start' ? a.created_at < b.created_at : a.created_at > b.created_at

  const fetchPage = (after: string | null) =>
    source.fetchPage(session, { limit: listMaxCount, ...(after !== null && { cursor: after }) })

  const idsOf = (rows: readonly T[]) => new Set(rows.map(({ id }) => id))

  /** Shows the rows up to the end of a page. */
  function show(items: T[], { nextCursor, totalCount }: Page<T>): void {
    const ids = idsOf(items)
    const found = state.found.filter(({ id }) => !ids.has(id))
    cursor = nextCursor
    Object.assign(state, { items, found, hasMore: nextCursor !== null, totalCount })
  }

  async function fetchFirst(): Promise<void> {
    const isFirst = state.status !== 'ready'
    if (isFirst) state.status = 'loading'
    let page = await fetchPage(null)
    const items = [...page.items]
    for (let count = 1; page.nextCursor !== null && (source.isWhole || count < pageCount); count++) {
      if (isFirst) show([...items], page)
      page = await fetchPage(page.nextCursor)
      items.push(...page.items)
    }
    show(items, page)
    loadedAt = performance.now()
  }

  async function fetchNext(): Promise<void> {
    if (cursor === null) return
    const page = await fetchPage(cursor)
    const ids = idsOf(state.items)
    show([...state.items, ...page.items.filter(({ id }) => !ids.has(id))], page)
    pageCount += 1
  }

  const share = (fetch: () => Promise<void>) =>
    (underWay ??= fetch()
      .then(
        () => Object.assign(state, { status: 'ready', error: null }),
        (error: unknown) => Object.assign(state, { status: 'failed', error: errorText(error) }),
      )
      .then(() => void (underWay = null)))

  return {
    state,
    async load({ isForced = false } = {}) {
      if (isForced) {
        await underWay // Another caller may have requested it.
        pageCount = 1
        state.found = []
      } else if (state.status === 'ready' && performance.now() - loadedAt < source.freshMs) return
      await share(fetchFirst)
    },
    loadMore: () => share(fetchNext),
    cursor: () => cursor,
    put(item) {
      for (const rows of [state.items, state.found]) {
        const at = rows.findIndex(({ id }) => id === item.id)
        if (at >= 0) {
          rows[at] = item
          return
        }
      }
      const last = state.items.at(-1)
      if (state.hasMore && last !== undefined && isAfter(item, last)) {
        insert(state.found, item)
        if (removed.delete(item.id)) state.totalCount += 1
        return
      }
      insert(state.items, item)
      state.totalCount += 1
    },
    remove(id) {
      for (const name of ['items', 'found'] as const) {
        const others = state[name].filter((item) => item.id !== id)
        state.totalCount -= state[name].length - others.length
        state[name] = others
      }
      removed.add(id)
    },
    addFound(rows) {
      const ids = idsOf([...state.items, ...state.found])
      const added = rows.filter(({ id }) => !ids.has(id))
      if (added.length > 0) state.found = [...state.found, ...added].sort((a, b) => +isAfter(a, b) - +isAfter(b, a))
    },
  }

  /** Among rows of the same time, a new one is the newest. */
  function insert(rows: T[], item: T): void {
    const at = rows.findIndex((row) => (source.newestAt === 'start' ? !isAfter(item, row) : isAfter(row, item)))
    rows.splice(at < 0 ? rows.length : at, 0, item)
  }
}
