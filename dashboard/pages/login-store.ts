import { proxy } from 'valtio/vanilla'
import { signIn } from '../../client/account.ts'
import { ApiError, errorText } from '../../client/http.ts'
import type { StoredSession } from '../../client/session.ts'
import { passwordMinChars } from '../../contract/limits.ts'
import { login as messages } from '../messages.ts'

/** `unconfirmed`: signed in, and told to check the mail first. */
export type LoginStatus = 'idle' | 'submitting' | 'success' | 'error' | 'unconfirmed'

/** What the login screen reads. */
export interface LoginState {
  status: LoginStatus
  error: string | null
  /** A second line: what to do. */
  hint: string | null
}

export interface LoginDeps {
  session: StoredSession
  /** Called once the signed-in person may go on. */
  onSuccess: () => void
}

/** Longest error text that the address of the page may bring. */
const errorMaxChars = 200

/** State and actions of the login screen. */
export function createLoginStore({ session, onSuccess }: LoginDeps) {
  const state = proxy<LoginState>({ status: 'idle', error: null, hint: null })

  function fail(error: string, hint: string | null = null): void {
    Object.assign(state, { status: 'error', error, hint })
  }

  function goOn(isConfirmed: boolean): void {
    state.status = isConfirmed ? 'success' : 'unconfirmed'
    if (isConfirmed) onSuccess()
  }

  return {
    state,
    /** Reads the address the page was opened with: an error is shown, else a token signs in (spec §2). */
    async open(query: URLSearchParams) {
      const [error, token] = [query.get('error'), query.get('token')]
      if (error !== null && error !== '') {
        fail(error.slice(0, errorMaxChars))
        return
      }
      if (token === null || token === '') return
      state.status = 'submitting'
      await session.accept(token)
      const { user } = session.state
      if (user === null) fail(messages.invalid)
      else goOn(user.confirmed_email)
    },
    /** Signs in; ignored while a request is in flight. */
    async submit(email: string, password: string) {
      if (state.status === 'submitting') return
      const problem = problemOf(email.trim(), password)
      if (problem !== null) {
        fail(problem)
        return
      }
      Object.assign(state, { status: 'submitting', error: null, hint: null })
      try {
        const answer = await signIn(session, { email: email.trim(), password })
        await session.accept(answer.access_token)
        goOn(answer.confirmed_email)
      } catch (error) {
        if (error instanceof ApiError) fail(messages.invalid, hintOf(error))
        else fail(errorText(error) ?? messages.invalid)
      }
    },
    /** 'Got It' and the X. */
    closeNotice() {
      state.status = 'idle'
    },
  }
}

/** HTML Standard, valid e-mail address: what the browser's own email field takes. */
const emailPattern =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i

/** The first problem in the order of spec §5. */
function problemOf(email: string, password: string): string | null {
  if (email === '') return messages.emailRequired
  if (!emailPattern.test(email)) return messages.emailInvalid
  if (password === '') return messages.passwordRequired
  return password.length < passwordMinChars ? messages.passwordShort(passwordMinChars) : null
}

function hintOf(error: ApiError): string | null {
  if (error.code === 'network') return messages.unreachable
  if (error.status !== 429 || error.retryAfterMs === null) return null
  return messages.waitUntil(new Date(Date.now() + error.retryAfterMs).toLocaleTimeString([], { timeStyle: 'short' }))
}
