import { proxy } from 'valtio/vanilla'
import { signUp } from '../../client/account.ts'
import { errorText, type Session } from '../../client/http.ts'
import type { ReferralSource } from '../../contract/limits.ts'

/** What the form holds; the names are those of the wire. */
export interface SignupForm {
  first_name: string
  last_name: string
  email: string
  password: string
  referral_source: ReferralSource | ''
}

/** What the signup screen reads; `reason` is what the server says about a failure. */
export interface SignupState {
  status: 'idle' | 'submitting' | 'created' | 'failed'
  reason: string | null
}

/** State and action of the signup screen. */
export function createSignupStore(session: Session) {
  const state = proxy<SignupState>({ status: 'idle', reason: null })
  return {
    state,
    async submit(form: Readonly<SignupForm>) {
      if (state.status === 'submitting') return
      Object.assign(state, { status: 'submitting', reason: null })
      try {
        await signUp(session, { ...form, email: form.email.trim() })
        state.status = 'created'
      } catch (error) {
        Object.assign(state, { status: 'failed', reason: errorText(error) })
      }
    },
    close() {
      state.status = 'idle'
    },
  }
}
