import type { Words } from './contract.ts'

const attributes = ['aria-label', 'placeholder', 'title']
const rightToLeft = /^(ar|fa|he|ur)\b/i
/** What people wrote themselves. */
const untouched = '[translate=no]'

/**
 * Lets a frame's widgets speak a language, from a message file beside what we have ourselves; gives the undo. It works on
 * what the renderer has drawn, so that widgets carry one language's words and English costs nothing.
 */
export async function speak(frame: HTMLElement, lang: string, messages?: string): Promise<() => void> {
  const [own, given] = await Promise.all([ownWords(lang), messages ? fetchWords(messages) : {}])
  const translate = translator({ ...own, ...given })
  frame.dir = rightToLeft.test(lang) ? 'rtl' : 'ltr'

  const visit = (node: Node) => {
    if (node instanceof Text) {
      if (node.parentElement?.closest(`${untouched}, textarea, style`)) return
      const said = translate(node.data)
      if (said !== node.data) node.data = said
    } else if (node instanceof Element) {
      if (node.closest(untouched)) return
      for (const name of attributes) {
        const text = node.getAttribute(name)
        const said = text === null ? null : translate(text)
        if (said !== null && said !== text) node.setAttribute(name, said)
      }
      if (node.shadowRoot) watch(node.shadowRoot)
      node.childNodes.forEach(visit)
    }
  }
  const observer = new MutationObserver((records) => {
    for (const { target, addedNodes } of records) {
      if (addedNodes.length > 0) addedNodes.forEach(visit)
      else visit(target)
    }
  })
  const watch = (root: Node) => {
    observer.observe(root, { subtree: true, childList: true, characterData: true, attributeFilter: attributes })
    root.childNodes.forEach(visit)
  }
  watch(frame)
  return () => observer.disconnect()
}

/** Our own words of a language; English ones stand in the widgets. */
async function ownWords(lang: string): Promise<Words> {
  if (/^es\b/i.test(lang)) return (await import('./words-es.ts')).words
  if (/^ar\b/i.test(lang)) return (await import('./words-ar.ts')).words
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

/** Gives what to show for a text, blanks around it kept; the text itself where nothing is known. */
function translator(words: Words): (text: string) => string {
  const known = new Map(Object.entries(words))
  const patterns = [...known]
    .filter(([text]) => text.includes('{}'))
    .map(([text, said]) => {
      const parts = text.split('{}').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      return { pattern: new RegExp(`^${parts.join('(.+)')}$`), said }
    })
  return (text) => {
    const trimmed = text.trim()
    if (!/\p{L}/u.test(trimmed)) return text
    const said = known.get(trimmed) ?? fromPattern(trimmed)
    return said === undefined ? text : text.replace(trimmed, () => said)
  }

  function fromPattern(text: string): string | undefined {
    for (const { pattern, said } of patterns) {
      const found = pattern.exec(text)
      if (found === null) continue
      let at = 0
      return said.replaceAll('{}', () => found[(at += 1)] ?? '')
    }
    return undefined
  }
}
