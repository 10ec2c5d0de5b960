import type { Words } from './contract.ts'
import { figures } from './figures.ts'
import { translator } from './translator.ts'

const attributes = ['aria-label', 'aria-valuetext', 'data-label', 'placeholder', 'title']
const rightToLeft = /^(ar|fa|he|ur)\b/i
/** What people wrote themselves. */
const untouched = '[translate=no]'

/** What the renderer wrote somewhere, and what stands there now. */
interface Spoken {
  own: string
  said: string
}

/**
 * Lets a frame's widgets speak a language, from a message file beside what we have ourselves; gives the undo, which brings
 * the renderer's own texts back. It works on what has been drawn, so that widgets carry one language's words and English
 * costs nothing. A sentence in several nodes, with a figure between, is said as a whole.
 */
export async function speak(frame: HTMLElement, lang: string, messages?: string): Promise<() => void> {
  const [own, given] = await Promise.all([ownWords(lang), messages ? fetchWords(messages) : {}])
  const { count, time } = figures(lang)
  let learning: Promise<void> | undefined
  let isOver = false
  // Only what the server says is not known from the start.
  const learn = () => {
    learning ??= ownSentences(lang).then((sentences) => {
      translate = translator({ ...sentences, ...own, ...given }, { count })
      if (!isOver) visit(frame)
    }, nothing)
  }
  let translate = translator({ ...own, ...given }, { count, onUnknown: learn })
  frame.dir = rightToLeft.test(lang) ? 'rtl' : 'ltr'
  const spoken = new WeakMap<Node, Record<string, Spoken>>()

  /** The renderer's own text, where `now` may be ours. */
  const ownOf = (node: Node, place: string, now: string) => {
    const known = spoken.get(node)?.[place]
    return known?.said === now ? known.own : now
  }
  const note = (node: Node, place: string, words: Spoken) => {
    const places = spoken.get(node) ?? {}
    spoken.set(node, places)
    places[place] = words
  }
  const put = (node: Text, text: string, said: string) => {
    note(node, 'text', { own: text, said })
    if (node.data !== said) node.data = said
  }
  const sayTexts = (parent: Node) => {
    const nodes = [...parent.childNodes]
    const texts = nodes.map((node) => (node instanceof Text ? ownOf(node, 'text', node.data) : null))
    const whole = texts.includes(null) ? '' : texts.join('')
    const said = parent instanceof HTMLTimeElement ? time(parent.dateTime, whole) : translate(whole)
    nodes.forEach((node, at) => {
      const text = texts[at] ?? ''
      if (node instanceof Text) put(node, text, said === whole ? translate(text) : at === 0 ? said : '')
    })
  }
  const sayAttributes = (element: Element) => {
    for (const name of attributes) {
      const now = element.getAttribute(name)
      if (now === null) continue
      const text = ownOf(element, name, now)
      const said = translate(text)
      note(element, name, { own: text, said })
      if (said !== now) element.setAttribute(name, said)
    }
  }
  const visit = (node: Node): void => {
    if (!(node instanceof Element)) return
    visitAttributes(node)
    visitTexts(node)
    if (node.shadowRoot) watch(node.shadowRoot)
    for (const child of node.children) visit(child)
  }
  const visitAttributes = (element: Element) => {
    if (!element.closest(untouched)) sayAttributes(element)
  }
  const visitTexts = (parent: Node | null) => {
    const isOurs = parent instanceof Element ? !parent.closest(`${untouched}, textarea, style`) : true
    if (parent && isOurs) sayTexts(parent)
  }
  const observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'attributes') visitAttributes(target as Element)
      else visitTexts(type === 'childList' ? target : target.parentNode)
      addedNodes.forEach((node) => node instanceof Element && visit(node))
    }
  })
  const watch = (root: ParentNode & Node) => {
    observer.observe(root, { subtree: true, childList: true, characterData: true, attributeFilter: attributes })
    visitTexts(root)
    for (const child of root.children) visit(child)
  }
  watch(frame)

  const restore = (node: Node) => {
    for (const [place, { own, said }] of Object.entries(spoken.get(node) ?? {})) {
      if (node instanceof Text && node.data === said) node.data = own
      if (node instanceof Element && node.getAttribute(place) === said) node.setAttribute(place, own)
    }
    if (node instanceof Element && node.shadowRoot) restore(node.shadowRoot)
    node.childNodes.forEach(restore)
  }
  return () => {
    isOver = true
    observer.disconnect()
    restore(frame)
    frame.removeAttribute('dir')
  }
}

/** It stays in English. */
const nothing = () => undefined

/** Our own words of a language; English ones stand in the widgets. */
async function ownWords(lang: string): Promise<Words> {
  if (/^es\b/i.test(lang)) return (await import('./words-es.ts')).words
  if (/^ar\b/i.test(lang)) return (await import('./words-ar.ts')).words
  return {}
}

/** What the server says in a language, in words of our own; fetched when it first says something. */
async function ownSentences(lang: string): Promise<Words> {
  if (/^es\b/i.test(lang)) return (await import('./sentences-es.ts')).words
  if (/^ar\b/i.test(lang)) return (await import('./sentences-ar.ts')).words
  return {}
}

/** The site's own message file: a JSON object. Without an answer of that shape nothing is translated. */
async function fetchWords(address: string): Promise<Words> {
  try {
    const words: unknown = await (await fetch(new URL(address, document.baseURI))).json()
    const isObject = typeof words === 'object' && words !== null
    return isObject ? Object.fromEntries(Object.entries(words).filter(([, said]) => typeof said === 'string')) : {}
  } catch {
    return {} // The widget works in English.
  }
}
