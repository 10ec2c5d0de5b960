import { proxy } from 'valtio/vanilla'
import { requestPasswordReset, updatePassword } from '../../../client/account/account.ts'
import { ApiError, errorText, networkSentence, type Session } from '../../../client/core/http.ts'
import { passwordMinChars, resetRedirectMs } from '../../../contract/account/account.limits.ts'
import { login, reset as messages } from '../../messages.ts'
import { emailProblem } from './credentials.ts'

/** What the request form reads; `requested` shows the instruction message. */
export interface ResetRequestState {
  status: 'idle' | 'submitting' | 'requested' | 'failed'
  /** Number of requested mails; the instructions stay while another one is requested. */
  requestCount: number
  /** Stays until the next answer, so that nothing moves under a second click. */
  error: string | null
  /** Counts the failures, so that a repeated message is announced again. */
  failureCount: number
  field: 'email' | null
}

/** State and action of /forgot_password without a token. */
export function createResetRequestStore(session: Session) {
  const state = proxy<ResetRequestState>({
    status: 'idle',
    requestCount: 0,
    error: null,
    failureCount: 0,
    field: null,
  })

  function fail(error: string | null, field: ResetRequestState['field'] = null): void {
    Object.assign(state, { status: 'failed', error, failureCount: state.failureCount + 1, field })
  }

  return {
    state,
    /** Requests the mail; ignored while a request is in flight. */
    async submit(email: string) {
      if (state.status === 'submitting') return
      const problem = emailProblem(email.trim())
      if (problem !== null) {
        fail(problem, 'email')
        return
      }
      state.status = 'submitting'
      try {
        await requestPasswordReset(session, email.trim())
        Object.assign(state, { status: 'requested', requestCount: state.requestCount + 1, error: null, field: null })
      } catch (error) {
        fail(errorText(error))
      }
    },
  }
}

/** What the new-password form reads. */
export interface NewPasswordState {
  status: 'idle' | 'submitting' | 'updated' | 'failed'
  error: string | null
  failureCount: number
  /** A second line: what to do. */
  hint: string | null
  /** The link has expired: a new one is needed. */
  link: 'works' | 'ended'
  /** What to do about a field (spec §5). */
  problem: { field: 'new_password' | 'confirmation'; sentence: string } | null
}

export interface NewPasswordDeps {
  session: Session
  token: string
  /** Called once the success message was shown for its time (spec §9). */
  onDone: () => void
}

/** State and action of /forgot_password with a token. */
export function createNewPasswordStore({ session, token, onDone }: NewPasswordDeps) {
  const state = proxy<NewPasswordState>({
    status: 'idle',
    error: null,
    failureCount: 0,
    hint: null,
    link: 'works',
    problem: null,
  })
  let timer: ReturnType<typeof setTimeout> | undefined

  return {
    state,
    /** Sets the password; ignored while a request is in flight, and once it has worked. */
    async submit(password: string, confirmation: string) {
      if (state.status === 'submitting' || state.status === 'updated') return
      const problem = problemOf(password, confirmation)
      state.problem = problem
      if (problem !== null) {
        Object.assign(state, { status: 'idle', error: null, hint: null })
        return
      }
      state.status = 'submitting'
      try {
        await updatePassword(session, { new_password: password, token })
        Object.assign(state, { status: 'updated', error: null, hint: null })
        timer = setTimeout(onDone, resetRedirectMs)
      } catch (error) {
        const { sentence, code, status } = error instanceof ApiError ? error : { sentence: null, code: null, status: 0 }
        Object.assign(state, {
          status: 'failed',
          error: sentence ?? messages.failed,
          failureCount: state.failureCount + 1,
          hint: code === 'network' ? networkSentence : null,
          link: status === 400 ? 'ended' : 'works',
        })
      }
    },
    /** Stays where the person goes instead. */
    stop: () => clearTimeout(timer),
  }
}

/** The first problem in the order of spec §5. */
function problemOf(password: string, confirmation: string): NewPasswordState['problem'] {
  if (password.length < passwordMinChars) {
    return { field: 'new_password', sentence: login.passwordShort(passwordMinChars) }
  }
  if (confirmation === '') return { field: 'confirmation', sentence: messages.confirmRequired }
  return confirmation === password ? null : { field: 'confirmation', sentence: messages.mismatch }
}
