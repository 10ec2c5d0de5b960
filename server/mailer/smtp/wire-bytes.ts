import type { SmtpEnvelope, WireMail } from './smtp-job.ts'

/** What a mail server has said it takes, in its answer to EHLO. */
export interface SmtpExtensions {
  pipelining: boolean
  unicode: boolean
  eightBit: boolean
  /** Whether it wants to hear of a message's size (RFC 1870). */
  size: boolean
  /** Largest message; null: it has not said. */
  maxBytes: number | null
}

/** Reads the answer to EHLO. */
export function parseExtensions(answer: string): SmtpExtensions {
  const has = (name: string) => new RegExp(`^250[ -]${name}\\b`, 'im').test(answer)
  const max = Number(/^250[ -]SIZE[ =](\d+)/im.exec(answer)?.[1] ?? 0)
  return {
    pipelining: has('PIPELINING'),
    unicode: has('SMTPUTF8'),
    eightBit: has('8BITMIME'),
    size: has('SIZE'),
    maxBytes: max > 0 ? max : null,
  }
}

export const isAscii = (text: string): boolean => /^[\x21-\x7e]*$/.test(text)

/** MAIL, RCPT and DATA in one piece (RFC 2920 §3.1); addresses that hold more than an address are not for this. */
export function envelopeLines({ from, to }: SmtpEnvelope, mail: WireMail, offers: SmtpExtensions): string {
  const isUnicode = !isAscii(from + to)
  const parameters =
    (offers.size ? ` SIZE=${mail.bytes.length}` : '') +
    (isUnicode && offers.eightBit ? ' BODY=8BITMIME' : '') +
    (isUnicode ? ' SMTPUTF8' : '')
  return `MAIL FROM:<${from}>${parameters}\r\nRCPT TO:<${to}>\r\nDATA\r\n`
}

/** Whether an address is safe between angle brackets: whoever accepted it has parsed it, and this is the last place to see. */
export function isSafeAddress(address: string): boolean {
  return !/[\s<>\p{Cc}]/u.test(address)
}

/** A mail as it goes out, without the line that ends it: every line ended by CRLF, no line a dot alone (RFC 5321 §4.5.2). */
export function toWireBytes({ bytes, isWireReady }: WireMail): Buffer {
  if (isWireReady) return bytes
  const text = bytes.toString('latin1').replace(/\r\n|\r|\n/g, '\r\n')
  const ended = text.endsWith('\r\n') ? text : `${text}\r\n`
  return Buffer.from(ended.replace(/^\./gm, '..'), 'latin1')
}
