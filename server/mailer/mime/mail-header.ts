import { encodeWord } from 'nodemailer/lib/mime-funcs'

/** Where a header is folded, if it can be (RFC 5322 §2.1.1). */
const foldAtChars = 76
const longestPlainWord = 60
/** Longer ones do not fit into a line of 998 bytes. */
const longestWord = 900

const isAscii = /^[\x20-\x7e]*$/

/**
 * A line of words for people, such as a subject: encoded where it is not plain, where it cannot be folded, where it would read
 * as encoded. With its line end. The value is one line.
 */
export function textHeader(name: string, value: string): string {
  const isPlain = isAscii.test(value) && !value.includes('=?') && hasWordsUpTo(value, longestPlainWord)
  return fold(`${name}: ${isPlain ? value : encodeWord(value, 'Q', 52)}`)
}

/** A line for programs, such as an address of a page: encoded only where no mail could carry it otherwise. */
export function plainHeader(name: string, value: string): string {
  const isPlain = isAscii.test(value) && hasWordsUpTo(value, longestWord)
  return fold(`${name}: ${isPlain ? value : encodeWord(value, 'Q', 52)}`)
}

/** `Fri, 02 Jan 2026 03:04:05 +0000` (RFC 5322 §3.3). */
export function formatDate(date: Date): string {
  return date.toUTCString().replace('GMT', '+0000')
}

function hasWordsUpTo(value: string, maxChars: number): boolean {
  return value.length <= maxChars || value.split(' ').every((word) => word.length <= maxChars)
}

/**
 * Breaks before blanks; a line of nothing but blanks would end the header, so a run of them stays together. The first word
 * stays with the name: not every reader takes a header that begins on its second line.
 */
function fold(line: string): string {
  if (line.length <= foldAtChars) return `${line}\r\n`
  let folded = ''
  let column = 0
  const nameChars = line.indexOf(':') + 1
  for (const [token] of line.matchAll(/(?<! ) *[^ ]+/g)) {
    const isFirstWord = folded.length === nameChars
    if (column > 0 && !isFirstWord && column + token.length > foldAtChars && token.startsWith(' ')) {
      folded += '\r\n'
      column = 0
    }
    folded += token
    column += token.length
  }
  return `${folded}\r\n`
}
