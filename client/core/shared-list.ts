import { proxy } from 'valtio/vanilla'
import { listMaxCount } from '../../contract/core/limits.ts'
import { errorText, type CallOptions, type Page, type Session } from './http.ts'

/** `failed` keeps the loaded rows; `error` is the reason. */
export type ListStatus = 'idle' | 'loading' | 'ready' | 'failed'

/** Rows of a session, the same object for every screen that shows them. `state` is a valtio proxy. */
export interface SharedList<T> {
  readonly state: { status: ListStatus; items: T[]; error: string | null }
  /**
   * Loads all rows. Concurrent calls share one request, and fresh rows are not requested again. Known rows remain until the
   * new ones arrive. `isForced` loads fresh rows too, for example in a new session.
   */
  load(how?: { isForced?: boolean }): Promise<void>
  /** Inserts a row, or replaces the one with its id. */
  put(item: T): void
  remove(id: string): void
}

interface Source<T> {
  /** Key under which the session shares it. */
  key: string
  fetchPage: (session: Session, query: { limit: number; cursor?: string }, options?: CallOptions) => Promise<Page<T>>
  /** Where a new row is inserted. */
  newestAt: 'start' | 'end'
  /** How long loaded rows are not requested again; 0 requests them on every load. */
  freshMs: number
}

/** The session's list of one kind; the first caller creates it. */
export function sharedList<T extends { id: string }>(session: Session, source: Source<T>): SharedList<T> {
  const known = session.shared.get(source.key)
  if (known !== undefined) return known as SharedList<T>
  const list = createList(session, source)
  session.shared.set(source.key, list)
  return list
}

function createList<T extends { id: string }>(session: Session, source: Source<T>): SharedList<T> {
  const state = proxy<SharedList<T>['state']>({ status: 'idle', items: [], error: null })
  let underWay: Promise<void> | null = null
  let loadedAt = -Infinity

  async function fetchAll(): Promise<void> {
    if (state.status !== 'ready') state.status = 'loading'
    try {
      const items: T[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const query = { limit: listMaxCount, ...(cursor !== '' && { cursor }) }
        const page: Page<T> = await source.fetchPage(session, query)
        items.push(...page.items)
        cursor = page.nextCursor
      }
      loadedAt = performance.now()
      Object.assign(state, { status: 'ready', items, error: null })
    } catch (error) {
      Object.assign(state, { status: 'failed', error: errorText(error) })
    }
  }

  return {
    state,
    async load({ isForced = false } = {}) {
      if (isForced)
        await underWay // Another caller may have requested it.
      else if (state.status === 'ready' && performance.now() - loadedAt < source.freshMs) return
      underWay ??= fetchAll().finally(() => (underWay = null))
      await underWay
    },
    put(item) {
      const at = state.items.findIndex(({ id }) => id === item.id)
      if (at >= 0) state.items[at] = item
      else if (source.newestAt === 'start') state.items.unshift(item)
      else state.items.push(item)
    },
    remove(id) {
      state.items = state.items.filter((item) => item.id !== id)
    },
  }
}
