import type { Catalogue, Translation } from '../../widgets/lib/messages/messages.ts'

const endOfSentence = /(?<=[.!?]) /
/** A text of several words that ends as a sentence or as the confirmation of a send does. */
export const isSentence = /\p{L} .*(?:[.!?”]|recipients?)$/su

/** Translates what a server answers; undefined where nothing of it is known. */
export interface SentenceTranslator {
  (text: string): string | undefined
  add: (sentences: Catalogue) => void
}

/** Translates sentences one by one. A known sentence may have `{}` for what the server puts in. */
export function createSentenceTranslator(messages: ReadonlyMap<string, Translation>): SentenceTranslator {
  const patterns: { pattern: RegExp; translation: string }[] = []
  const known = new Map<string, string>()
  const add = (sentences: Catalogue) => {
    for (const [text, translation] of Object.entries(sentences)) {
      if (typeof translation !== 'string') continue
      known.set(text, translation)
      const parts = text.split('{}').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      if (parts.length > 1) patterns.push({ pattern: new RegExp(`^${parts.join('(.+)')}$`, 's'), translation })
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
    for (const { pattern, translation } of patterns) {
      const [, ...values] = pattern.exec(text) ?? []
      let at = 0
      if (values.length > 0)
        return translation.replaceAll('{}', () => {
          const value = values[at++] ?? ''
          return translate(value) ?? value
        })
    }
    return undefined
  }
}
