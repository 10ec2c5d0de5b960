import { proxy } from 'valtio/vanilla'
import { listEmbeds } from '../../../client/embed/embed.ts'
import { errorText, isAbort, type Session } from '../../../client/core/http.ts'
import type { Embed } from '../../../contract/embed/embed.ts'

/** State of the list; `failed` keeps the loaded rows. */
export interface EmbedListState {
  status: 'loading' | 'ready' | 'failed'
  error: string | null
  items: Embed[]
  totalCount: number
  more: 'idle' | 'loading'
}

const pageCount = 50

/** The embeds of the workspace, newest first, a page at a time. */
export function createEmbedListStore(session: Session) {
  const state = proxy<EmbedListState>({ status: 'loading', error: null, items: [], totalCount: 0, more: 'idle' })
  let loading = new AbortController()

  async function fetchFrom(offset: number): Promise<void> {
    loading.abort()
    loading = new AbortController()
    try {
      const page = await listEmbeds(session, { limit: pageCount, offset }, { signal: loading.signal })
      state.items.splice(offset, state.items.length, ...page.items)
      Object.assign(state, { status: 'ready', error: null, totalCount: page.totalCount })
    } catch (error) {
      if (!isAbort(error)) Object.assign(state, { status: 'failed', error: errorText(error) })
    }
  }

  return {
    state,
    async load() {
      if (state.status === 'failed') state.status = 'loading'
      await fetchFrom(0)
    },
    async loadMore() {
      state.more = 'loading'
      await fetchFrom(state.items.length)
      state.more = 'idle'
    },
    start() {
      void fetchFrom(0)
      return () => loading.abort()
    },
  }
}
