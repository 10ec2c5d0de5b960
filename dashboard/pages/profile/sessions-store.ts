import { proxy } from 'valtio/vanilla'
import { errorText, type Session } from '../../../client/core/http.ts'
import { listSessions, revokeOtherSessions, revokeSession } from '../../../client/account/sessions.ts'
import type { SignInSession } from '../../../contract/account/sessions.ts'
import type { Notify } from '../../../widgets/lib/notify.ts'
import { pageLanguage } from '../../../widgets/lib/messages/messages.ts'

/** What the list of sessions reads. */
export interface SessionsState {
  status: 'loading' | 'ready' | 'failed'
  items: SignInSession[]
  totalCount: number
  error: string | null
  /** Which ones are being ended: ids, or all others. */
  ending: string[]
}

const pageCount = 20
export const allOthers = 'others'

/** State and actions of the list of sessions. */
export function createSessionsStore(session: Session, notify: Notify) {
  const state = proxy<SessionsState>({ status: 'loading', items: [], totalCount: 0, error: null, ending: [] })

  /** Two sessions that are ended at once are followed by two loads: only the latest counts. */
  let loadCount = 0

  async function load(shownCount = pageCount): Promise<void> {
    const number = ++loadCount
    try {
      const items: SignInSession[] = []
      let totalCount = 1
      while (items.length < Math.min(shownCount, totalCount)) {
        const page = await listSessions(session, { limit: pageCount, offset: items.length })
        items.push(...page.items)
        totalCount = page.items.length === 0 ? items.length : page.totalCount
      }
      if (number === loadCount) Object.assign(state, { status: 'ready', items, totalCount, error: null })
    } catch (error) {
      if (number === loadCount) Object.assign(state, { status: 'failed', error: errorText(error) })
    }
  }

  async function end(what: string, work: () => Promise<unknown>, success: string): Promise<void> {
    if (state.ending.includes(what)) return
    state.ending.push(what)
    try {
      await work()
      notify({ kind: 'success', text: success })
    } catch (error) {
      notify({ kind: 'error', text: errorText(error) ?? '' })
    }
    state.ending = state.ending.filter((one) => one !== what)
    await load(state.items.length)
  }

  return {
    state,
    load,
    loadMore: () => load(state.items.length + pageCount),
    end: ({ id, device }: { id: string; device: string }) =>
      end(id, () => revokeSession(session, id), pageLanguage.t('{device} is signed out', { device })),
    endOthers: () =>
      end(allOthers, () => revokeOtherSessions(session), pageLanguage.t('Your other sessions have ended')),
  }
}
