import type { Session } from '../../client/core/http.ts'
import type { EmbedFacts } from '../../contract/embed/embed-session.ts'
import { embedScopes } from '../../contract/embed/embed-scopes.ts'
import type { Language } from '../../widgets/lib/messages/messages.ts'
import type { Host, Options } from '../contract.ts'
import type { Shared } from './aliases.ts'
import { openPageSession, type PageSession } from './page-session.ts'
import { restrict } from './scope-sheet.ts'

/** Sessions of the page, by the data that their widgets share. */
const held = new Map<Shared, PageSession>()

type Transport = NonNullable<Session['transport']>

/** The hold of one widget on its session. */
interface HeldSession {
  /** Hides in a drawn widget what its session may not do. */
  limit: (place: Element) => void
  transport: Transport
  close: () => void
}

/** Calls that need no session, only the embed's id. */
const isPublicCall = /\/email\/templates?\b/

/** The page's session for one widget, until `close`. */
export function holdSession(
  host: Host,
  options: Options,
  frame: HTMLElement,
  ...[shared, language]: [Shared, Language]
): HeldSession {
  // A session without a sign-in comes soon: what it may not do is not shown before.
  const { 'token-url': tokenUrl = '' } = options
  const isSoon = Boolean(tokenUrl || host.fetchSession())
  const session = held.get(shared) ?? openPageSession(host, options, isSoon, shared, language)
  const limits = new CSSStyleSheet()
  session.frames.set(frame, limits)
  held.set(shared, session)
  // Public templates need no sign-in; it is offered where it gives more.
  const isOpenToAll = !isSoon && host.name === 'template-picker'
  const facts = isOpenToAll ? session.askFacts().catch(() => null) : null
  if (facts === null) session.start()
  restrict(limits, session.scopes() ?? (isOpenToAll ? ['templates:read'] : isSoon ? null : embedScopes))

  return {
    limit(place) {
      const root = place.firstElementChild?.firstElementChild?.shadowRoot
      if (root) root.adoptedStyleSheets = [...root.adoptedStyleSheets, limits]
      if (place === frame) session.join(frame)
    },
    transport: createTransport(host, options, session, facts),
    close() {
      session.leave(frame)
      if (session.frames.size > 0) return
      session.close()
      held.delete(shared)
      shared.clear()
    },
  }
}

/** `fetch` for a widget; `facts` where public templates are shown without a session. */
function createTransport(
  host: Host,
  { embed = '' }: Options,
  session: PageSession,
  facts: Promise<EmbedFacts | null> | null,
): Transport {
  return (url, request) => {
    // Public data: the embed's own id is the credential.
    if ('X-Api-Key' in (request.headers ?? {})) return fetch(url, request)
    if (facts && !session.isOpen() && request.method === 'GET' && isPublicCall.test(url)) {
      const headers = { ...(request.headers as object), Authorization: `Bearer ${embed}` }
      const answer = fetch(url, { ...request, headers })
      // After the answer, below what it shows, so that nothing moves.
      void Promise.all([facts, answer.catch(() => 0)]).then(([known]) => known?.popup_sign_in && session.start())
      return answer
    }
    if (request.method === 'POST' && url.includes('/email/send-mail/')) {
      const { recipient_list: recipients, subject } = JSON.parse(request.body ?? '') as Record<string, unknown>
      if (!host.fire('before-send', { recipients, subject }, true))
        return Promise.resolve(Response.json({ detail: 'This page stopped the message.' }, { status: 409 }))
    }
    return session.transport(url, request)
  }
}
