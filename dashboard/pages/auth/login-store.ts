import { proxy } from 'valtio/vanilla'
import { exchangeSignInCode } from '../../../client/account/account.ts'
import { signInWithProof } from '../../../client/account/prove-sign-in.ts'
import { ApiError, errorText } from '../../../client/core/http.ts'
import type { StoredSession } from '../../../client/account/session.ts'
import { login as messages } from '../../messages.ts'
import { emailProblem, passwordProblem } from './credentials.ts'

/** `proving`: the browser solves a proof of work. `unconfirmed`: signed in, but the address is not confirmed. */
export type LoginStatus = 'idle' | 'submitting' | 'proving' | 'success' | 'error' | 'unconfirmed'

/** What the login screen reads. */
export interface LoginState {
  status: LoginStatus
  /** Stays until the next answer, so that nothing moves under a second click. */
  error: string | null
  /** Counts the failures, so that a repeated message is announced again. */
  failureCount: number
  /** A second line: what to do. */
  hint: string | null
  /** The invalid field. */
  field: 'email' | 'password' | null
}

export interface LoginDeps {
  session: StoredSession
  /** Called once the signed-in person may go on. */
  onSuccess: () => void
}

/** Longest error text that the address of the page may bring. */
const errorMaxChars = 500

/** State and actions of the login screen. */
export function createLoginStore({ session, onSuccess }: LoginDeps) {
  const state = proxy<LoginState>({ status: 'idle', error: null, failureCount: 0, hint: null, field: null })

  function fail(error: string, more: Partial<Pick<LoginState, 'hint' | 'field'>> = {}): void {
    const failureCount = state.failureCount + 1
    Object.assign(state, { status: 'error', error, failureCount, hint: null, field: null, ...more })
  }

  function goOn(isConfirmed: boolean): void {
    Object.assign(state, { status: isConfirmed ? 'success' : 'unconfirmed', error: null, hint: null, field: null })
    if (isConfirmed) onSuccess()
  }

  return {
    state,
    /** Reads the address the page was opened with: an error is shown, else a one-time token signs in (spec §2). */
    async open(query: URLSearchParams) {
      const [error, token] = [query.get('error'), query.get('token')]
      if (error !== null && error !== '') {
        fail(cut(plain(error)))
        return
      }
      if (token === null || token === '') return
      state.status = 'submitting'
      try {
        await session.accept((await exchangeSignInCode(session, token)).access_token)
        const { user } = session.state
        if (user === null) fail(messages.invalid)
        else goOn(user.confirmed_email)
      } catch (error) {
        if (error instanceof ApiError && error.sentence !== null) fail(error.sentence)
        else fail(messages.invalid, { hint: error instanceof ApiError ? hintOf(error) : null })
      }
    },
    /** Signs in; ignored while a request is in flight. */
    async submit(email: string, password: string) {
      if (state.status === 'submitting' || state.status === 'proving') return
      const [wrongEmail, wrongPassword] = [emailProblem(email.trim()), passwordProblem(password)]
      if (wrongEmail !== null) {
        fail(wrongEmail, { field: 'email' })
        return
      }
      if (wrongPassword !== null) {
        fail(wrongPassword, { field: 'password' })
        return
      }
      state.status = 'submitting'
      try {
        const person = { email: email.trim(), password }
        const answer = await signInWithProof(session, person, () => (state.status = 'proving'))
        await session.accept(answer.access_token)
        goOn(answer.confirmed_email)
      } catch (error) {
        if (error instanceof ApiError)
          fail(messages.invalid, { hint: hintOf(error), field: error.code === 'answer' ? 'password' : null })
        else fail(errorText(error) ?? messages.invalid)
      }
    },
    /** 'Got It' and the X. */
    closeNotice() {
      state.status = 'idle'
    },
  }
}

/** The text, cut with an ellipsis at the maximum length. */
function cut(text: string): string {
  if (text.length <= errorMaxChars) return text
  // Does not split a surrogate pair.
  return `${text.slice(0, errorMaxChars).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** Without what turns a text around or cannot be seen. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '')
}

function hintOf(error: ApiError): string | null {
  if (error.code === 'network') return messages.unreachable
  if (error.status !== 429 || error.retryAfterMs === null) return null
  return messages.waitUntil(new Date(Date.now() + error.retryAfterMs).toLocaleTimeString([], { timeStyle: 'short' }))
}
