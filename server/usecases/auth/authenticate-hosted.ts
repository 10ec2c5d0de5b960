import { AppError } from '../../../contract/core/errors.ts'
import type { HostedCaller, HostedKey, HostedUserCaller, HostedUserRow } from '../../domain/auth/hosted.ts'
import { hashToken, isToken } from '../../domain/auth/token.ts'
import type { HostedKeyStore } from '../../store/hosted/hosted-key.ts'

interface Ports {
  keys: Pick<HostedKeyStore, 'findByHash'>
  /** Null if another deployment stores the users; then tokens are not checked here. */
  users: { findByToken: (tokenHash: Buffer) => Promise<HostedUserRow | null> } | null
  /** The API key of this server's pages: derived, so that every process has it and no row stores it. */
  pageKey: string
}

/** Recognises callers of the hosted data backend; each function throws where the credentials do not hold. */
export interface AuthenticateHosted {
  /** An API key that holds. Throws `api_key_refused`. */
  key: (apiKey: string | null) => Promise<HostedKey>
  /** The key with the user of the token, if it carries one. Throws `not_signed_in` for a token that has ended, too. */
  caller: (apiKey: string | null, token: string | null) => Promise<HostedCaller>
  /** The reader of an embed's page: the global templates, and nothing else. */
  visitor: () => HostedCaller
  /** The same with a user in any case. */
  user: (apiKey: string | null, token: string | null) => Promise<HostedUserCaller>
}

const page: HostedKey = { id: 'page', name: 'page', kind: 'read', collections: [] }

/** Reads keys and tokens on every call, so that a revocation takes effect at once. */
export function createAuthenticateHosted({ keys, users, pageKey }: Ports): AuthenticateHosted {
  const pageKeyHash = hashToken(pageKey)

  const key = async (apiKey: string | null) => {
    const isKey = apiKey !== null && (isToken('hosted_read', apiKey) || isToken('hosted_write', apiKey))
    if (!isKey) throw new AppError('api_key_refused')
    const hash = hashToken(apiKey)
    const found = hash.equals(pageKeyHash) ? page : await keys.findByHash(hash)
    if (found === null) throw new AppError('api_key_refused')
    return found
  }
  const caller = async (apiKey: string | null, token: string | null): Promise<HostedCaller> => {
    const found = await key(apiKey)
    // A product account's token means nothing here.
    if (users === null || token === null || !isToken('hosted_user', token)) {
      return { kind: 'hosted', key: found, user: null }
    }
    const tokenHash = hashToken(token)
    const user = await users.findByToken(tokenHash)
    if (user === null) throw new AppError('not_signed_in')
    return { kind: 'hosted_user', key: found, user, tokenHash }
  }
  return {
    key,
    caller,
    visitor: () => ({ kind: 'hosted', key: page, user: null }),
    async user(apiKey, token) {
      const found = await caller(apiKey, token)
      if (found.kind !== 'hosted_user') throw new AppError('not_signed_in')
      return found
    },
  }
}
