import { AppError } from '../../../contract/core/errors.ts'
import type { AccountCaller, Mailbox, MemberCaller, SecretKeyCaller, SignedInUser } from '../../domain/auth/caller.ts'
import { hashToken, isToken } from '../../domain/auth/token.ts'
import { createMailboxCache } from './mailbox-cache.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { SessionStore } from '../../store/accounts/session.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'

interface Ports {
  sessions: Pick<SessionStore, 'findCaller'>
  mailboxes: Pick<MailboxStore, 'findByKey'>
}

/** Recognises callers by their token; each function throws where it does not hold. */
export interface Authenticate {
  /** The caller of a live session, or null. */
  find: (token: string | null) => Promise<SignedInUser | null>
  /** A session, the email confirmed or not. Throws `not_signed_in`. */
  account: (token: string | null) => Promise<AccountCaller>
  /** A session of a confirmed account. Throws `not_signed_in`, `email_not_confirmed`. */
  member: (token: string | null) => Promise<MemberCaller>
  /** The mailbox of a secret key. Throws `config_not_found`. */
  secretKey: (secretKey: string | null) => Promise<SecretKeyCaller>
  /**
   * The same, as remembered from an earlier call where it is: only for what compares the version when it is done (Mailbox).
   */
  cachedSecretKey: (secretKey: string | null) => Promise<SecretKeyCaller>
  /** The same for a member: another workspace's key reads as unknown. Throws `config_not_found`. */
  ownMailbox: (scope: Scope, secretKey: string) => Promise<Mailbox>
}

/** Reads the token on every call but cachedSecretKey, so that a revocation takes effect at once. */
export function createAuthenticate(ports: Ports): Authenticate {
  const find = async (token: string | null) =>
    token !== null && isToken('access', token) ? ports.sessions.findCaller(hashToken(token)) : null
  const account = async (token: string | null): Promise<AccountCaller> => {
    const user = await find(token)
    if (user === null) throw new AppError('not_signed_in')
    return { kind: 'account', ...user }
  }
  const mailbox = async (secretKey: string | null) => {
    const found =
      secretKey !== null && isToken('secret_key', secretKey) ? await ports.mailboxes.findByKey(secretKey) : null
    if (secretKey !== null) cache.set(secretKey, found)
    if (found === null) throw new AppError('config_not_found')
    return found
  }
  const cache = createMailboxCache(mailbox)
  return {
    find,
    account,
    async member(token) {
      const caller = await account(token)
      if (!caller.isConfirmed) throw new AppError('email_not_confirmed')
      return { ...caller, kind: 'member' }
    },
    secretKey: async (secretKey) => toCaller(await mailbox(secretKey)),
    cachedSecretKey: async (secretKey) =>
      toCaller((secretKey === null ? null : cache.get(secretKey)) ?? (await mailbox(secretKey))),
    async ownMailbox(scope, secretKey) {
      const found = await mailbox(secretKey)
      if (found.workspaceId !== scope.workspaceId) throw new AppError('config_not_found')
      return found
    },
  }
}

function toCaller(mailbox: Mailbox): SecretKeyCaller {
  return { kind: 'secret_key', workspaceId: mailbox.workspaceId, mailbox }
}
