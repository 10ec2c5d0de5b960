import type { EmbedError, FetchSession, FreshSession } from '../contract.ts'

/** Longest wait for the site's own answer, in milliseconds. */
const answerMs = 15_000
/** Longest wait for the API to begin an answer to what is only read, in milliseconds: then a retry is offered. */
const readMs = 20_000
/** Share of a session's life after which the next one is fetched. */
const renewAt = 0.8

/** A session of the page: only this closure holds its token. */
export interface EmbedSession {
  /** `fetch` with the session's token; asks for another one once where the server no longer takes it. */
  transport: (url: string, request: RequestInit) => Promise<Response>
  /** Begins to fetch the session, and keeps it fresh. */
  start: () => void
  /** Whether there is a session now. */
  isOpen: () => boolean
  /** Ends its timer and what it asks for: an answer that is late renews nothing. A call that writes is still made. */
  close: () => void
}

/** Callbacks of a session and its successors. */
interface SessionEvents {
  /** Never given. */
  onRefused: (error: EmbedError) => void
  /** There is another one, with which calls are made from now on. */
  onOpened: (session: FreshSession) => void
  /** Where a call goes in the session that there is now. */
  addressOf: (url: string) => Promise<string>
  /** A call got no answer that the page may read; throws SessionRefused where that is why. */
  onUnread: () => Promise<unknown>
}

/** Gives a session; `signal` ends the wait for it. */
type AskSession = (signal: AbortSignal) => ReturnType<FetchSession>

/** A refusal that people can act on. */
export class SessionRefused extends Error {
  readonly code: EmbedError['code']
  constructor(message: string, code: EmbedError['code'] = 'session') {
    super(message)
    this.code = code
  }
}

/** Renews one session. Concurrent callers share one call of `ask`. */
export function createSession(
  ask: AskSession,
  { onRefused, onOpened, addressOf, onUnread }: SessionEvents,
): EmbedSession {
  let token: string | null = null
  let flight: Promise<string> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false
  let writeCount = 0
  const ending = new AbortController()

  const renew = () =>
    (flight ??= ask(ending.signal)
      .then((fresh) => {
        const { session_token, expires_at } = fresh
        if (typeof session_token !== 'string' || !session_token.startsWith('es_'))
          throw new SessionRefused('The site did not return a session.')
        if (isClosed) return session_token
        clearTimeout(timer)
        const lifeMs = Date.parse(expires_at) - Date.now()
        timer = setTimeout(() => void renew().catch(nothing), Math.max(1000, lifeMs * renewAt))
        onOpened(fresh)
        return (token = session_token)
      })
      .finally(() => (flight = null)))

  return {
    start: () => void (token ?? renew().catch(nothing)),
    isOpen: () => token !== null,
    close() {
      isClosed = true
      clearTimeout(timer)
      if (writeCount === 0) ending.abort()
    },
    async transport(url, request) {
      const isRead = request.method === 'GET'
      const ends = isRead ? [ending.signal] : []
      if (isRead) ending.signal.throwIfAborted()
      else writeCount += 1
      try {
        const used = token ?? (await renew())
        const answer = await call(await addressOf(url), request, used, ends)
        if (answer.status !== 401) return answer
        if (token === used) token = null
        const next = token ?? (await renew())
        return await call(await addressOf(url), request, next, ends)
      } catch (thrown) {
        const error =
          thrown instanceof TypeError && !isClosed
            ? await onUnread().then(
                () => thrown,
                (refused: unknown) => refused,
              )
            : thrown
        if (isClosed || !(error instanceof SessionRefused)) throw error
        const { code, message } = error
        onRefused({ code, message })
        return Response.json({ detail: message }, { status: 403 })
      } finally {
        if (!isRead) writeCount -= 1
      }
    },
  }
}

/**
 * Asks the site's own back end, by its address (`data-token-url`), or takes the answer that is under way, once. Throws
 * SessionRefused.
 */
export async function askSite(address: string, signal: AbortSignal, asked: Promise<unknown>): Promise<FreshSession> {
  const ends = AbortSignal.any([AbortSignal.timeout(answerMs), signal])
  const ended = new Promise((resolve) => ends.addEventListener('abort', resolve))
  const first = await Promise.race([asked, ended])
  const isFresh = first instanceof Response && !first.bodyUsed
  const answer = isFresh
    ? first
    : await fetch(new URL(address, document.baseURI), { method: 'POST', signal: ends }).catch(() => null)
  const body = (await answer?.json().catch(() => null)) as FreshSession | null | undefined
  if (answer?.ok && body) return body
  throw new SessionRefused(
    answer?.status === 401 || answer?.status === 403
      ? 'This site requires you to sign in. Sign in to it and try again.'
      : 'This site did not return a session. Try again later.',
  )
}

const nothing = () => undefined

/** Only what is read has a time limit: what is sent late may still arrive. `ends` abort the call. */
async function call(url: string, request: RequestInit, token: string, ends: readonly AbortSignal[]): Promise<Response> {
  const late = new AbortController()
  const timer = request.method === 'GET' && setTimeout(() => late.abort(new TypeError()), readMs)
  const headers = { ...(request.headers as object), Authorization: `Bearer ${token}` }
  try {
    return await fetch(url, {
      ...request,
      headers,
      signal: AbortSignal.any([late.signal, ...ends, ...(request.signal ? [request.signal] : [])]),
    })
  } finally {
    if (timer) clearTimeout(timer)
  }
}
