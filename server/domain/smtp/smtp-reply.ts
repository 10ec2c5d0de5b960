/** A mail server's reply, its lines joined. */
export interface SmtpReply {
  /** Reply code (RFC 5321 §4.2). */
  code: number
  /** Enhanced status code such as `5.1.1` (RFC 3463), if the server sends one. */
  enhanced: string | null
  /** The words after the codes, on one line. */
  text: string
}

const replyMaxChars = 500
const line = /^(\d{3})(?:[ -]|$)(?:(\d\.\d{1,3}\.\d{1,3})(?:\s|$))?(.*)$/s

/** Reads a reply of one or more lines; null if it does not begin with a reply code. */
export function parseReply(raw: string): SmtpReply | null {
  const lines = raw.split(/\r?\n/).filter((text) => text.trim() !== '')
  const matches = lines.map((text) => line.exec(text))
  const first = matches[0]
  if (first?.[1] === undefined) return null
  const words = matches.map((match, at) => (match ? (match[3] ?? '') : (lines[at] ?? '')))
  const enhanced = matches.find((match) => match?.[2] !== undefined)?.[2] ?? null
  return { code: Number(first[1]), enhanced, text: oneLine(words.join(' ')) }
}

/** A reply as it is kept and shown: one line, code first, at most 500 characters. */
export function formatReply(reply: SmtpReply): string {
  return oneLine([reply.code, reply.enhanced, reply.text].filter((part) => part !== null && part !== '').join(' '))
}

/** Makes a server's words harmless for a line of text: no controls, blanks collapsed, at most 500 characters. */
export function oneLine(text: string): string {
  const flat = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return flat.length > replyMaxChars ? `${flat.slice(0, replyMaxChars - 1)}…` : flat
}
