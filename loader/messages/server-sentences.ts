import { fillText, type Catalogue, type Translation } from '../../widgets/lib/messages/messages.ts'
import { pluralForm } from '../../widgets/lib/messages/translate.ts'

const endOfSentence = /(?<=[.!?]) /
/** A text of several words that ends as a sentence or as the confirmation of a send does. */
export const isSentence = /\p{L} .*(?:[.!?”]|recipients?)$/su

/** Translates what a server answers; undefined where nothing of it is known. */
export interface SentenceTranslator {
  (text: string): string | undefined
  add: (sentences: Catalogue) => void
}

/** Translates sentences one by one. A known sentence may have `{name}` for a value of the server. */
export function createSentenceTranslator(
  messages: ReadonlyMap<string, Translation>,
  lang?: string,
): SentenceTranslator {
  const patterns: { pattern: RegExp; names: string[]; translation: Translation }[] = []
  const known = new Map<string, string>()
  const add = (sentences: Catalogue) => {
    for (const [text, translation] of Object.entries(sentences)) {
      const [first = '', ...parts] = text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').split(/\{(\w+)\}/)
      const names = parts.filter((_, at) => at % 2 === 0)
      const source = parts.reduce((all, part, at) => all + (at % 2 === 0 ? '(.+)' : part), first)
      if (names.length > 0) patterns.push({ pattern: new RegExp(`^${source}$`, 's'), names, translation })
      else if (typeof translation === 'string') known.set(text, translation)
    }
  }
  const translateOne = (text: string): string | undefined => {
    const own = known.get(text) ?? messages.get(text)
    return typeof own === 'string' ? own : fromPattern(text)
  }
  const translate = (text: string) => {
    const whole = translateOne(text)
    if (whole !== undefined) return whole
    const all = text.split(endOfSentence).map((sentence) => translateOne(sentence) ?? sentence)
    const joined = all.join(' ')
    return joined === text ? undefined : joined
  }
  return Object.assign(translate, { add })

  function fromPattern(text: string): string | undefined {
    for (const { pattern, names, translation } of patterns) {
      const [, ...found] = pattern.exec(text) ?? []
      if (found.length === 0) continue
      const values = Object.fromEntries(names.map((name, at) => [name, translate(found[at] ?? '') ?? found[at]]))
      return fillText(pluralForm(translation, Number(values['count']), lang), values)
    }
    return undefined
  }
}
