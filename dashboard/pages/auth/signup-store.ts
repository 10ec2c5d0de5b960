import { proxy } from 'valtio/vanilla'
import { signUp } from '../../../client/account/account.ts'
import { errorText, type Session } from '../../../client/core/http.ts'
import type { ReferralSource } from '../../../contract/account/account.limits.ts'

/** What the form holds; the names are those of the wire. */
export interface SignupForm {
  first_name: string
  last_name: string
  email: string
  password: string
  /** Empty where none is chosen; it is then not sent. */
  referral_source: ReferralSource | ''
}

/**
 * State of the signup screen; `reason` is the server's sentence for a failure. A failure stays until the next answer, so
 * that the layout does not shift; `failureCount` distinguishes repeated ones.
 */
export interface SignupState {
  status: 'idle' | 'submitting' | 'created' | 'failed'
  failureCount: number
  reason: string | null
}

/** State and action of the signup screen. */
export function createSignupStore(session: Session) {
  const state = proxy<SignupState>({ status: 'idle', failureCount: 0, reason: null })
  return {
    state,
    async submit(form: Readonly<SignupForm>) {
      if (state.status === 'submitting') return
      state.status = 'submitting'
      try {
        const { referral_source: source, ...person } = form
        await signUp(session, {
          ...person,
          email: form.email.trim(),
          ...(source !== '' && { referral_source: source }),
        })
        Object.assign(state, { status: 'created', failureCount: 0, reason: null })
      } catch (error) {
        const failureCount = state.failureCount + 1
        Object.assign(state, { status: 'failed', failureCount, reason: errorText(error) })
      }
    },
    close() {
      state.status = 'idle'
    },
  }
}
