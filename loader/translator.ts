import type { Words } from './contract.ts'

/** Sentences are said one by one where the whole is not known. */
const endOfSentence = /(?<=[.!?]) /
/** As servers answer them. */
const isSentence = /\p{L} .*[.!?”]$/su

/** What a language cannot say as a list of words does. */
interface Speech {
  /** A whole number as the language writes it; another text as it stands. */
  count: (text: string) => string
  /** There is a sentence that no word is known for. */
  onUnknown?: () => void
}

/** Gives what to show for a text, blanks around it kept; the text itself where nothing is known. */
export function translator(words: Words, { count, onUnknown }: Speech): (text: string) => string {
  const known = new Map(Object.entries(words))
  const patterns = [...known]
    .filter(([text]) => text.includes('{}'))
    // What says most comes first: “{} to {}” would be much else, too.
    .sort(([one], [other]) => other.length - one.length)
    .map(([text, said]) => {
      const parts = text.split('{}').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      const pattern = new RegExp(`^${parts.join('(.+)')}$`, 's')
      return { pattern, said, isOfSentences: /[.!?”:]( \{\})?$/.test(text) }
    })
  const say = (text: string) => known.get(text) ?? fromPattern(text)
  const sayOne = (text: string) => {
    const said = say(text)
    if (said === undefined && isSentence.test(text)) onUnknown?.()
    return said ?? text
  }
  const sayPart = (text: string) => say(text) ?? text.split(endOfSentence).map(sayOne).join(' ')
  // “Sent to {} of {}” would take the rest of a list for its last figure.
  const sayAll = (text: string) => known.get(text) ?? text.split(' · ').map(sayPart).join(' · ')
  return (text) => {
    const trimmed = text.trim()
    if (trimmed === '') return text
    return text.replace(trimmed, () => (/\p{L}/u.test(trimmed) ? sayAll(trimmed) : count(trimmed)))
  }

  function fromPattern(text: string): string | undefined {
    const isWhole = isSentence.test(text)
    for (const { pattern, said, isOfSentences } of patterns) {
      // “{} to {}” is much of what a sentence says.
      const found = isWhole && !isOfSentences ? null : pattern.exec(text)
      if (found === null) continue
      let at = 0
      return said.replaceAll('{}', () => {
        const given = found[(at += 1)] ?? ''
        return isSentence.test(given) ? sayAll(given) : (known.get(given) ?? count(given))
      })
    }
    return undefined
  }
}
