import type { Session } from '../../client/core/http.ts'
import { proxy } from 'valtio/vanilla'
import { english, type Language } from '../../widgets/lib/messages/messages.ts'
import { createSheet } from '../../widgets/kit/shadow/sheet.ts'
import type { DraftKeeper, OpenPicker } from '../../widgets/compose/compose-types.ts'
import type { Notify } from '../../widgets/lib/notify.ts'
import { schemeBehind } from './backdrop.ts'
import type { Host, Mounted, OptionName, Options } from '../contract.ts'
import { css } from './frame.css'
import { findBadOption, optionsOf } from '../options/options.ts'
import { setLoad } from '../lazy-import.ts'

type Request = Parameters<NonNullable<Session['transport']>>[1]
type MountWidget = (
  element: Element,
  page: { session: Session; notify: Notify; language: Language; options: object },
) => () => void

const sheet = createSheet(css)
/** Options that adjust a widget once it is there: config, context, template, subject, recipients, readonly, hide, density. */
const isAdjusting = /co|te|su|re|hi|ns/
/** What the widgets of a page share, such as lists, by what their session is asked for with. */
const shares: Record<string, Map<string, object> | undefined> = {}

/**
 * Draws a widget inside a shadow root of the page's own element: no node is added to the page and none of its rules
 * reaches in. The element's own children show until the widget's first commit. Throws EmbedError.
 */
export async function mount(element: HTMLElement, host: Host): Promise<Mounted> {
  setLoad(host.load)
  const mountWidget = Object.entries(host.module ?? {}).find(([name]) => /^mount[A-Z]/.test(name))?.[1] as
    | MountWidget
    | undefined
  const refusal = async (bad: OptionName | 'secret' | 'widget' | 'place') =>
    (await import('../options/bad-option.ts')).refuse(bad, bad === 'place' ? element.localName : host.name)
  let options = optionsOf(element, host.script)
  const bad = findBadOption(options, element)
  if (mountWidget === undefined || bad !== undefined) throw await refusal(bad ?? 'widget')
  let root: ShadowRoot
  try {
    root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
  } catch {
    throw await refusal('place')
  }
  const slot = document.createElement('slot')
  const frame = document.createElement('div')
  const language = proxy<Language>({ t: english })
  frame.hidden = true
  root.adoptedStyleSheets = [sheet()]

  const { api = '', embed = '', 'token-url': tokenUrl } = options
  // The site is asked for the first session before the part that takes its answer has come.
  const ask = (address: string) => [[address, fetch(address, { method: 'POST' }).catch(Object)]] as const
  const shared = (shares[[api, embed, tokenUrl].join()] ??= new Map<string, object>(tokenUrl ? ask(tokenUrl) : []))
  // Neither is needed to be typed into: both come when they are asked for.
  const session = import('../session/sessions.ts').then(({ holdSession }) =>
    holdSession(host, options, frame, shared, language),
  )
  const loadToasts = () => import('./toasts.ts').then(({ openToasts }) => openToasts(frame, language))
  let toasts: ReturnType<typeof loadToasts> | undefined
  const following: { stop?: Promise<(() => void) | undefined> } = {}

  root.replaceChildren(slot, frame)
  for (const type of ['keydown', 'keypress', 'keyup']) root.addEventListener(type, keepTyped as EventListener)
  await applyAppearance(frame, options, language)
  const page = {
    language,
    session: {
      apiBase: api,
      token: () => null,
      shared,
      transport: async (url: string, request: Request) => (await session).transport(url, request),
    },
    notify: (toast: Parameters<Notify>[0]) => void (toasts ??= loadToasts()).then(({ notify }) => notify(toast)),
    options: { hostedKey: embed },
    // A failed load is reported by the calls that wait for it.
    limit: (place: Element) => void session.then(({ limit }) => limit(place)).catch(() => 0),
  }
  const openPicker: OpenPicker = async (...given) => (await import('./picker.ts')).openPicker(page, ...given)
  let composer: Parameters<DraftKeeper>[0] | undefined
  const keeper = { close: Object as () => void }
  const drafts: DraftKeeper = (given) => ((composer = given), keeper)
  const unmount = mountWidget(frame, {
    ...page,
    options: { ...page.options, drafts, openPicker, testAddress: '', mode: options.mode },
  })
  // The renderer commits in a microtask.
  await new Promise((resolve) => setTimeout(resolve))
  page.limit(frame)
  const adjust = async () => (await import('../options/apply-options.ts')).adjust(composer, frame, options, keeper)
  const mounted = {
    update() {
      const next = optionsOf(element, host.script)
      if (JSON.stringify(next) === JSON.stringify(options)) return
      options = next
      const bad = findBadOption(options, element)
      if (bad !== undefined) return void refusal(bad).then((error) => host.fire('error', error))
      void applyAppearance(frame, options, language)
      adjust().catch((error: unknown) => host.fire('error', error))
    },
    unmount() {
      unmount()
      void following.stop?.then((stop) => stop?.())
      void toasts?.then(({ close }) => close(), Object)
      // A part that never came has nothing to close.
      void session.then(({ close }) => close(), Object)
      slot.hidden = false
      root.replaceChildren(slot)
    },
  }
  if (isAdjusting.test(Object.keys(options).join()))
    await adjust().catch((error: unknown) => {
      mounted.unmount()
      throw error
    })
  frame.hidden = false
  // In its place, the element's own children keep what they inherit.
  slot.hidden = true
  if (composer) adjust().catch(() => undefined)
  // This loads the table of parts before the first interaction, which needs its hashes.
  following.stop = import('./follow-theme.ts').then(
    ({ follow }) => follow(frame),
    () => undefined,
  )
  return mounted
}

/**
 * Ends here what is typed into a field: outside, it seems to come from the element, where the page's hotkeys would take it.
 * What leaves something travels on, and what goes with Ctrl or Meta; with Alt, these type on many keyboards.
 */
function keepTyped(event: KeyboardEvent): void {
  const field = event.composedPath()[0] as HTMLElement
  if (
    ('required' in field || field.isContentEditable) &&
    !/^(Esc|Tab|Shift|Con|Alt|Meta)/.test(event.key) &&
    (event.altKey || !(event.ctrlKey || event.metaKey))
  )
    event.stopPropagation()
}

/** Sets theme, accent, radius and language of a frame. */
async function applyAppearance(frame: HTMLElement, options: Options, language: Language): Promise<void> {
  const { theme = 'auto', accent = '', radius, messages } = options
  frame.className = theme
  frame.style.colorScheme = theme === 'auto' ? schemeBehind(frame) : ''
  const set = (name: string, value: string) => frame.style.setProperty(name, value)
  set('--sendwright-accent', accent)
  set('--sendwright-radius', radius ? `${parseInt(radius)}px` : '')
  const lang = options.lang ?? document.documentElement.lang
  frame.lang = lang
  if (messages || !/^(en\b|$)/i.test(lang))
    await (await import('../messages/language.ts')).setLanguage(frame, language, messages)
  else {
    language.t = english
    frame.dir = ''
  }
}
