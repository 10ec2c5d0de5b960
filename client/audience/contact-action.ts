import type {
  ContactAction,
  getContactAction as GetContactAction,
  NewContactAction,
  startContactAction as StartContactAction,
  undoContactAction as UndoContactAction,
} from '../../contract/audience/contact-action.ts'
import * as routes from '../../contract/audience/contact-action.routes.ts'
import { call, type CallOptions, type Session } from '../core/http.ts'

/** Changes or deletes many contacts in the background. */
export function startContactAction(
  session: Session,
  body: NewContactAction,
  options?: CallOptions,
): Promise<ContactAction> {
  return call<typeof StartContactAction>(session, { route: routes.startContactAction, body }, options)
}

/** Its progress. */
export function getContactAction(session: Session, id: string, options?: CallOptions): Promise<ContactAction> {
  return call<typeof GetContactAction>(session, { route: routes.getContactAction, params: { id } }, options)
}

/** Gives every contact back what it had. */
export function undoContactAction(session: Session, id: string, options?: CallOptions): Promise<ContactAction> {
  return call<typeof UndoContactAction>(session, { route: routes.undoContactAction, params: { id } }, options)
}
