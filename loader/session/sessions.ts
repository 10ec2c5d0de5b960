import type { Session } from '../../client/core/http.ts'
import type { MailboxList } from '../../client/mail/mailbox-list.ts'
import type { EmbedFacts } from '../../contract/embed/embed-session.ts'
import { embedScopes, type EmbedScope } from '../../contract/embed/embed-scopes.ts'
import type { EmbedRefusal, FreshSession, Host, Options } from '../contract.ts'
import { askSite, createSession, SessionRefused, type EmbedSession } from './session.ts'
import type { Language } from '../../widgets/lib/messages/messages.ts'

/** Sessions of the page, by what their widgets share: several share one. */
const held = new Map<Shared, Held>()
type Shared = Map<string, object>

interface Held extends EmbedSession {
  /** Its places, each with the rules that hide what its session may not do. */
  frames: Map<HTMLElement, CSSStyleSheet>
  /** A place that has its widget from now on: while a sign-in is waited for, it is offered below it. */
  join: (frame: HTMLElement) => void
  leave: (frame: HTMLElement) => void
  /** What the session may do; null before there is one. */
  scopes: () => readonly EmbedScope[] | null
  /** What the page may know of its embed, null where that cannot be asked. Shows a refusal, and throws it as SessionRefused. */
  askFacts: () => Promise<EmbedFacts | null>
}

/** One widget's hold on its session. */
interface HeldSession {
  /** Hides in the widget of a place, once it is drawn, what its session may not do. */
  limit: (place: Element) => void
  transport: NonNullable<Session['transport']>
  close: () => void
}

/** What can be read without a session, by the embed's id alone. */
const isPublicCall = /\/email\/templates?\b/
/** Longest wait for what the page may know of its embed, in milliseconds. */
const factsMs = 15_000
/** Why a page may not use its embed, by the status of the answer. */
const refusals: Readonly<Record<number, EmbedRefusal | undefined>> = { 403: 'origin', 404: 'embed', 409: 'paused' }

