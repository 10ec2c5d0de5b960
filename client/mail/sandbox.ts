import type { QueryOf } from '../../contract/core/operation.ts'
import type {
  getSandboxMessage as GetSandboxMessage,
  listSandboxMessages as ListSandboxMessages,
  SandboxMessage,
} from '../../contract/mail/sandbox.ts'
import { call, callList, type CallOptions, type Page, type Session } from '../core/http.ts'
import * as routes from '../../contract/mail/sandbox.routes.ts'

/** Mails that the sandbox received, newest first. Where the sandbox is off the answer is 404. */
export function listSandboxMessages(
  session: Session,
  query: QueryOf<typeof ListSandboxMessages> = {},
  options?: CallOptions,
): Promise<Page<SandboxMessage>> {
  return callList<typeof ListSandboxMessages>(session, { route: routes.listSandboxMessages, query }, options)
}

/** One mail that the sandbox received. */
export function getSandboxMessage(session: Session, id: string, options?: CallOptions): Promise<SandboxMessage> {
  return call<typeof GetSandboxMessage>(session, { route: routes.getSandboxMessage, params: { id } }, options)
}
