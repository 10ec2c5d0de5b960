import libmime from 'libmime'
import { decodeCharset } from './charset.ts'

/** Lines of a header block that are read; more are ignored. */
const linesMaxCount = 500
/** Bytes of one unfolded field that are read. */
const fieldMaxChars = 8192

/** Header fields of one part, with unfolded values. Names are compared in lower case. */
export class MailHeaders {
  readonly #fields = new Map<string, string[]>()
  /** Whether fields beyond the limits were ignored. */
  readonly isCut: boolean

  constructor(block: string) {
    let name = ''
    let value = ''
    let count = 0
    let isCut = false
    const end = () => {
      if (name === '') return
      const known = this.#fields.get(name)
      if (known) known.push(value.trim())
      else this.#fields.set(name, [value.trim()])
      name = ''
    }
    for (const line of linesOf(block)) {
      if (++count > linesMaxCount) {
        isCut = true
        break
      }
      if (line.startsWith(' ') || line.startsWith('\t')) {
        if (value.length + line.length > fieldMaxChars) isCut = true
        value = (value + line).slice(0, fieldMaxChars)
        continue
      }
      end()
      const colon = line.indexOf(':')
      if (colon < 1 || colon > 100) continue
      name = line.slice(0, colon).trimEnd().toLowerCase()
      if (line.length > fieldMaxChars) isCut = true
      value = line.slice(colon + 1, colon + 1 + fieldMaxChars)
    }
    end()
    this.isCut = isCut
  }

  /** The first value as written; an empty text without one. */
  get(name: string): string {
    return this.#fields.get(name)?.[0] ?? ''
  }

  all(name: string): readonly string[] {
    return this.#fields.get(name) ?? []
  }

  has(name: string): boolean {
    return this.#fields.has(name)
  }

  /** The first value with its encoded words decoded (RFC 2047), without control characters. */
  decoded(name: string): string {
    return decodeWords(this.get(name))
  }
}

/** Lines of a text, which may end with CRLF, LF or CR. */
export function* linesOf(text: string): Generator<string> {
  let start = 0
  while (start < text.length) {
    let end = text.indexOf('\n', start)
    if (end === -1) end = text.length
    const line = text.slice(start, end)
    yield line.endsWith('\r') ? line.slice(0, -1) : line
    start = end + 1
  }
}

/** Decodes encoded words; a text that was sent as raw UTF-8 or Latin-1 is kept readable. */
export function decodeWords(text: string): string {
  const readable = /[\u0080-\u00ff]/.test(text) ? decodeCharset(Buffer.from(text, 'latin1'), 'utf-8') : text
  const decoded = readable.includes('=?') ? decodeEncodedWords(readable) : readable
  return decoded
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
}

function decodeEncodedWords(text: string): string {
  try {
    return libmime.decodeWords(text)
  } catch {
    return text // A malformed word is shown as written.
  }
}

/** A structured value: `text/plain; charset=utf-8` gives its value in lower case and its parameters. */
export function readParameters(text: string): { value: string; parameters: Readonly<Record<string, string>> } {
  const [value = '', ...rest] = splitParameters(text)
  const parameters: Record<string, string> = {}
  for (const part of rest.slice(0, 20)) {
    const equals = part.indexOf('=')
    if (equals < 1) continue
    const name = part.slice(0, equals).trim().toLowerCase().split('*', 1)[0] ?? ''
    const written = part.slice(equals + 1).trim()
    const unquoted = written.startsWith('"') ? written.slice(1).replace(/"$/, '').replace(/\\(.)/g, '$1') : written
    if (name !== '__proto__') parameters[name] ??= unquoted
  }
  // Some systems forget the semicolon.
  return { value: value.trim().split(/\s/, 1)[0]?.toLowerCase() ?? '', parameters }
}

function splitParameters(text: string): string[] {
  const parts: string[] = []
  let part = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '\\' && isQuoted) {
      part += text.slice(at, at + 2)
      at++
      continue
    }
    if (char === '"') isQuoted = !isQuoted
    if (char === ';' && !isQuoted) {
      parts.push(part)
      part = ''
    } else part += char
  }
  return [...parts, part]
}

/** A mailbox of From or a similar field: its display name and its address in lower case; null without an address. */
export function readMailbox(text: string): { name: string; address: string } | null {
  const angle = /<([^<>\s]{3,320})>\s*$/.exec(text.trim()) ?? /<([^<>\s]{3,320})>/.exec(text)
  const address = (angle?.[1] ?? /[^\s<>(),;:"]{1,64}@[^\s<>(),;:"]{1,255}/.exec(text)?.[0])?.toLowerCase()
  if (address?.includes('@') !== true) return null
  const name = angle ? decodeWords(text.slice(0, angle.index).trim().replace(/^"|"$/g, '').replace(/\\(.)/g, '$1')) : ''
  return { name: name.slice(0, 200), address }
}
