import type { SmtpEnvelope, WireMail } from './smtp-job.ts'

/** SMTP extensions that a server announced in its EHLO reply. */
export interface SmtpExtensions {
  pipelining: boolean
  unicode: boolean
  eightBit: boolean
  /** Whether it accepts the SIZE parameter (RFC 1870). */
  size: boolean
  /** Largest message; null if not announced. */
  maxBytes: number | null
}

/** Parses an EHLO reply. */
export function parseExtensions(reply: string): SmtpExtensions {
  const has = (name: string) => new RegExp(`^250[ -]${name}\\b`, 'im').test(reply)
  const max = Number(/^250[ -]SIZE[ =](\d+)/im.exec(reply)?.[1] ?? 0)
  return {
    pipelining: has('PIPELINING'),
    unicode: has('SMTPUTF8'),
    eightBit: has('8BITMIME'),
    size: has('SIZE'),
    maxBytes: max > 0 ? max : null,
  }
}

export const isAscii = (text: string): boolean => /^[\x21-\x7e]*$/.test(text)

/** MAIL, RCPT and DATA as one pipelined group (RFC 2920 §3.1). The addresses must be safe (`isSafeAddress`). */
export function envelopeLines({ from, to }: SmtpEnvelope, mail: WireMail, extensions: SmtpExtensions): string {
  const isUnicode = !isAscii(from + to)
  const parameters =
    (extensions.size ? ` SIZE=${mail.bytes.length}` : '') +
    (isUnicode && extensions.eightBit ? ' BODY=8BITMIME' : '') +
    (isUnicode ? ' SMTPUTF8' : '')
  return `MAIL FROM:<${from}>${parameters}\r\nRCPT TO:<${to}>\r\nDATA\r\n`
}

/**
 * Whether an address is safe between angle brackets: a last check, since addresses are validated when they are accepted.
 */
export function isSafeAddress(address: string): boolean {
  return !/[\s<>\p{Cc}]/u.test(address)
}

/** A mail's bytes for DATA, without the final dot: lines end with CRLF and leading dots are doubled (RFC 5321 §4.5.2). */
export function toWireBytes({ bytes, isWireReady }: WireMail): Buffer {
  if (isWireReady) return bytes
  const text = bytes.toString('latin1').replace(/\r\n|\r|\n/g, '\r\n')
  const ended = text.endsWith('\r\n') ? text : `${text}\r\n`
  return Buffer.from(ended.replace(/^\./gm, '..'), 'latin1')
}
