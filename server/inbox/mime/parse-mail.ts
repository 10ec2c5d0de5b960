import { decodeCharset } from './charset.ts'
import { MailHeaders, readParameters } from './headers.ts'

/** Bytes of a source that are read. */
export const sourceMaxBytes = 65_536
const partsMaxCount = 20
const depthMax = 5

/** One leaf of a mail, or an embedded mail. */
export interface MailPart {
  /** As `text/plain`. */
  type: string
  headers: MailHeaders
  /** Decoded text; of HTML its source. */
  text: string
  /** Filename or attachment disposition. */
  isAttachment: boolean
}

export interface ParsedMail {
  headers: MailHeaders
  /** In order, containers left out. */
  parts: readonly MailPart[]
  /** Whether anything beyond the limits was ignored. */
  isCut: boolean
}

interface Progress {
  parts: MailPart[]
  isCut: boolean
}

/**
 * Reads the headers and text parts of a mail: at most 64 kB, 20 parts, 5 levels and 500 header lines. Never throws; whatever
 * is malformed or beyond the limits is ignored.
 */
export function parseMail(source: Buffer): ParsedMail {
  const bytes = source.subarray(0, sourceMaxBytes)
  const progress: Progress = { parts: [], isCut: source.length >= sourceMaxBytes }
  // Latin-1 keeps every byte, so that a part's charset can be applied later.
  const headers = readEntity(bytes.toString('latin1'), 0, progress)
  return { headers, parts: progress.parts, isCut: progress.isCut || headers.isCut }
}

function readEntity(text: string, depth: number, progress: Progress): MailHeaders {
  const { block, body } = splitHeaders(text)
  const headers = new MailHeaders(block)
  if (headers.isCut) progress.isCut = true
  const { value, parameters } = readParameters(headers.get('content-type') || 'text/plain')
  const boundary = parameters['boundary'] ?? ''
  if (value.startsWith('multipart/') && boundary !== '') {
    if (depth >= depthMax) progress.isCut = true
    else for (const part of splitParts(body, boundary, progress)) readEntity(part, depth + 1, progress)
    return headers
  }
  if (progress.parts.length >= partsMaxCount) {
    progress.isCut = true
    return headers
  }
  const decoded = decodeTransfer(body, headers.get('content-transfer-encoding'))
  const disposition = headers.get('content-disposition').toLowerCase()
  progress.parts.push({
    type: value === '' ? 'text/plain' : value,
    headers,
    text: /^(?:text|message)\//.test(value) || value === '' ? decodeCharset(decoded, charsetOf(parameters)) : '',
    isAttachment: disposition.startsWith('attachment'),
  })
  return headers
}

const charsetOf = (parameters: Readonly<Record<string, string>>) => parameters['charset'] ?? 'utf-8'

/** Splits at the first empty line. */
export function splitHeaders(text: string): { block: string; body: string } {
  if (text.startsWith('\r\n')) return { block: '', body: text.slice(2) }
  if (text.startsWith('\n')) return { block: '', body: text.slice(1) }
  const crlf = text.indexOf('\r\n\r\n')
  const lf = text.indexOf('\n\n')
  if (crlf === -1 && lf === -1) return { block: text, body: '' }
  if (lf === -1 || (crlf !== -1 && crlf < lf)) return { block: text.slice(0, crlf + 2), body: text.slice(crlf + 4) }
  return { block: text.slice(0, lf + 1), body: text.slice(lf + 2) }
}

function* splitParts(body: string, boundary: string, progress: Progress): Generator<string> {
  const delimiter = `--${boundary}`
  let start = -1
  for (let at = body.indexOf(delimiter); at !== -1; at = body.indexOf(delimiter, at + delimiter.length)) {
    if (at > 0 && body[at - 1] !== '\n') continue
    if (start !== -1) yield withoutLastBreak(body.slice(start, at))
    if (body.startsWith('--', at + delimiter.length)) return
    const lineEnd = body.indexOf('\n', at)
    if (lineEnd === -1) return
    start = lineEnd + 1
    if (progress.parts.length >= partsMaxCount) {
      progress.isCut = true
      return
    }
  }
  // The last boundary may be missing, in a cut source too.
  if (start !== -1) yield body.slice(start)
}

function withoutLastBreak(text: string): string {
  return text.endsWith('\r\n') ? text.slice(0, -2) : text.endsWith('\n') ? text.slice(0, -1) : text
}

function decodeTransfer(body: string, encoding: string): Buffer {
  switch (encoding.trim().toLowerCase()) {
    case 'base64':
      return Buffer.from(body, 'base64')
    case 'quoted-printable':
      return Buffer.from(
        body
          .replace(/=\r?\n/g, '')
          .replace(/=([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      )
    default:
      return Buffer.from(body, 'latin1')
  }
}
