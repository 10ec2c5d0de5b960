import { pipeline, type Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { AppError } from '../../../contract/core/errors.ts'
import { contextMaxCount, contextValueMaxChars } from '../../../contract/mail/message.limits.ts'
import { streamLineMaxBytes } from '../../../contract/core/limits.ts'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { RecipientLine } from '../../domain/campaigns/campaign.ts'
import { fieldNameMaxChars } from '../shapes/closed-shape.ts'
import { parseJsonBody } from '../core/json-body.ts'

const newline = 0x0a

/** A line of CSV with a header: its cells by the header's names in lower case. */
interface CsvLine {
  line: number
  cells: ReadonlyMap<string, string>
}

const emailColumns = ['email', 'e-mail', 'email_address', 'email address', 'address']

/** Recipients as JSON lines: an address, or `{"email", "context"}`. */
export async function* readJsonRecipients(body: Readable): AsyncGenerator<RecipientLine> {
  let line = 0
  for await (const bytes of splitLines(body)) {
    line += 1
    if (bytes === null) {
      yield { line, refusal: `The line is longer than ${streamLineMaxBytes / 1024} kB.` }
      continue
    }
    if (bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)) continue
    yield readJsonRecipient(line, bytes)
  }
}

/** Recipients as CSV: a column for the address, each further one a merge variable by its name. */
export async function* readCsvRecipients(body: Readable): AsyncGenerator<RecipientLine> {
  for await (const { line, cells } of readCsv(body)) {
    const email = emailOf(cells)
    const context = Object.fromEntries([...cells].filter(([name]) => !emailColumns.includes(name) && name !== ''))
    yield checked(line, email, context)
  }
}

/** Lines of CSV (RFC 4180). Without a header that names an email column, the first column is it, and there are no others. */
export async function* readCsv(body: Readable): AsyncGenerator<CsvLine> {
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: streamLineMaxBytes,
  })
  pipeline(body, parser, () => undefined) // What went wrong comes out of the parser.
  let header: string[] | null = null
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (header === null) {
        header = record.map((name) => name.toLowerCase())
        if (header.some((name) => emailColumns.includes(name))) {
          // Variables are written as the header writes them.
          header = record.map((name, at) => (emailColumns.includes(header?.[at] ?? '') ? (header?.[at] ?? '') : name))
          continue
        }
        header = ['email']
      }
      const cells = new Map(header.map((name, at) => [name, plainCell(record[at] ?? '')] as const))
      yield { line: info.lines, cells }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const msg = 'The CSV cannot be read: a cell has an unclosed quote, or a line is longer than 64 kB'
    throw new AppError('validation', { items: [{ loc: ['body'], msg, type: 'csv' }], cause: error.code })
  }
}

/** The address of a line. */
export function emailOf(cells: ReadonlyMap<string, string>): string {
  const name = emailColumns.find((column) => cells.has(column))
  return cells.get(name ?? '') ?? ''
}

/** A cell without the apostrophe that keeps spreadsheets from reading it as a formula. */
function plainCell(cell: string): string {
  return /^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell
}

function readJsonRecipient(line: number, bytes: Buffer): RecipientLine {
  let value: unknown
  try {
    value = parseJsonBody(bytes)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { line, refusal: 'The line is not one JSON value in UTF-8 with each key once.' }
  }
  if (typeof value === 'string') return checked(line, value, null)
  const { email, context = null, ...others } = (value ?? {}) as { email?: unknown; context?: unknown }
  const unknown = Object.keys(others)[0]?.slice(0, fieldNameMaxChars)
  if (unknown !== undefined && !Array.isArray(value)) {
    return {
      line,
      refusal: `${unknown} is not a field of a recipient; known are email and context, which holds variables.`,
    }
  }
  if (typeof email !== 'string') return { line, refusal: 'The line has no email; write {"email": "name@example.com"}.' }
  if (context !== null && (typeof context !== 'object' || Array.isArray(context))) {
    return { line, refusal: 'context is no object.' }
  }
  return checked(line, email, context as Record<string, unknown> | null)
}

/** A context has the same bounds as that of a send call. */
function checked(line: number, email: string, context: Record<string, unknown> | null): RecipientLine {
  const entries = Object.entries(context ?? {})
  if (entries.length > contextMaxCount) return { line, refusal: `There are more than ${contextMaxCount} values.` }
  for (const [name, value] of entries) {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      return { line, refusal: 'A value of context is neither text, number nor true or false.' }
    }
    const text = name + String(value)
    if (text.length > contextValueMaxChars + name.length) {
      return { line, refusal: `A value has more than ${contextValueMaxChars} characters.` }
    }
    if (text.includes('\0') || !text.isWellFormed())
      return { line, refusal: 'A value holds a NUL or half a character.' }
  }
  return { line, email, context: entries.length === 0 ? null : (context as MergeContext) }
}

/** Lines of a body, without their ends; null for one that is too long, of which nothing is kept. */
async function* splitLines(body: Readable): AsyncGenerator<Buffer | null> {
  let kept: Buffer[] = []
  let keptBytes = 0
  const add = (piece: Buffer) => {
    keptBytes += piece.length
    if (keptBytes > streamLineMaxBytes) kept = []
    else kept.push(piece)
  }
  const take = () => {
    const line = keptBytes > streamLineMaxBytes ? null : Buffer.concat(kept)
    kept = []
    keptBytes = 0
    return line
  }
  for await (const chunk of body as AsyncIterable<Buffer>) {
    let from = 0
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      add(chunk.subarray(from, at))
      yield take()
      from = at + 1
    }
    add(chunk.subarray(from))
  }
  if (keptBytes > 0) yield take()
}
