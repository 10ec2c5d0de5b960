import type { EmbedError, EmbedRefusal, OptionName } from '../contract.ts'
import type { Language } from '../../widgets/lib/messages/messages.ts'
import type { MessageId } from '../../widgets/lib/messages/messages-es.ts'

/** What each option takes. */
export const takes: Readonly<Record<OptionName, string>> = {
  embed: 'the id of an embed, pk_…',
  api: 'an address',
  'token-url': 'an address',
  messages: 'an address',
  config: 'the id of a configuration',
  template: 'the id of a template',
  subject: 'a text',
  recipients: 'addresses with commas between',
  theme: 'light, dark or auto',
  accent: 'a colour, such as #0f6b4f',
  radius: 'pixels, from 0 to 99',
  density: 'comfortable or compact',
  lang: 'a language, such as es',
  load: 'visible',
  hide: 'preview, templates, test-send, snippets, from, recipients or subject, several with commas between',
  readonly: 'from, recipients, subject or body, several with commas between',
  draft: 'on or off',
  mode: 'text or html',
  context: 'a JSON object of texts, such as {"name":"Ann"}',
}

/** The error for an invalid option; a secret is reported without its value. */
export function refuse(name: OptionName | 'secret' | 'widget' | 'place', what = ''): EmbedError {
  if (name === 'secret')
    return { code: 'secret', message: 'Sendwright: a secret has no place in a web page; name an embed (pk_…) instead.' }
  if (name === 'widget') return { code: 'unknown-widget', message: `Sendwright has no widget “${what}”.` }
  if (name === 'place') return { code: 'place', message: `A widget cannot be inside <${what}>; use a <div>.` }
  return {
    code: 'bad-option',
    message: `Sendwright: the option “${name}” takes ${takes[name]}.`,
  }
}

const state = 'data-sendwright-state'

const sentences = {
  origin:
    'This page is not allowed to show this yet. The owner of the site must add its address to the allowed origins of the embed.',
  embed: 'This page names an embed that does not exist. The owner of the site must correct its id.',
  paused: 'This is paused. The owner of the site can resume it in Sendwright.',
} as const satisfies Record<EmbedRefusal, MessageId>

/** The error of a page that may not use its embed. */
export function refuseEmbed(code: EmbedRefusal): EmbedError {
  return { code, message: sentences[code] }
}

/** Messages that are in the console of the page already. */
const logged = new Set<string>()

function report(code: EmbedRefusal, embed: string): void {
  const { origin } = location
  const lines: Readonly<Record<EmbedRefusal, string>> = {
    origin: `${origin} is not among the allowed origins of the embed ${embed}. Add it in the dashboard, under Embeds.`,
    embed: `No embed has the id “${embed}”, which ${origin} names. Copy the tag from the dashboard, under Embeds.`,
    paused: `The embed ${embed}, which ${origin} names, is paused. Resume it in the dashboard, under Embeds.`,
  }
  if (logged.size === logged.add(lines[code]).size) return
  // oxlint-disable-next-line no-console -- the owner of the page looks there
  console.error(`Sendwright: ${lines[code]}`)
}

/**
 * Shows in a widget's place why its embed is refused, with the state `error` and its event; returns the undo. A widget that
 * never worked gives way to the element's own children; one that did keeps what is written in it.
 */
export function showRefusal(
  frame: HTMLElement,
  code: EmbedRefusal,
  { embed, isUsable, language }: { embed: string; isUsable: boolean; language: Language },
): () => void {
  report(code, embed)
  const root = frame.getRootNode() as ShadowRoot
  const { host } = root
  const slot = root.querySelector('slot')!
  const widget = frame.firstElementChild as HTMLElement
  const sentence = document.createElement('p')
  sentence.role = 'alert'
  sentence.textContent = language.t(sentences[code])
  // A frame with a background of its own does not take the page's colour.
  if (getComputedStyle(frame).backgroundColor !== 'rgba(0, 0, 0, 0)') sentence.style.color = 'CanvasText'
  const ending = new AbortController()
  const swap = (isAway: boolean) => {
    widget.hidden = isAway
    slot.hidden = !isAway
  }
  const show = () => {
    frame.append(sentence)
    swap(!isUsable)
    host.setAttribute(state, 'error')
    host.dispatchEvent(
      new CustomEvent('sendwright:error', { bubbles: true, composed: true, detail: refuseEmbed(code) }),
    )
  }
  // The loader says `ready` of what is drawn: not after this.
  if (host.getAttribute(state) === 'loading')
    host.addEventListener('sendwright:ready', show, { once: true, signal: ending.signal })
  else show()
  return () => {
    ending.abort()
    if (!sentence.isConnected) return
    sentence.remove()
    swap(false)
    host.setAttribute(state, 'ready')
  }
}
