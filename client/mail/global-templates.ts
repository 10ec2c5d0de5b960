import { proxy } from 'valtio/vanilla'
import type { Document } from '../../contract/hosted/hosted.ts'
import { listMaxCount } from '../../contract/core/limits.ts'
import { templatesCollection } from '../../contract/hosted/hosted.limits.ts'
import type { RealtimeChange } from '../../contract/hosted/realtime.ts'
import { followCollection, type RealtimePorts } from '../hosted/hosted-realtime.ts'
import type { HostedSession } from '../hosted/hosted-session.ts'
import { listDocuments } from '../hosted/hosted.ts'
import { errorText } from '../core/http.ts'

/** The company's templates, as they are now. `state` is a valtio proxy; `failed` keeps the rows that were there. */
export interface GlobalTemplates {
  readonly state: { status: 'idle' | 'loading' | 'ready' | 'failed'; items: Document[]; error: string | null }
  /** Follows the collection: what an operator adds, changes or deletes shows without a reload. Returns its undo. */
  start(): () => void
  /** Reloads the list after a failure. */
  load(): Promise<void>
}

/** The live list of the collection `templates`. Nothing happens before `start`. */
export function createGlobalTemplates(session: HostedSession, ports: RealtimePorts): GlobalTemplates {
  const state = proxy<GlobalTemplates['state']>({ status: 'idle', items: [], error: null })
  /** Changes that came while the list was fetched: it may hold them or not. */
  let pending: RealtimeChange[] = []
  let fetching: AbortController | null = null

  async function load(): Promise<void> {
    fetching?.abort()
    const own = (fetching = new AbortController())
    pending = []
    if (state.status !== 'ready') state.status = 'loading'
    try {
      const items = await fetchAll(session, own.signal)
      if (fetching !== own) return
      fetching = null
      Object.assign(state, { status: 'ready', items, error: null })
      for (const change of pending.splice(0)) apply(change)
    } catch (error) {
      if (fetching !== own) return
      fetching = null
      Object.assign(state, { status: 'failed', error: errorText(error) })
    }
  }

  function apply(change: RealtimeChange): void {
    const at = state.items.findIndex(({ id }) => id === change.document.id)
    if (change.type === 'deleted') {
      if (at >= 0) state.items.splice(at, 1)
      return
    }
    const known = state.items[at]
    if (known === undefined) {
      const next = state.items.findIndex((item) => isBefore(change.document, item))
      state.items.splice(next < 0 ? state.items.length : next, 0, change.document)
      // The list was fetched after this change where it knows a later one.
    } else if (known.updated_at <= change.document.updated_at) state.items[at] = change.document
  }

  return {
    state,
    load,
    start() {
      const stop = followCollection(
        session,
        templatesCollection,
        {
          onReload: () => void load(),
          onChange(change) {
            if (fetching === null) apply(change)
            else pending.push(change)
          },
          onStatus(status) {
            // Where no websocket comes through, the list is there all the same.
            if ((status === 'waiting' || status === 'refused') && state.status === 'idle') void load()
          },
        },
        ports,
      )
      return () => {
        stop()
        fetching?.abort()
        fetching = null
      }
    },
  }
}

async function fetchAll(session: HostedSession, signal: AbortSignal): Promise<Document[]> {
  const items: Document[] = []
  for (;;) {
    const query = { limit: listMaxCount, offset: items.length }
    const page = await listDocuments(session, templatesCollection, query, { signal })
    items.push(...page.items)
    if (page.items.length === 0 || items.length >= page.totalCount) return items
  }
}

/** The order of the list: by age, then by id. */
function isBefore(one: Document, other: Document): boolean {
  return one.created_at < other.created_at || (one.created_at === other.created_at && one.id < other.id)
}
