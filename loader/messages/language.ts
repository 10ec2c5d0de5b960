import type { Catalogue, Language, Translation } from '../../widgets/lib/messages/messages.ts'
import { createTranslate, type FindTranslation } from '../../widgets/lib/messages/translate.ts'
import { createSentenceTranslator, isSentence } from './server-sentences.ts'

const rightToLeft = /^(ar|fa|he|ur)\b/i

/**
 * Sets the language of a frame, which its `lang` names: our own catalogue, and over it the site's message file. Widgets
 * are rendered again. Sentences of the server are loaded when one of them is to be shown.
 */
export async function setLanguage(frame: HTMLElement, language: Language, file?: string): Promise<void> {
  const { lang } = frame
  const [own, overrides] = await Promise.all([loadMessages(lang), file ? fetchMessages(file) : {}])
  // Another language was set meanwhile.
  if (frame.lang !== lang) return
  const locale = localeOf(lang)
  const messages = new Map<string, Translation>(Object.entries({ ...own, ...overrides }))
  const translateSentence = createSentenceTranslator(messages, locale)
  let loading: Promise<void> | undefined
  const find: FindTranslation = (id, form) => {
    const found = messages.get(id) ?? messages.get(form) ?? findNumbered(messages, form)
    if (found !== undefined || !isSentence.test(form)) return found
    loading ??= loadServerSentences(lang).then((sentences) => {
      translateSentence.add(sentences)
      if (language.t === t) language.t = t = createTranslate(locale, find)
    })
    return translateSentence(form)
  }
  let t = createTranslate(locale, find)
  frame.dir = rightToLeft.test(lang) ? 'rtl' : 'ltr'
  language.t = t
}

/** A message file may have `{}` for each placeholder, in their order. */
function findNumbered(messages: ReadonlyMap<string, Catalogue[string]>, form: string) {
  const names = form.match(/\{\w+\}/g)
  const found = names && messages.get(form.replaceAll(/\{\w+\}/g, '{}'))
  let at = 0
  return typeof found === 'string' ? found.replaceAll('{}', () => names?.[at++] ?? '') : undefined
}

/** Our own messages; none for other languages and where they cannot be loaded: the widget is in English. */
async function loadMessages(lang: string): Promise<Catalogue> {
  if (/^es\b/i.test(lang)) return (await import('../../widgets/lib/messages/messages-es.ts')).messages
  if (/^ar\b/i.test(lang)) return (await import('../../widgets/lib/messages/messages-ar.ts')).messages
  return {}
}

async function loadServerSentences(lang: string): Promise<Catalogue> {
  try {
    if (/^es\b/i.test(lang)) return (await import('../../widgets/lib/messages/server-sentences-es.ts')).sentences
    if (/^ar\b/i.test(lang)) return (await import('../../widgets/lib/messages/server-sentences-ar.ts')).sentences
  } catch {
    // The sentence stays in English.
  }
  return {}
}

/** The site's message file, a JSON object; empty where none of that shape is answered. */
async function fetchMessages(address: string): Promise<Catalogue> {
  try {
    const messages: unknown = await (await fetch(new URL(address, document.baseURI))).json()
    const isObject = typeof messages === 'object' && messages !== null
    return isObject ? Object.fromEntries(Object.entries(messages).filter(([, text]) => typeof text === 'string')) : {}
  } catch {
    return {} // The widget is in English.
  }
}

/** A page may name a language that is none. */
function localeOf(lang: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(lang)[0]
  } catch {
    return undefined
  }
}
