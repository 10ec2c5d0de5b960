/** Longest line without CRLF, including the `=` of a soft break (RFC 2045 §6.7). */
const lineMaxChars = 76
const hex = '0123456789ABCDEF'
const softBreak = '=\r\n'

/**
 * Encodes a piece of text in quoted-printable so that pieces can be concatenated: it starts at the beginning of a line and
 * ends with a line break, a soft one if the text has none. No line starts with a dot or with `From `, so neither SMTP nor
 * mbox files have to change it.
 */
export function encodePiece(text: string): string {
  if (text === '') return ''
  const encoded = isPlain.test(text) ? text : encodeLines(Buffer.from(text), false)
  return encoded.endsWith('\r\n') ? encoded : encoded + softBreak
}

/** Encodes the last piece of a text, without a final line break. */
export function encodeLastPiece(text: string): string {
  return encodeLines(Buffer.from(text), true)
}

/** A single line that needs no encoding, like most values of merge variables. */
const isPlain = /^(?!\.|From )[ -<>-~]{1,75}$/

/** LF, CRLF and CR alone are line ends (CR alone: against SMTP smuggling). */
function encodeLines(bytes: Uint8Array, isLast: boolean): string {
  let encoded = ''
  let column = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    const next = bytes[at + 1]
    if (byte === 13 || byte === 10) {
      if (byte === 13 && next === 10) at += 1
      encoded += '\r\n'
      column = 0
      continue
    }
    const isLineEnd = next === 13 || next === 10 || (next === undefined && isLast)
    let token = toToken(byte, isLineEnd)
    if (column + token.length > lineMaxChars - 1 && !(isLineEnd && column + token.length <= lineMaxChars)) {
      encoded += softBreak
      column = 0
    }
    if (column === 0 && isUnsafeAtStart(byte, bytes, at)) token = toHex(byte)
    encoded += token
    column += token.length
  }
  return encoded
}

/** Whitespace at the end of a line may be stripped in transit, so it is encoded. */
function toToken(byte: number, isLineEnd: boolean): string {
  const isBlank = byte === 32 || byte === 9
  const isPrintable = byte > 32 && byte < 127 && byte !== 61
  return isPrintable || (isBlank && !isLineEnd) ? String.fromCharCode(byte) : toHex(byte)
}

function isUnsafeAtStart(byte: number, bytes: Uint8Array, at: number): boolean {
  if (byte === 46) return true
  return byte === 70 && bytes[at + 1] === 114 && bytes[at + 2] === 111 && bytes[at + 3] === 109 && bytes[at + 4] === 32
}

function toHex(byte: number): string {
  return `=${hex.charAt(byte >> 4)}${hex.charAt(byte & 15)}`
}
