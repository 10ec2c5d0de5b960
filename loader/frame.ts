import type { Session } from '../client/http.ts'
import { createSheet } from '../widgets/kit/sheet.ts'
import type { OpenPicker } from '../widgets/compose/composer.ts'
import type { Notify } from '../widgets/lib/notify.ts'
import type { EmbedError, Host, Mounted, Options } from './contract.ts'
import { css } from './frame.css'
import { findBadOption, optionsOf } from './options.ts'
import { setLoad } from './part.ts'

type Request = Parameters<NonNullable<Session['transport']>>[1]
type MountWidget = (element: Element, page: { session: Session; notify: Notify; options: object }) => () => void

const sheet = createSheet(css)
/** Options that a draft begins with. */
const isOfDraft = /^(config|template|subject|recipients|context)$/

/**
 * Draws a widget inside a shadow root of the page's own element: no node is added to the page and none of its rules
 * reaches in. The element's own children show until the widget's first commit. Throws EmbedError.
 */
export async function mount(element: HTMLElement, host: Host): Promise<Mounted> {
  setLoad(host.load)
  const mountWidget = Object.entries(host.module ?? {}).find(([name]) => /^mount[A-Z]/.test(name))?.[1] as
    MountWidget | undefined
  const refusal = async (bad: string) => (await import('./bad-option.ts')).refuse(bad, host.name)
  let options = optionsOf(element, host.script)
  const bad = findBadOption(options, element)
  if (mountWidget === undefined || bad !== undefined) throw await refusal(bad ?? 'widget')
  const root = rootOf(element)
  const slot = document.createElement('slot')
  const frame = document.createElement('div')
  frame.hidden = true
  root.adoptedStyleSheets = [sheet()]

  // Neither is needed to be typed into: both come when they are asked for.
  const session = import('./sessions.ts').then(({ holdSession }) => holdSession(host, options, frame))
  const loadToasts = () => import('./toasts.ts').then(({ openToasts }) => openToasts(frame))
  let toasts: ReturnType<typeof loadToasts> | undefined
  session.catch(() => undefined)

  let undress = await dress(frame, options)
  const draft = Object.keys(options).some((name) => isOfDraft.test(name))
    ? await import('./prefill.ts').then(({ prefill }) => prefill(options))
    : null
  root.replaceChildren(slot, frame)
  const { hide = '', readonly, embed: hostedKey = '' } = options
  const trimming = hide || readonly ? await import('./trim.ts') : null
  const page = {
    session: {
      apiBase: options['api']!,
      token: () => null,
      shared: new Map<string, object>(),
      transport: async (url: string, request: Request) => (await session).transport(url, request),
    },
    notify: (toast: Parameters<Notify>[0]) => void (toasts ??= loadToasts()).then(({ notify }) => notify(toast)),
    options: { hostedKey },
  }
  const openPicker: OpenPicker = async (...given) => (await import('./picker.ts')).openPicker(page, ...given)
  const unmount = mountWidget(frame, {
    ...page,
    options: { hostedKey, drafts: draft?.keeper, openPicker: hide.includes('templates') ? undefined : openPicker },
  })
  // The renderer commits in a microtask.
  await new Promise((resolve) => setTimeout(resolve))
  trimming?.trim(frame.firstElementChild!.firstElementChild!.shadowRoot!, options)
  frame.hidden = false
  // In its place, the element's own children keep what they inherit.
  slot.hidden = true
  // Before somebody presses or writes: what is needed then has its hashes there.
  host.load('parts').catch(() => undefined)

  return {
    update() {
      const next = optionsOf(element, host.script)
      if (JSON.stringify(next) === JSON.stringify(options)) return
      options = next
      const bad = findBadOption(options, element)
      if (bad !== undefined) return void refusal(bad).then((error) => host.fire('error', error))
      undress()
      void dress(frame, options).then((undo) => (undress = undo))
      draft?.update(options)
    },
    unmount() {
      undress()
      unmount()
      void toasts?.then(({ close }) => close())
      void session.then(({ close }) => close())
      slot.hidden = false
      root.replaceChildren(slot)
    },
  }
}

function rootOf(element: HTMLElement): ShadowRoot {
  try {
    return element.shadowRoot ?? element.attachShadow({ mode: 'open' })
  } catch {
    const message = `A widget cannot stand in <${element.localName}>; use a <div>.`
    throw { code: 'place', message } satisfies EmbedError
  }
}

/** Puts looks and words on a frame; gives the undo. */
async function dress(frame: HTMLElement, options: Options): Promise<() => void> {
  const { theme = 'auto', accent = '', radius, density, messages } = options
  frame.className = theme
  const set = (name: string, value: string) => frame.style.setProperty(name, value)
  set('--sendwright-accent', accent)
  set('--sendwright-radius', radius ? `${parseInt(radius)}px` : '')
  set('--sendwright-density', density === 'compact' ? '.75' : '')
  const lang = options['lang'] ?? document.documentElement.lang
  frame.lang = lang
  return messages || !/^(en\b|$)/i.test(lang)
    ? import('./words.ts').then(({ speak }) => speak(frame, lang, messages))
    : () => undefined
}
