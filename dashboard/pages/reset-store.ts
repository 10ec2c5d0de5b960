import { proxy } from 'valtio/vanilla'
import { requestPasswordReset, updatePassword } from '../../client/account.ts'
import { ApiError, errorText, networkSentence, type Session } from '../../client/http.ts'
import { passwordMinChars, resetRedirectMs } from '../../contract/limits.ts'
import { login, reset as messages } from '../messages.ts'
import { emailProblem } from './credentials.ts'

/** What the request form reads; `requested` shows the instruction message. */
export interface ResetRequestState {
  status: 'idle' | 'submitting' | 'requested' | 'failed'
  error: string | null
  field: 'email' | null
}

/** State and action of /forgot_password without a token. */
export function createResetRequestStore(session: Session) {
  const state = proxy<ResetRequestState>({ status: 'idle', error: null, field: null })
  return {
    state,
    /** Asks for the mail; ignored while a request is in flight. */
    async submit(email: string) {
      if (state.status === 'submitting') return
      const problem = emailProblem(email.trim())
      if (problem !== null) {
        Object.assign(state, { status: 'failed', error: problem, field: 'email' })
        return
      }
      Object.assign(state, { status: 'submitting', error: null, field: null })
      try {
        await requestPasswordReset(session, email.trim())
        state.status = 'requested'
      } catch (error) {
        Object.assign(state, { status: 'failed', error: errorText(error) })
      }
    },
  }
}

/** What the new-password form reads. */
export interface NewPasswordState {
  status: 'idle' | 'submitting' | 'updated' | 'failed'
  error: string | null
  /** A second line: what to do. */
  hint: string | null
  /** The link has ended: another one is the way on. */
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
  const state = proxy<NewPasswordState>({ status: 'idle', error: null, hint: null, link: 'works', problem: null })
  let timer: ReturnType<typeof setTimeout> | undefined

  return {
    state,
    /** Sets the password; ignored while a request is in flight, and once it has worked. */
    async submit(password: string, confirmation: string) {
      if (state.status === 'submitting' || state.status === 'updated') return
      const problem = problemOf(password, confirmation)
      Object.assign(state, { problem, error: null, hint: null })
      if (problem !== null) {
        state.status = 'idle'
        return
      }
      state.status = 'submitting'
      try {
        await updatePassword(session, { new_password: password, token })
        state.status = 'updated'
        timer = setTimeout(onDone, resetRedirectMs)
      } catch (error) {
        const { said, code, status } = error instanceof ApiError ? error : { said: null, code: null, status: 0 }
        Object.assign(state, {
          status: 'failed',
          error: said ?? messages.failed,
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
