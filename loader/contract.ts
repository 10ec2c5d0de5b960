import type { EmbedScope } from '../contract/embed/embed-scopes.ts'

/** Gives the module of a widget, by its name, or of a file, once all it needs has come by its hash; undefined for others. */
export type Load = (name: string) => Promise<unknown>

/** Every option that is read; `bad-option.ts` says what each takes, `docs/embedding.md` what it means. */
export type OptionName =
  | 'embed'
  | 'api'
  | 'token-url'
  | 'lang'
  | 'messages'
  | 'theme'
  | 'accent'
  | 'radius'
  | 'density'
  | 'load'
  | 'config'
  | 'template'
  | 'subject'
  | 'recipients'
  | 'context'
  | 'hide'
  | 'readonly'
  | 'draft'
  | 'mode'

/** Options from attributes, by name without `data-sendwright-`; those of the script are the defaults. */
export type Options = Readonly<Partial<Record<OptionName, string>>>

/** What a fresh embed session is asked for by; the answer is that of `POST /embed/sessions`. */
export type FetchSession = () => Promise<FreshSession>

/** A session as the server answers it. */
export interface FreshSession {
  session_token: string
  /** ISO 8601, UTC. */
  expires_at: string
  /** What it may do; all where a site leaves it out. */
  scopes?: readonly EmbedScope[]
}

/** A widget mounted in an element. */
export interface Mounted {
  /** Something about the element's attributes may have changed. */
  update: () => void
  unmount: () => void
}

/** Why a page may not use its embed: it does not allow the page's origin, does not exist, or is paused. */
export type EmbedRefusal = 'origin' | 'embed' | 'paused'

/** Why something is not shown, for the page's owner. `code` is for programs, the message for people. */
export interface EmbedError {
  code: 'unknown-widget' | 'bad-option' | 'secret' | 'load' | 'place' | 'session' | EmbedRefusal
  message: string
}

/** What the loader hands to the frame. */
export interface Host {
  name: string
  script: HTMLScriptElement
  load: Load
  /** A widget's own module; undefined for a name that no widget has. */
  module: object | undefined
  /** The page's own way to a session, where it has handed one in. */
  fetchSession: () => FetchSession | undefined
  /** Dispatches an event to the page; false if the page cancelled it. */
  fire: (name: string, detail?: unknown, cancelable?: boolean) => boolean
}

/** The table of what is fetched later, by file or by widget: its own file first, each followed by its hash. */
export interface Parts {
  table: Readonly<Record<string, readonly string[] | undefined>>
}

/** The frame, as the loader sees it: draws a widget, resolves with the first commit. */
export interface Frame {
  mount: (element: HTMLElement, host: Host) => Promise<Mounted>
}
