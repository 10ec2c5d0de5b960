import type { SignInSession } from '../../contract/account/sessions.ts'
import type * as api from '../../contract/account/sessions.ts'
import type { QueryOf } from '../../contract/core/operation.ts'
import { call, callList, type CallOptions, type Page, type Session } from '../core/http.ts'
import * as routes from '../../contract/account/sessions.routes.ts'

/** A page of where the person is signed in, the present session first. */
export function listSessions(
  session: Session,
  query: QueryOf<typeof api.listSessions> = {},
  options?: CallOptions,
): Promise<Page<SignInSession>> {
  return callList<typeof api.listSessions>(session, { route: routes.listSessions, query }, options)
}

/** Ends one session. */
export function revokeSession(session: Session, id: string, options?: CallOptions) {
  return call<typeof api.revokeSession>(session, { route: routes.revokeSession, params: { id } }, options)
}

/** Ends every session but the present one. */
export function revokeOtherSessions(session: Session, options?: CallOptions) {
  return call<typeof api.revokeOtherSessions>(session, { route: routes.revokeOtherSessions }, options)
}
