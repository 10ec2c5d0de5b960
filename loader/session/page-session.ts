import type { EmbedFacts } from '../../contract/embed/embed-session.ts'
import { embedScopes, type EmbedScope } from '../../contract/embed/embed-scopes.ts'
import type { Language } from '../../widgets/lib/messages/messages.ts'
import type { EmbedRefusal, FreshSession, Host, Options } from '../contract.ts'
import { createAliases, type Shared } from './aliases.ts'
import { createOffers, type Offer } from './offers.ts'
import { restrict } from './scope-sheet.ts'
import { askSite, createSession, SessionRefused, type EmbedSession } from './session.ts'

/** A session that several widgets of a page share. */
export interface PageSession extends EmbedSession {
  /** The frames of its widgets, each with the rules that hide what the session may not do. */
  frames: Map<HTMLElement, CSSStyleSheet>
  /** The frame's widget is drawn: a pending sign-in is offered below it. */
  join: (frame: HTMLElement) => void
  leave: (frame: HTMLElement) => void
  /** Scopes of the session; null before there is one. */
  scopes: () => readonly EmbedScope[] | null
  askFacts: AskFacts
}

/** Loads public facts of the embed; null where they are not available. Shows a refusal, and throws it as SessionRefused. */
type AskFacts = () => Promise<EmbedFacts | null>

/** Longest wait for the facts of the embed, in milliseconds. */
const factsMs = 15_000
/** Why a page may not use its embed, by the status of the answer. */
const refusals: Readonly<Record<number, EmbedRefusal | undefined>> = { 403: 'origin', 404: 'embed', 409: 'paused' }

/** Opens a session for the widgets that share `shared`; `isSoon` when it needs no sign-in. */
export function openPageSession(
  host: Host,
  options: Options,
  isSoon: boolean,
  ...[shared, language]: [Shared, Language]
): PageSession {
  const { api = '', embed = '', 'token-url': tokenUrl } = options
  const frames: PageSession['frames'] = new Map()
  const aliases = createAliases(shared)
  const { join, leave, show } = createOffers()
  let given: readonly EmbedScope[] | null = null
  /** Why the embed is refused, as every widget shows it. */
  let refusal: EmbedRefusal | undefined
  const setRefusal = (next: EmbedRefusal | undefined, offer?: Offer) => {
    if (next === refusal) return
    refusal = next
    show(offer)
  }
  const restrictAll = (scopes: readonly EmbedScope[]) => {
    for (const limits of frames.values()) restrict(limits, scopes)
  }

  const askFacts: AskFacts = async () => {
    const asked = fetch(`${api}/embed/config?embed=${embed}`, { signal: AbortSignal.timeout(factsMs) })
    const answer = await asked.catch(() => null)
    const found = refusals[answer?.status ?? 0]
    if (found === undefined) {
      if (answer?.ok !== true) return null
      setRefusal(undefined)
      return (await answer.json()) as EmbedFacts
    }
    const { refuseEmbed, showRefusal } = await import('../options/bad-option.ts')
    const { message } = refuseEmbed(found)
    const isUsable = aliases.isUsable()
    setRefusal(found, (frame) => showRefusal(frame, found, { embed, isUsable, language }))
    throw new SessionRefused(message, found)
  }

  const obtain = async (signal: AbortSignal): Promise<FreshSession> => {
    const own = host.fetchSession()
    if (own !== undefined) return own()
    if (tokenUrl) return await askSite(tokenUrl, signal, Promise.resolve(shared.get(tokenUrl)))
    const [{ signIn }] = await Promise.all([import('./sign-in.ts'), askFacts()])
    const asked = signIn({ api, embed }, host, language)
    show(asked.offer)
    return asked.done.finally(() => show())
  }
  // Without a session its widgets are drawn whole: they show the reason.
  const ask = (signal: AbortSignal) =>
    obtain(signal).catch(async (error: unknown) => {
      restrictAll(given ?? embedScopes)
      // A refusal of the site's back end applies to the page too, which gets the reason.
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
    onOpened({ scopes = embedScopes }) {
      given = scopes
      setRefusal(undefined)
      restrictAll(scopes)
      aliases.renew()
    },
    addressOf: aliases.addressOf,
  })
  return {
    ...opened,
    frames,
    join,
    leave(frame) {
      leave(frame)
      frames.delete(frame)
    },
    askFacts,
    scopes: () => given,
  }
}
