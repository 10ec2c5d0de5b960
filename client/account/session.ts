import { proxy } from 'valtio/vanilla'
import type { User } from '../../contract/account/account.ts'
import { accessTokenStorageKey } from '../../contract/account/account.limits.ts'
import { getCurrentUser, signOut } from './account.ts'
import { errorText, isAbort, type Session } from '../core/http.ts'
import { logFailure } from '../core/log-failure.ts'

/** `loading` until the user call has ended; `visitor` without a token; `user` with one (spec §4). */
export type SessionStatus = 'loading' | 'visitor' | 'user'

/** Why a session ended: by the person, by the server's refusal of its token, by another tab of this browser. */
export type EndReason = 'signed-out' | 'refused' | 'other-tab'

/** What screens read of the session. A valtio proxy. */
export interface SessionState {
  status: SessionStatus
  /** The signed-in person; null for a visitor, and while `trouble` says why the user call got no answer. */
  user: User | null
  trouble: string | null
}

/** The session of the dashboard, its token kept in local storage under `access_token` (spec §3). */
export interface StoredSession extends Session {
  readonly state: SessionState
  /** Reads the stored token, fetches the user, follows other tabs. Returns its undo. */
  start(): () => void
  /** Stores a token and fetches its user; resolves once the state is `user` or `visitor`. */
  accept(token: string): Promise<void>
  /** Fetches the user again, after a call that got no answer. */
  retry(): Promise<void>
  /** Ends the session here and on the server, without waiting for the server's answer. */
  signOut(): void
}

/** What the session needs of the page. */
export interface SessionPorts {
  apiBase: string
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** Where the `storage` event of other tabs arrives. */
  tabs: EventTarget
  /** Called when an open session ends. */
  onEnded(reason: EndReason): void
}

/** A session over local storage. Nothing happens before `start`. */
export function createStoredSession(ports: SessionPorts): StoredSession {
  const state = proxy<SessionState>({ status: 'loading', user: null, trouble: null })
  const shared = new Map<string, object>()
  let token: string | null = null
  let fetching = new AbortController()

  const session: StoredSession = {
    apiBase: ports.apiBase,
    shared,
    state,
    token: () => token,
    rejected: (used) => {
      if (used === token) end('refused')
    },
    start() {
      follow(readToken())
      const onStorage = (event: Event) => {
        const { key } = event as StorageEvent
        // A null key: the other tab cleared its whole storage.
        if (key === accessTokenStorageKey || key === null) follow(readToken())
      }
      ports.tabs.addEventListener('storage', onStorage)
      return () => {
        ports.tabs.removeEventListener('storage', onStorage)
        fetching.abort()
      }
    },
    async accept(newToken) {
      ports.storage.setItem(accessTokenStorageKey, newToken)
      await use(newToken)
    },
    retry: () => fetchUser(),
    signOut() {
      const ended = { ...session, token: constant(token), rejected: nothing }
      end('signed-out')
      // Gone from this browser either way; a reload that follows does not stop the call.
      if (ended.token() !== null) signOut(ended, { keepalive: true }).catch(nothing)
    },
  }

  function readToken(): string | null {
    const stored = ports.storage.getItem(accessTokenStorageKey)
    return stored === '' ? null : stored
  }

  function follow(stored: string | null): void {
    if (stored !== null) void use(stored)
    else if (token !== null) end('other-tab')
    else state.status = 'visitor'
  }

  async function use(newToken: string): Promise<void> {
    if (newToken === token) return
    token = newToken
    shared.clear()
    state.status = 'loading'
    await fetchUser()
  }

  async function fetchUser(): Promise<void> {
    fetching.abort()
    fetching = new AbortController()
    const { signal } = fetching
    state.trouble = null
    try {
      const answer = await getCurrentUser(session, { signal })
      if (signal.aborted) return // A 401 has ended the session already.
      if (!answer.ok) {
        end('refused')
        return
      }
      const user = (await answer.json()) as User
      Object.assign(state, { user, status: 'user' })
    } catch (error) {
      if (isAbort(error) || signal.aborted) return
      logFailure('loading the user', error)
      Object.assign(state, { status: 'user', trouble: errorText(error) })
    }
  }

  function end(reason: EndReason): void {
    fetching.abort()
    token = null
    shared.clear()
    ports.storage.removeItem(accessTokenStorageKey)
    Object.assign(state, { status: 'visitor', user: null, trouble: null })
    ports.onEnded(reason)
  }

  return session
}

const constant =
  <T>(value: T) =>
  () =>
    value
const nothing = () => undefined