/** The page's session for one widget, until `close`. */
export function holdSession(
  host: Host,
  options: Options,
  frame: HTMLElement,
  ...[shared, language]: [Shared, Language]
): HeldSession {
  const { api = '', embed = '', 'token-url': tokenUrl = '' } = options
  // A session that comes by itself comes soon: what it may not do is not shown first and taken away then.
  const isSoon = Boolean(tokenUrl || host.fetchSession())
  const session = held.get(shared) ?? open()
  const limits = new CSSStyleSheet()
  session.frames.set(frame, limits)
  held.set(shared, session)
  // Public templates are there without a sign-in; it is offered where it gives more.
  const isOpenToAll = !isSoon && host.name === 'template-picker'
  const facts = isOpenToAll ? session.askFacts().catch(() => null) : null
  if (facts === null) session.start()
  restrict(limits, session.scopes() ?? (isOpenToAll ? ['templates:read'] : isSoon ? null : embedScopes))

  function open(): Held {
    const frames: Held['frames'] = new Map()
    let given: readonly EmbedScope[] | null = null
    /** Which configuration an alias stood for in a session that has ended. */
    const aliases = new Map<string, string>()
    const listOf = (key: string) => shared.get(key) as MailboxList | undefined
    const lists = () => ['email-config', 'templates-mine'].flatMap((key) => listOf(key) ?? [])
    const configs = () => listOf('email-config')?.state.items ?? []
    let renewed: Promise<unknown> | undefined
    /** Places with a widget, each with the undo of the offer below it. */
    const drawn = new Map<HTMLElement, (() => void) | undefined>()
    let shown: ((frame: HTMLElement) => () => void) | undefined
    const join = (frame: HTMLElement) => {
      drawn.get(frame)?.()
      drawn.set(frame, shown?.(frame))
    }
    const joinAgain = (next: typeof shown) => {
      shown = next
      for (const frame of drawn.keys()) join(frame)
    }

    /** Why the embed is refused here, as every place shows it. */
    let refusal: EmbedRefusal | undefined
    const show = (next: EmbedRefusal | undefined, offer?: typeof shown) => {
      if (next === refusal) return
      refusal = next
      joinAgain(offer)
    }
    const askFacts = async () => {
      const asked = fetch(`${api}/embed/config?embed=${embed}`, { signal: AbortSignal.timeout(factsMs) })
      const answer = await asked.catch(() => null)
      const found = refusals[answer?.status ?? 0]
      if (found === undefined) {
        if (answer?.ok !== true) return null
        show(undefined)
        return (await answer.json()) as EmbedFacts
      }
      const { refuseEmbed, showRefusal } = await import('../options/bad-option.ts')
      const { message } = refuseEmbed(found)
      // Where nothing has come yet, nothing in the widgets works.
      const isUsable = lists().some(({ state }) => state.status === 'ready')
      show(found, (frame) => showRefusal(frame, found, { embed, isUsable, language }))
      throw new SessionRefused(message, found)
    }

    const obtain = async (signal: AbortSignal): Promise<FreshSession> => {
      const own = host.fetchSession()
      if (own !== undefined) return own()
      if (tokenUrl) return await askSite(tokenUrl, signal, Promise.resolve(shared.get(tokenUrl)))
      const [{ signIn }] = await Promise.all([import('./sign-in.ts'), askFacts()])
      const asked = signIn({ api, embed }, host, language)
      joinAgain(asked.offer)
      return asked.done.finally(() => joinAgain(undefined))
    }
    // Without a session its widgets are drawn whole, for they say why there is none.
    const ask = (signal: AbortSignal) =>
      obtain(signal).catch(async (error: unknown) => {
        for (const limits of frames.values()) restrict(limits, given ?? embedScopes)
        // What refuses the site's back end refuses the page too, and tells it why.
        if (isSoon && !signal.aborted) await askFacts()
        throw error
      })
    const opened = createSession(ask, {
      onUnread: askFacts,
      onRefused(error) {
        if (error.code !== 'session') return
        host.fire('auth-needed', { reason: 'refused' })
        host.fire('error', error)
      },
      // Another session has other aliases, and may see other things; a list that is on its way comes with them.
      onOpened({ scopes = embedScopes }) {
        given = scopes
        show(undefined)
        for (const limits of frames.values()) restrict(limits, scopes)
        for (const { id, secret_key: alias } of configs()) if (alias) aliases.set(alias, id)
        const loaded = lists().filter(({ state }) => state.status !== 'loading')
        renewed = Promise.all(loaded.map((list) => list.load({ isForced: true })))
      },
      async addressOf(url) {
        const id = aliases.get(/eh_[\w-]+/.exec(url)?.[0] ?? '')
        if (id === undefined) return url
        await renewed
        return url.replace(/eh_[\w-]+/, configs().find((config) => config.id === id)?.secret_key ?? '$&')
      },
    })
    const leave = (frame: HTMLElement) => {
      drawn.get(frame)?.()
      drawn.delete(frame)
      frames.delete(frame)
    }
    return { ...opened, frames, join, leave, askFacts, scopes: () => given }
  }

  return {
    limit(place) {
      const root = place.firstElementChild?.firstElementChild?.shadowRoot
      if (root) root.adoptedStyleSheets = [...root.adoptedStyleSheets, limits]
      if (place === frame) session.join(frame)
    },
    transport(url, request) {
      // What everybody may read: the embed's own id opens it.
      if ('X-Api-Key' in (request.headers ?? {})) return fetch(url, request)
      if (isOpenToAll && !session.isOpen() && request.method === 'GET' && isPublicCall.test(url)) {
        const headers = { ...(request.headers as object), Authorization: `Bearer ${embed}` }
        const answer = fetch(url, { ...request, headers })
        // Below what is shown then, so that nothing moves.
        void Promise.all([facts, answer.catch(() => 0)]).then(([known]) => known?.popup_sign_in && session.start())
        return answer
      }
      if (request.method === 'POST' && url.includes('/email/send-mail/')) {
        const { recipient_list: recipients, subject } = JSON.parse(request.body ?? '') as Record<string, unknown>
        if (!host.fire('before-send', { recipients, subject }, true))
          return Promise.resolve(Response.json({ detail: 'This page stopped the message.' }, { status: 409 }))
      }
      return session.transport(url, request)
    },
    close() {
      session.leave(frame)
      if (session.frames.size > 0) return
      session.close()
      held.delete(shared)
      shared.clear()
    },
  }
}

/**
 * Hides what needs more than these scopes; what only an owner may do is hidden in any case. Null, before they are known:
 * what may do with one column is not drawn yet.
 */
function restrict(sheet: CSSStyleSheet, known: readonly EmbedScope[] | null): void {
  const scopes = known ?? embedScopes
  const missing = [...embedScopes.filter((scope) => !scopes.includes(scope)), 'owner']
  const all = (name: string) => `:is(${missing.map((scope) => `[data-${name}='${scope}']`).join()})`
  const needy = all('needs')
  const undrawn = known === null ? '[data-beside] { visibility: hidden }' : ''
  // What is gone leaves its column to what stands beside it.
  sheet.replaceSync(
    `${needy}${needy} { display: none } ${all('beside')} { grid-template-columns: minmax(0, 1fr) !important } ${undrawn}`,
  )
}
