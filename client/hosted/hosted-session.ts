import type { HostedUser, SignedIn } from '../../contract/hosted/hosted.ts'
import { hostedTokenStorageKey, hostedUserStorageKey } from '../../contract/hosted/hosted.limits.ts'
import type { Session } from '../core/http.ts'

/** Who calls the hosted data backend: a key always, and a hosted user after their sign-in. */
export interface HostedSession extends Session {
  readonly apiKey: string
  /** The user as they were last seen, or null. */
  user(): HostedUser | null
  /** Keeps who has signed in. */
  keep(signedIn: SignedIn): void
  keepUser(user: HostedUser): void
  /** Signs out in this browser. */
  forget(): void
}

/** Where the backend is, and what this browser keeps of its user. */
export interface HostedSettings {
  /** Address without a trailing slash; empty means the page's own origin. */
  apiBase: string
  /** What a page carries is a `read` key. */
  apiKey: string
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

/** A session over local storage: the token under `cocobase-token`, the user under `cocobase-user` (spec §3). */
export function createHostedSession({ apiBase, apiKey, storage }: HostedSettings): HostedSession {
  const keepUser = (user: HostedUser) => storage.setItem(hostedUserStorageKey, JSON.stringify(user))
  return {
    apiBase,
    apiKey,
    shared: new Map(),
    token() {
      const stored = storage.getItem(hostedTokenStorageKey)
      return stored === '' ? null : stored
    },
    user() {
      try {
        return JSON.parse(storage.getItem(hostedUserStorageKey) ?? 'null') as HostedUser | null
      } catch {
        return null // Not ours any more: the user call brings it back.
      }
    },
    keep({ access_token: token, user }) {
      storage.setItem(hostedTokenStorageKey, token)
      keepUser(user)
    },
    keepUser,
    forget() {
      storage.removeItem(hostedTokenStorageKey)
      storage.removeItem(hostedUserStorageKey)
    },
  }
}
