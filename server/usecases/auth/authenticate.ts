import { AppError } from '../../../contract/core/errors.ts'
import type { Caller, Mailbox } from '../../domain/auth/caller.ts'
import { hashToken, isToken } from '../../domain/auth/token.ts'
import { createMailboxMemory } from './mailbox-memory.ts'

interface Ports {
  sessions: { findCaller: (tokenHash: Buffer) => Promise<Caller | null> }
  configs: { findByKey: (secretKey: string) => Promise<Mailbox | null> }
}

/** Who is behind a token: each throws where nobody is. */
export interface Authenticate {
  /** The caller of a live session, or null. */
  find: (token: string | null) => Promise<Caller | null>
  /** A session, the email confirmed or not. Throws `not_signed_in`. */
  account: (token: string | null) => Promise<Caller>
  /** A session of a confirmed account. Throws `not_signed_in`, `email_not_confirmed`. */
  member: (token: string | null) => Promise<Caller>
  /** The mailbox of a secret key. Throws `config_not_found`. */
  mailbox: (secretKey: string | null) => Promise<Mailbox>
  /**
   * The same, as remembered from an earlier call where it is: only for what compares the version when it is done (Mailbox).
   */
  recalledMailbox: (secretKey: string | null) => Promise<Mailbox>
  /** The same for a member: another workspace's key reads as unknown. Throws `config_not_found`. */
  ownMailbox: (secretKey: string, workspaceId: string) => Promise<Mailbox>
}

/** Looks tokens up anew on every call but one, so that what was revoked ends at once. */
export function createAuthenticate(ports: Ports): Authenticate {
  const find = async (token: string | null) =>
    token !== null && isToken('access', token) ? ports.sessions.findCaller(hashToken(token)) : null
  const account = async (token: string | null) => {
    const caller = await find(token)
    if (caller === null) throw new AppError('not_signed_in')
    return caller
  }
  const mailbox = async (secretKey: string | null) => {
    const found =
      secretKey !== null && isToken('secret_key', secretKey) ? await ports.configs.findByKey(secretKey) : null
    if (secretKey !== null) memory.keep(secretKey, found)
    if (found === null) throw new AppError('config_not_found')
    return found
  }
  const memory = createMailboxMemory(mailbox)
  return {
    find,
    account,
    async member(token) {
      const caller = await account(token)
      if (!caller.isConfirmed) throw new AppError('email_not_confirmed')
      return caller
    },
    mailbox,
    recalledMailbox: async (secretKey) => (secretKey === null ? null : memory.recall(secretKey)) ?? mailbox(secretKey),
    async ownMailbox(secretKey, workspaceId) {
      const found = await mailbox(secretKey)
      if (found.workspaceId !== workspaceId) throw new AppError('config_not_found')
      return found
    },
  }
}
