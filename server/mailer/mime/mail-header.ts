import { encodeWord } from 'nodemailer/lib/mime-funcs'

/** Preferred length of header lines (RFC 5322 §2.1.1). */
const foldAtChars = 76
const longestPlainWord = 60
/** Longer words do not fit into a line of 998 bytes. */
const longestWord = 900

const isAscii = /^[\x20-\x7e]*$/

/**
 * A header with human-readable text, such as a subject. It is encoded (RFC 2047) if it is not ASCII, cannot be folded or
 * looks like an encoded word. With CRLF. The value must be one line.
 */
export function textHeader(name: string, value: string): string {
  const isPlain = isAscii.test(value) && !value.includes('=?') && hasWordsUpTo(value, longestPlainWord)
  return fold(`${name}: ${isPlain ? value : encodeWord(value, 'Q', 52)}`)
}

/** A sender with or without a name: `From: "Ada" <ada@example.org>`. The name must be one line. */
export function senderHeader(name: string, address: string, displayName: string | null): string {
  const shown = (displayName ?? '').trim()
  if (shown === '') return `${name}: ${address}\r\n`
  const isPlain = isAscii.test(shown) && !shown.includes('=?') && hasWordsUpTo(shown, longestPlainWord)
  const quoted = isPlain ? `"${shown.replaceAll(/["\\]/g, '\\$&')}"` : encodeWord(shown, 'Q', 52)
  return fold(`${name}: ${quoted} <${address}>`)
}

/** A header with addresses, one on each line. */
export const addressesHeader = (name: string, addresses: readonly string[]): string =>
  `${name}: ${addresses.join(',\r\n ')}\r\n`

/** A machine-readable header, such as a URL: encoded only if it is not valid otherwise. */
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
 * Folds before spaces. A run of spaces stays together, because a blank line would end the headers. The first word stays on
 * the line of the name, because some mail clients cannot parse a header that starts on its second line.
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
