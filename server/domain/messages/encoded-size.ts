import type { TemplatePart } from '../../../contract/mail/merge-variables.ts'

/** Longest line of quoted-printable without its end (RFC 2045 §6.7), and the bytes of a soft break. */
const lineMaxChars = 76
const softBreakBytes = 3

const tab = 9
const lineFeed = 10
const carriageReturn = 13
const blank = 32
const dot = 46
const equals = 61
const capitalF = 70

/**
 * Bytes of one piece of a mail's body on the wire: quoted-printable, as mailer/mime/quoted-printable.ts writes it. Never less
 * than that, and at most a few bytes more. Linear, and without building the text.
 */
export function encodedBytes(text: string): number {
  if (text === '') return 0
  let bytes = 0
  let column = 0
  const add = (tokenBytes: number) => {
    if (column + tokenBytes > lineMaxChars - 1) {
      bytes += softBreakBytes
      column = 0
    }
    bytes += tokenBytes
    column += tokenBytes
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === carriageReturn || code === lineFeed) {
      if (code === carriageReturn && text.charCodeAt(at + 1) === lineFeed) at += 1
      bytes += 2
      column = 0
    } else if (code < 0x80) add(isPlain(code, column, text.charCodeAt(at + 1)) ? 1 : 3)
    else for (let left = utf8Bytes(code); left > 0; left--) add(3)
  }
  return bytes + softBreakBytes
}

/** Bytes of the literal pieces of a template on the wire; its variables count nothing. */
export function literalBytes(parts: readonly TemplatePart[]): number {
  let bytes = 0
  for (const part of parts) if (typeof part === 'string') bytes += encodedBytes(part)
  return bytes
}

function isPlain(code: number, column: number, next: number): boolean {
  // A line must not begin with a dot or `From `; one that breaks here may begin with this very character.
  if (code === dot || code === capitalF) return column > 0 && column < lineMaxChars - 2
  // A blank at the end of a line is encoded, also at that of the text: it may be the mail's last one.
  if (code === blank || code === tab) return next !== carriageReturn && next !== lineFeed && !Number.isNaN(next)
  return code > blank && code < 127 && code !== equals
}

/** UTF-8 bytes of a UTF-16 code unit; each half of a surrogate pair has two of the four. */
function utf8Bytes(code: number): number {
  if (code < 0x800) return 2
  return code >= 0xd800 && code <= 0xdfff ? 2 : 3
}
