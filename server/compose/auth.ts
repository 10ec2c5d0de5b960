import { createAuthenticateEmbed } from '../usecases/auth/authenticate-embed.ts'
import { createAuthenticate } from '../usecases/auth/authenticate.ts'
import type { Parts } from './core/parts.ts'
import { accountStores } from './stores/accounts.ts'
import { embedStores } from './stores/embeds.ts'
import { mailboxStores } from './stores/mailboxes.ts'

/** Finds the session or mailbox of a credential. */
export function authenticate({ resolve }: Parts) {
  const { sessions } = resolve(accountStores)
  const { mailboxes } = resolve(mailboxStores)
  return createAuthenticate({ sessions, mailboxes })
}

/** Finds the embed session of a token. */
export function authenticateEmbed({ resolve }: Parts) {
  const { embeds, embedSessions } = resolve(embedStores)
  return createAuthenticateEmbed({ embeds, embedSessions })
}
