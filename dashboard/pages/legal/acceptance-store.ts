import { proxy } from 'valtio/vanilla'
import { acceptDocument } from '../../../client/account/account.ts'
import { errorText } from '../../../client/core/http.ts'
import type { StoredSession } from '../../../client/account/session.ts'
import type { AcceptableDocument } from '../../../contract/account/account.limits.ts'

/** State of an acceptance; `reason`: why it is `failed`. */
export interface AcceptanceState {
  status: 'idle' | 'storing' | 'failed'
  reason: string | null
}

interface Ports {
  session: StoredSession
  storage: () => Pick<Storage, 'setItem'>
  name: AcceptableDocument
  /** Day of the version that is accepted, `YYYY-MM-DD`. */
  date: string
}

/** Stores an acceptance with the document's date: on the server for a signed-in person, else in this browser. */
export function createAcceptanceStore({ session, storage, name, date }: Ports) {
  const state = proxy<AcceptanceState>({ status: 'idle', reason: null })
  return {
    state,
    /** Whether it is stored now. */
    async accept(): Promise<boolean> {
      if (state.status === 'storing') return false
      Object.assign(state, { status: 'storing', reason: null })
      try {
        if (session.token() === null) storage().setItem(`sendwright-accepted:${name}`, date)
        else await acceptDocument(session, { document: name, date })
        state.status = 'idle'
        return true
      } catch (error) {
        Object.assign(state, { status: 'failed', reason: errorText(error) })
        return false
      }
    },
  }
}
