import { proxy } from 'valtio/vanilla'
import {
  deleteEmbed,
  getEmbed,
  listEmbedAudit,
  listEmbedSessions,
  revokeEmbedSession,
  revokeEmbedSessions,
  updateEmbed,
} from '../../../client/embed/embed.ts'
import { errorText, isAbort, type Session } from '../../../client/core/http.ts'
import { logFailure } from '../../../client/core/log-failure.ts'
import type { Embed, EmbedAuditEntry, EmbedSession } from '../../../contract/embed/embed.ts'
import type { Notify } from '../../../widgets/lib/notify.ts'
import { loadInto, noRows, type GrowingRows } from '../../kit/growing-rows.ts'
import { pageLanguage } from '../../../widgets/lib/messages/messages.ts'

export interface EmbedState {
  status: 'loading' | 'ready' | 'failed'
  error: string | null
  embed: Embed | null
  /** Those that have not ended. */
  sessions: GrowingRows<EmbedSession>
  audit: GrowingRows<EmbedAuditEntry>
  isPausing: boolean
  /** Sessions are being ended. */
  isEnding: boolean
}

const pageCount = 20

interface Deps {
  session: Session
  notify: Notify
  id: string
  onDeleted: () => void
}

/** State and actions of one embed. */
export function createEmbedStore({ session, notify, id, onDeleted }: Deps) {
  const state = proxy<EmbedState>({
    status: 'loading',
    error: null,
    embed: null,
    sessions: noRows(),
    audit: noRows(),
    isPausing: false,
    isEnding: false,
  })
  const ending = new AbortController()
  const options = { signal: ending.signal }

  async function load(): Promise<void> {
    state.status = 'loading'
    try {
      Object.assign(state, { embed: await getEmbed(session, id, options), status: 'ready', error: null })
    } catch (error) {
      if (!isAbort(error)) Object.assign(state, { status: 'failed', error: errorText(error) })
    }
  }

  const loadSessions = (offset = 0) =>
    loadInto(state.sessions, { limit: pageCount, offset }, (page) =>
      listEmbedSessions(session, id, { ...page, status: 'active' }, options),
    )
  const loadAudit = (offset = 0) =>
    loadInto(state.audit, { limit: pageCount, offset }, (page) => listEmbedAudit(session, id, page, options))

  /** Runs an action and shows its failure. */
  async function attempt(busy: 'isPausing' | 'isEnding', act: () => Promise<void>): Promise<void> {
    if (state[busy]) return
    state[busy] = true
    try {
      await act()
    } catch (error) {
      const text = errorText(error)
      if (text !== null) notify({ kind: 'error', text })
    }
    state[busy] = false
  }

  return {
    state,
    load,
    loadSessions,
    loadAudit,
    /** Loads everything; returns the undo. */
    start() {
      void Promise.all([load(), loadSessions(), loadAudit()])
      return () => ending.abort()
    },
    take(embed: Embed) {
      state.embed = embed
    },
    /** Pauses or resumes it. */
    setStatus: (status: Embed['status']) =>
      attempt('isPausing', async () => {
        state.embed = await updateEmbed(session, id, { status })
        notify({ kind: 'success', text: pageLanguage.t(status === 'paused' ? 'Embed paused' : 'Embed resumed') })
      }),
    endSession: (sessionId: string) =>
      attempt('isEnding', async () => {
        await revokeEmbedSession(session, id, sessionId)
        await loadSessions()
      }),
    endAllSessions: () =>
      attempt('isEnding', async () => {
        await revokeEmbedSessions(session, id)
        notify({ kind: 'success', text: pageLanguage.t('All sessions ended') })
        await loadSessions()
      }),
    /** Returns whether it was deleted; a failure is a toast. */
    async remove(): Promise<boolean> {
      try {
        await deleteEmbed(session, id)
      } catch (error) {
        logFailure('deleting the embed', error)
        notify({ kind: 'error', text: errorText(error) ?? '' })
        return false
      }
      onDeleted()
      return true
    },
  }
}

export type EmbedStore = ReturnType<typeof createEmbedStore>
