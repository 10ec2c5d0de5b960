import type { EmbedError, FetchSession, FreshSession } from './contract.ts'

/** Longest wait for the site's own answer, in milliseconds. */
const answerMs = 15_000
/** Longest wait for the API to begin an answer to what is only read, in milliseconds: then a retry is offered. */
const readMs = 20_000
/** Share of a session's life after which the next one is fetched. */
const renewAt = 0.8

/** A session of the page: its token stands in this closure only. */
export interface EmbedSession {
  /** `fetch` with the session's token; asks for another one once where the server no longer takes it. */
  transport: (url: string, request: RequestInit) => Promise<Response>
  /** Begins to fetch the session, and keeps it fresh. */
  start: () => void
  /** Whether there is a session now. */
  isOpen: () => boolean
  close: () => void
}

/** What is told while one session follows the other. */
interface SessionEvents {
  /** Nobody gives one. */
  onRefused: (error: EmbedError) => void
  /** There is another one, with which calls are made from now on. */
  onOpened: (session: FreshSession) => void
  /** Where a call goes in the session that there is now. */
  addressOf: (url: string) => Promise<string>
}

/** A refusal that people can act on. */
export class SessionRefused extends Error {}

/** Keeps one session fresh. `ask` is called once at a time, whoever waits. */
export function createSession(ask: FetchSession, { onRefused, onOpened, addressOf }: SessionEvents): EmbedSession {
  let token: string | null = null
  let flight: Promise<string> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const renew = () =>
    (flight ??= ask()
      .then((fresh) => {
        const { session_token, expires_at } = fresh
        if (typeof session_token !== 'string' || !session_token.startsWith('es_'))
          throw new SessionRefused('The site answered something else than a session.')
        clearTimeout(timer)
        const lifeMs = Date.parse(expires_at) - Date.now()
        timer = setTimeout(() => void renew().catch(nothing), Math.max(1000, lifeMs * renewAt))
        token = session_token
        onOpened(fresh)
        return token
      })
      .finally(() => (flight = null)))

  return {
    start: () => void (token ?? renew().catch(nothing)),
    isOpen: () => token !== null,
    close: () => clearTimeout(timer),
    async transport(url, request) {
      try {
        const used = token ?? (await renew())
        const answer = await call(await addressOf(url), request, used)
        if (answer.status !== 401) return answer
        if (token === used) token = null
        const next = token ?? (await renew())
        return await call(await addressOf(url), request, next)
      } catch (error) {
        if (!(error instanceof SessionRefused)) throw error
        onRefused({ code: 'session', message: error.message })
        return Response.json({ detail: error.message }, { status: 403 })
      }
    },
  }
}

/** Asks the site's own back end, by its address (`data-token-url`). Throws SessionRefused. */
export async function askSite(address: string): Promise<FreshSession> {
  const answer = await fetch(new URL(address, document.baseURI), {
    method: 'POST',
    signal: AbortSignal.timeout(answerMs),
  }).catch(() => null)
  const body = (await answer?.json().catch(() => null)) as FreshSession | null | undefined
  if (answer?.ok && body) return body
  throw new SessionRefused(
    answer?.status === 401 || answer?.status === 403
      ? 'This site does not let you in here. Sign in to it and try again.'
      : 'This site gave no session to work with. Try again later.',
  )
}

const nothing = () => undefined

/** Only what is read has a time limit: what is sent late may still arrive. */
async function call(url: string, request: RequestInit, token: string): Promise<Response> {
  const late = new AbortController()
  const timer = request.method === 'GET' && setTimeout(() => late.abort(new TypeError('No answer in time.')), readMs)
  const headers = { ...(request.headers as Record<string, string>), Authorization: `Bearer ${token}` }
  try {
    return await fetch(url, {
      ...request,
      headers,
      signal: AbortSignal.any([late.signal, ...(request.signal ? [request.signal] : [])]),
    })
  } finally {
    if (timer) clearTimeout(timer)
  }
}
