import { proxy } from 'valtio/vanilla'
import { listEmbeds } from '../../../client/embed/embed.ts'
import type { Session } from '../../../client/core/http.ts'
import type { Embed } from '../../../contract/embed/embed.ts'
import { loadInto, noRows } from '../../kit/growing-rows.ts'

const pageCount = 50

/** The embeds of the workspace, newest first, a page at a time. */
export function createEmbedListStore(session: Session) {
  const state = proxy(noRows<Embed>())
  let loading = new AbortController()

  function load(offset = 0): Promise<void> {
    loading.abort()
    const { signal } = (loading = new AbortController())
    if (state.status === 'failed' && offset === 0) state.status = 'loading'
    return loadInto(state, { limit: pageCount, offset }, (page) => listEmbeds(session, page, { signal }))
  }

  return {
    state,
    load,
    start() {
      void load()
      return () => loading.abort()
    },
  }
}
