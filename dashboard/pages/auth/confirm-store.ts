import { proxy } from 'valtio/vanilla'
import { confirmEmail } from '../../../client/account/account.ts'
import type { Session } from '../../../client/core/http.ts'
import { confirmation as messages } from '../../messages.ts'
import { resend } from './resend.ts'

/** The screen's four views (spec §2), its message, and whether a new mail is being requested. */
export interface ConfirmState {
  view: 'loading' | 'success' | 'failure' | 'expired'
  message: string
  resending: 'idle' | 'sending'
}

export type ConfirmStore = ReturnType<typeof createConfirmStore>

/** State and actions of the email confirmation screen. */
export function createConfirmStore(session: Session, token: string) {
  const state = proxy<ConfirmState>({ view: 'loading', message: '', resending: 'idle' })

  /** The status decides first, then the error field (decisions, Routes and accounts). */
  async function ask(): Promise<Omit<ConfirmState, 'resending'>> {
    const answer = await confirmEmail(session, token)
    const isExpired = answer.status === 410
    const body = (await answer.json().catch((error: unknown) => {
      if (isExpired) return {} // The status is sufficient.
      throw error
    })) as { message?: unknown; detail?: unknown; error?: unknown }
    const found = [body.message, body.detail].find((text) => typeof text === 'string' && text !== '')
    const detail = typeof found === 'string' ? found : null
    if (isExpired || body.error === 'expired') return { view: 'expired', message: detail ?? messages.expired }
    if (answer.ok) return { view: 'success', message: detail ?? messages.confirmed }
    return { view: 'failure', message: detail ?? messages.failed }
  }

  return {
    state,
    /** Confirms; 'Try Again' does it once more. */
    async confirm() {
      state.view = 'loading'
      Object.assign(state, await ask().catch(() => ({ view: 'failure', message: messages.unexpected })))
    },
    /** Reports its outcome in the message and leaves the view as it is. */
    async resend() {
      if (state.resending === 'sending') return
      state.resending = 'sending'
      state.message = await resend(session)
      state.resending = 'idle'
    },
  }
}
