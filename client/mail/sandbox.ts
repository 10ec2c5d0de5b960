import type { QueryOf } from '../../contract/core/operation.ts'
import type { IncomingKind } from '../../contract/inbox/inbox.limits.ts'
import type { SandboxMessage } from '../../contract/mail/sandbox.ts'
import type * as api from '../../contract/mail/sandbox.ts'
import { call, callList, type CallOptions, type Page, type Session } from '../core/http.ts'
import * as routes from '../../contract/mail/sandbox.routes.ts'

/** Mails that the sandbox received, newest first. Where the sandbox is off the answer is 404. */
export function listSandboxMessages(
  session: Session,
  query: QueryOf<typeof api.listSandboxMessages> = {},
  options?: CallOptions,
): Promise<Page<SandboxMessage>> {
  return callList<typeof api.listSandboxMessages>(session, { route: routes.listSandboxMessages, query }, options)
}

/** Puts an answer to a received mail into the sandbox's mailbox. */
export function answerSandboxMessage(
  session: Session,
  id: string,
  kind: IncomingKind,
  options?: CallOptions,
): Promise<null> {
  return call<typeof api.answerSandboxMessage>(
    session,
    { route: routes.answerSandboxMessage, params: { id }, body: { kind } },
    options,
  )
}
