import type { Config, NewConfig } from '../../contract/mail/config.ts'
import type * as api from '../../contract/mail/config.ts'
import type { QueryOf } from '../../contract/core/operation.ts'
import { call, callList, type CallOptions, type Page, type Session } from '../core/http.ts'
import * as routes from '../../contract/mail/config.routes.ts'

/** Connects a mailbox. The server logs in to its mail server first, which may take seconds. */
export function addEmailConfig(session: Session, config: NewConfig, options?: CallOptions): Promise<Config> {
  return call<typeof api.addEmailConfig>(session, { route: routes.addEmailConfig, body: config }, options)
}

/** The mailboxes of the workspace, oldest first. */
export function listEmailConfigs(
  session: Session,
  query: QueryOf<typeof api.listEmailConfigs> = {},
  options?: CallOptions,
): Promise<Page<Config>> {
  return callList<typeof api.listEmailConfigs>(session, { route: routes.listEmailConfigs, query }, options)
}

/** Disconnects a mailbox for good. */
export function deleteEmailConfig(session: Session, id: string, options?: CallOptions): Promise<null> {
  return call<typeof api.deleteEmailConfig>(session, { route: routes.deleteEmailConfig, params: { id } }, options)
}
