import { proxy } from 'valtio/vanilla'
import { getEmbedConsent, giveEmbedConsent } from '../../../client/embed/embed-session.ts'
import { errorText, isAbort, type Session } from '../../../client/core/http.ts'
import type { EmbedConsent } from '../../../contract/embed/embed-session.ts'

/** The request of the opener, from the address. */
export interface ConsentRequest {
  embed: string
  origin: string
  state: string
  challenge: string
  scopes: string
}

/**
 * `malformed`: the address lacks what is needed; `refused`: it may not be asked, and `error` says why; `cut`: the page that
 * asks cannot be reached; `done`: it has its answer.
 */
export type ConsentStatus = 'malformed' | 'loading' | 'refused' | 'cut' | 'asking' | 'allowing' | 'done'

/** What the window reads. */
export interface ConsentState {
  status: ConsentStatus
  error: string | null
  consent: EmbedConsent | null
}

/** The window that opened this one, and this one. */
export interface ConsentWindow {
  opener: Pick<Window, 'postMessage'> | null
  close: () => void
}

/** Reads the address; null where something is missing. */
export function readRequest(query: URLSearchParams): ConsentRequest | null {
  const [embed, origin, state] = [query.get('embed'), query.get('origin'), query.get('state')]
  const challenge = query.get('code_challenge')
  if (!embed || !origin || !state || !challenge || query.get('code_challenge_method') !== 'S256') return null
  return { embed, origin, state, challenge, scopes: query.get('scopes') ?? '' }
}

/** State and actions of the window in which a person allows a page. The answer goes to the page's own origin only. */
export function createConsentStore(session: Session, request: ConsentRequest | null, page: ConsentWindow) {
  const state = proxy<ConsentState>({
    status: request === null ? 'malformed' : page.opener === null ? 'cut' : 'loading',
    error: null,
    consent: null,
  })
  let loading = new AbortController()

  async function load(): Promise<void> {
    if (request === null || page.opener === null) return
    loading.abort()
    loading = new AbortController()
    const { embed, origin, scopes } = request
    try {
      const query = { embed, origin, ...(scopes !== '' && { scopes }) }
      const consent = await getEmbedConsent(session, query, { signal: loading.signal })
      Object.assign(state, { status: 'asking', consent, error: null })
    } catch (error) {
      if (!isAbort(error)) Object.assign(state, { status: 'refused', error: errorText(error) })
    }
  }

  function answer(origin: string, message: { code: string } | { error: string }): void {
    page.opener?.postMessage({ type: 'sendwright:consent', state: request?.state, ...message }, origin)
    state.status = 'done'
    page.close()
  }

  return {
    state,
    load,
    /** Returns a function that aborts the load. */
    start() {
      void load()
      return () => loading.abort()
    },
    async allow() {
      const { consent } = state
      if (request === null || consent === null || state.status !== 'asking') return
      Object.assign(state, { status: 'allowing', error: null })
      try {
        const { code } = await giveEmbedConsent(session, {
          embed: consent.embed.id,
          origin: consent.origin,
          scopes: [...consent.scopes],
          code_challenge: request.challenge,
          code_challenge_method: 'S256',
        })
        answer(consent.origin, { code })
      } catch (error) {
        Object.assign(state, { status: 'asking', error: errorText(error) })
      }
    },
    /** Reports the denial to the opener. */
    deny() {
      // The server has verified the origin as one of the embed: no other receives a message.
      if (state.consent !== null) answer(state.consent.origin, { error: 'denied' })
    },
  }
}

export type ConsentStore = ReturnType<typeof createConsentStore>
