import type { User } from '../../contract/account/account.ts'
import type { BodyOf } from '../../contract/core/operation.ts'
import type { UserChanges } from '../../contract/account/profile.ts'
import type * as api from '../../contract/account/profile.ts'
import { call, type CallOptions, type Session } from '../core/http.ts'
import * as routes from '../../contract/account/profile.routes.ts'

/** Changes the person's name, or how the dashboard looks to them. */
export function updateCurrentUser(session: Session, changes: UserChanges, options?: CallOptions): Promise<User> {
  return call<typeof api.updateCurrentUser>(session, { route: routes.updateCurrentUser, body: changes }, options)
}

/** Sets a new password; every other session ends. */
export function changePassword(
  session: Session,
  body: BodyOf<typeof api.changePassword>,
  options?: CallOptions,
): Promise<null> {
  return call<typeof api.changePassword>(session, { route: routes.changePassword, body }, options)
}

/** Closes the account for good: no token and no secret key of it works after that. */
export function closeAccount(session: Session, password: string, options?: CallOptions): Promise<null> {
  const body = { password }
  return call<typeof api.closeAccount>(session, { route: routes.closeAccount, body }, options)
}
