import {
  discoverMailServer,
  finishMailboxSignIn,
  listMailboxSignIns,
  startMailboxSignIn,
} from '../../client/mail/config-owner.ts'
import type { Session } from '../../client/core/http.ts'
import type { Config, DiscoveredServer, MailboxSignIn, SignInProvider } from '../../contract/mail/config.ts'
import { signInNotCompleted } from '../lib/config-messages.ts'

/** What an address's domain says of its mail server; null where it says nothing or cannot be asked: the fields are there. */
export function findServer(session: Session, address: string): Promise<DiscoveredServer['server']> {
  return discoverMailServer(session, address).then(
    ({ server }) => server,
    () => null,
  )
}

/** Providers that this server lets people sign in with; none where that cannot be asked. */
export function listSignIns(session: Session): Promise<SignInProvider[]> {
  return listMailboxSignIns(session).catch(() => [])
}

/** The address of the provider's sign-in. Throws ApiError. */
export async function startSignIn(session: Session, mailbox: MailboxSignIn): Promise<string> {
  return (await startMailboxSignIn(session, mailbox)).url
}

/** Connects the mailbox whose owner has come back. Throws ApiError, and an Error where the provider sent no permission. */
export async function finishSignIn(
  session: Session,
  returned: { code: string; state: string } | 'refused',
): Promise<Config> {
  if (returned === 'refused') throw new Error(signInNotCompleted)
  return finishMailboxSignIn(session, returned)
}
