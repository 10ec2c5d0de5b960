import { languages } from './languages.ts'

const wordMaxChars = 60
const words: ReadonlySet<string> = new Set(languages.flatMap(({ unsubscribe }) => unsubscribe.map(normalize)))

/** Whether the text above the quotation is only a request for no more mails, in one of twelve languages. */
export function isUnsubscribeRequest(ownText: string): boolean {
  const text = ownText.trim()
  return text.length <= wordMaxChars && words.has(normalize(text))
}

function normalize(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[.!,;:"'“”„’<>()*_\s-]+/g, ' ')
    .trim()
}
