import type {
  listSessions as ListSessions,
  revokeOtherSessions as RevokeOtherSessions,
  revokeSession as RevokeSession,
  SignInSession,
} from '../../contract/account/sessions.ts'
import type { AnswerOf, QueryOf } from '../../contract/core/operation.ts'
import { call, callList, type CallOptions, type Page, type Session } from '../core/http.ts'

/** A page of where the person is signed in, the present session first. */
export function listSessions(
  session: Session,
  query: QueryOf<typeof ListSessions> = {},
  options?: CallOptions,
): Promise<Page<SignInSession>> {
  return callList<typeof ListSessions>(session, { method: 'GET', path: '/auth/sessions', query }, options)
}

/** Ends one session. */
export function revokeSession(
  session: Session,
  id: string,
  options?: CallOptions,
): Promise<AnswerOf<typeof RevokeSession>> {
  return call<typeof RevokeSession>(session, { method: 'DELETE', path: '/auth/sessions/{id}', params: { id } }, options)
}

/** Ends every session but the present one. */
export function revokeOtherSessions(
  session: Session,
  options?: CallOptions,
): Promise<AnswerOf<typeof RevokeOtherSessions>> {
  return call<typeof RevokeOtherSessions>(session, { method: 'DELETE', path: '/auth/sessions' }, options)
}
