import type {
  Config,
  ConfigChanges,
  ConfigUsage,
  DiscoveredServer,
  MailboxSignIn,
  SignInProvider,
} from '../../contract/mail/config.ts'
import type * as api from '../../contract/mail/config.ts'
import type { BodyOf, QueryOf } from '../../contract/core/operation.ts'
import { call, callList, type CallOptions, type Page, type Session } from '../core/http.ts'
import * as routes from '../../contract/mail/config.routes.ts'

// What owners do with their mailboxes, apart from client/mail/config.ts: composers never need it.

/** Begins to connect a mailbox at its provider; gives the address to open. */
export function startMailboxSignIn(
  session: Session,
  mailbox: MailboxSignIn,
  options?: CallOptions,
): Promise<{ url: string }> {
  return call<typeof api.startMailboxSignIn>(session, { route: routes.startMailboxSignIn, body: mailbox }, options)
}

/** Connects the mailbox with what the provider gave the browser to bring back. */
export function finishMailboxSignIn(
  session: Session,
  given: BodyOf<typeof api.finishMailboxSignIn>,
  options?: CallOptions,
): Promise<Config> {
  return call<typeof api.finishMailboxSignIn>(session, { route: routes.finishMailboxSignIn, body: given }, options)
}

/** The providers where a mailbox can be connected by signing in. */
export function listMailboxSignIns(session: Session, options?: CallOptions): Promise<SignInProvider[]> {
  return call<typeof api.listMailboxSignIns>(session, { route: routes.listMailboxSignIns }, options)
}

/** What the domain of an address says of its mail server. */
export function discoverMailServer(
  session: Session,
  emailAddress: string,
  options?: CallOptions,
): Promise<DiscoveredServer> {
  const body = { email_address: emailAddress }
  return call<typeof api.discoverMailServer>(session, { route: routes.discoverMailServer, body }, options)
}

/** What each mailbox has used of its quota, in the order of the list. */
export function listConfigUsage(
  session: Session,
  query: QueryOf<typeof api.listConfigUsage> = {},
  options?: CallOptions,
): Promise<Page<ConfigUsage>> {
  return callList<typeof api.listConfigUsage>(session, { route: routes.listConfigUsage, query }, options)
}

/** Pauses a mailbox, lets it go on, or sets limits of its own. */
export function updateEmailConfig(
  session: Session,
  id: string,
  changes: ConfigChanges,
  options?: CallOptions,
): Promise<Config> {
  return call<typeof api.updateEmailConfig>(
    session,
    { route: routes.updateEmailConfig, params: { id }, body: changes },
    options,
  )
}

/** Gives a mailbox a new secret key; the old one works for 24 hours more. */
export function rotateSecretKey(session: Session, id: string, options?: CallOptions): Promise<Config> {
  return call<typeof api.rotateSecretKey>(session, { route: routes.rotateSecretKey, params: { id } }, options)
}
