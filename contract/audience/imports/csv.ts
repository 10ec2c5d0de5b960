import { variableKey } from '../../core/variable-names.ts'

/** Encodings of text files; labels of the Encoding Standard. */
export const textEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'macintosh'] as const
export type TextEncoding = (typeof textEncodings)[number]

/** Orders of year, month and day that a column of dates may have. */
export const dateStyles = ['YYYY-MM-DD', 'YYYY/MM/DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY', 'DD-MM-YYYY'] as const
export type DateStyle = (typeof dateStyles)[number]

/** Ways to write a number with thousands and decimals. */
export const decimalStyles = ['1,234.5', '1.234,5'] as const
export type DecimalStyle = (typeof decimalStyles)[number]

export const importModes = ['add', 'add_and_update'] as const
export type ImportMode = (typeof importModes)[number]

/** Delimiters that detection tries, the most frequent first. */
export const csvDelimiters = [',', ';', '\t', '|'] as const
export type CsvDelimiter = (typeof csvDelimiters)[number]

export interface CsvRow {
  /** Line of the file where the row begins, from 1. */
  line: number
  cells: string[]
}

export type CsvProblem = 'quote_unclosed' | 'cell_too_long' | 'too_many_columns'

/** A file that is no CSV from this line on. */
export class CsvFormatError extends Error {
  readonly problem: CsvProblem
  /** Line where the cell begins, from 1. */
  readonly line: number

  constructor(problem: CsvProblem, line: number) {
    super(`${problem} in line ${line}`)
    this.problem = problem
    this.line = line
  }
}

export interface CsvLimits {
  /** Longest cell, in UTF-16 code units. */
  cellMaxChars: number
  columnsMaxCount: number
}

type State = 'cell_start' | 'plain' | 'quoted' | 'quote_in_quoted' | 'after_quoted'

/**
 * Reads CSV (RFC 4180) in pieces of any length, in linear time and memory of one row. A quoted cell may hold delimiters,
 * line breaks and doubled quotes; a quote inside an unquoted cell is part of it. Line ends are LF, CRLF or CR, mixed as
 * they come. Unquoted cells are trimmed. Rows without a character are given as one empty cell. Browser and server read
 * with it, so that a paste and an upload give the same rows.
 */
export function createCsvReader(delimiter: CsvDelimiter, { cellMaxChars, columnsMaxCount }: CsvLimits) {
  const cellEnd = new RegExp(`[${delimiter}\\r\\n]`, 'g')
  let state: State = 'cell_start'
  let line = 1
  let rowLine = 1
  let cellLine = 1
  let cells: string[] = []
  let parts: string[] = []
  let chars = 0
  // Length of a quoted cell's text inside its quotes; text behind them is kept, less blanks at its end.
  let quotedChars = -1
  let isAfterCr = false
  let isRowOpen = false

  const append = (text: string) => {
    chars += text.length
    if (chars > cellMaxChars) throw new CsvFormatError('cell_too_long', cellLine)
    if (text !== '') parts.push(text)
  }
  const endCell = () => {
    const text = parts.length === 1 ? (parts[0] ?? '') : parts.join('')
    if (cells.length >= columnsMaxCount) throw new CsvFormatError('too_many_columns', rowLine)
    if (state === 'quote_in_quoted') quotedChars = chars
    cells.push(quotedChars < 0 ? text.trim() : text.slice(0, quotedChars) + text.slice(quotedChars).trimEnd())
    parts = []
    chars = 0
    quotedChars = -1
    state = 'cell_start'
  }
  const endRow = (rows: CsvRow[]) => {
    endCell()
    rows.push({ line: rowLine, cells })
    cells = []
    isRowOpen = false
  }

  /** Begins a cell, with a quote or without one; gives the next place. */
  function begin(char: string, at: number): number {
    cellLine = line
    if (char === ' ') return at + 1
    state = char === '"' ? 'quoted' : 'plain'
    return char === '"' ? at + 1 : at
  }

  /** Reads a quoted cell up to its quote or the end of the piece. */
  function readQuoted(text: string, at: number): number {
    const quote = text.indexOf('"', at)
    const piece = text.slice(at, quote === -1 ? text.length : quote)
    append(piece)
    line += countLineEnds(piece)
    isAfterCr = quote === -1 && piece.endsWith('\r')
    if (quote === -1) return text.length
    state = 'quote_in_quoted'
    return quote + 1
  }

  /** Reads an unquoted cell, or the rest behind the quotes of a quoted one, up to its end. */
  function readPlain(text: string, at: number, rows: CsvRow[]): number {
    cellEnd.lastIndex = at
    const end = cellEnd.test(text) ? cellEnd.lastIndex - 1 : text.length
    append(text.slice(at, end))
    if (end === text.length) return end
    if (text[end] === delimiter) endCell()
    else {
      isAfterCr = text[end] === '\r'
      line += 1
      endRow(rows)
    }
    return end + 1
  }

  /** The second half of CRLF; inside quotes it belongs to the cell. */
  function skipLineFeed(char: string): boolean {
    const isSecondHalf = isAfterCr && char === '\n'
    isAfterCr = false
    if (isSecondHalf && state === 'quoted') append('\n')
    return isSecondHalf
  }

  /** Behind a quote in a quoted cell: another one is part of the cell, anything else ends the quotes. */
  function readQuote(char: string, at: number): number {
    state = char === '"' ? 'quoted' : 'after_quoted'
    if (char !== '"') quotedChars = chars
    else append('"')
    return char === '"' ? at + 1 : at
  }

  function read(text: string): CsvRow[] {
    const rows: CsvRow[] = []
    for (let at = 0; at < text.length;) {
      const char = text[at] ?? ''
      if (skipLineFeed(char)) {
        at += 1
        continue
      }
      if (!isRowOpen) rowLine = line
      isRowOpen = true
      if (state === 'cell_start') at = begin(char, at)
      else if (state === 'quoted') at = readQuoted(text, at)
      else if (state === 'quote_in_quoted') at = readQuote(char, at)
      else at = readPlain(text, at, rows)
    }
    return rows
  }

  return {
    /** The rows that end in this piece. Throws CsvFormatError. */
    read,
    /** The last row where the file does not end with a line end. Throws CsvFormatError for a quote that never closes. */
    end(): CsvRow[] {
      if (state === 'quoted') throw new CsvFormatError('quote_unclosed', cellLine)
      const rows: CsvRow[] = []
      if (isRowOpen) endRow(rows)
      return rows
    },
  }
}

/** Line ends in a piece of text; CRLF counts once, a CR at the end counts. */
function countLineEnds(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  for (let at = text.indexOf('\r'); at !== -1; at = text.indexOf('\r', at + 1)) if (text[at + 1] !== '\n') count += 1
  return count
}

/** Whether all cells of a row are empty: such rows are skipped and counted. */
export const isEmptyRow = ({ cells }: CsvRow): boolean => cells.every((cell) => cell.trim() === '')

const sampleRowsMaxCount = 200

/** Rows of the beginning of a file, at most 200; a row that the sample cuts off is left out. Never throws. */
export function readSample(sample: string, delimiter: CsvDelimiter, limits: CsvLimits): CsvRow[] {
  const reader = createCsvReader(delimiter, limits)
  try {
    const rows = reader.read(sample)
    // A sample without a single line end is a whole file of one row.
    return (rows.length === 0 ? reader.end() : rows).filter((row) => !isEmptyRow(row)).slice(0, sampleRowsMaxCount)
  } catch (error) {
    if (error instanceof CsvFormatError) return []
    throw error
  }
}

/**
 * The delimiter by which most rows of the sample have the same number of columns, two or more; the comma where none does
 * (a file of one column).
 */
export function detectDelimiter(sample: string, limits: CsvLimits): CsvDelimiter {
  let best: { delimiter: CsvDelimiter; score: number } = { delimiter: ',', score: 0 }
  for (const delimiter of csvDelimiters) {
    const counts = new Map<number, number>()
    const rows = readSample(sample, delimiter, limits)
    for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
    const [columns, alike] = [...counts].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [1, 0]
    // More columns win only among delimiters that fit equally many rows.
    const score = columns < 2 ? 0 : alike / rows.length + columns / 1e6
    if (score > best.score) best = { delimiter, score }
  }
  return best.delimiter
}

const addressLike = /^[^\s@<>]+@[^\s@<>]+$/
const valueLike = /^(?:[+-]?[\d.,]+|\d{1,4}[-./]\d{1,2}[-./]\d{1,4}|true|false)$/i

/**
 * Whether the first row names the columns: it has no address although rows below have, or it is all words where a column
 * below holds numbers, dates or truth values. A single row is a header only if one of its cells names an address column.
 */
export function detectHeader(rows: readonly CsvRow[]): boolean {
  const [first, ...others] = rows
  if (first === undefined || first.cells.some((cell) => addressLike.test(cell.trim()))) return false
  if (first.cells.some((cell) => valueLike.test(cell.trim()))) return false
  if (findAddressColumn(first.cells) !== -1) return true
  return others.some(({ cells }) => cells.some((cell) => addressLike.test(cell.trim()) || valueLike.test(cell.trim())))
}

const addressNames = new Set(['email', 'emailaddress', 'mail', 'mailaddress', 'address', 'emailadresse', 'correo'])

/** Column whose name says that it holds addresses; -1 without one. */
export function findAddressColumn(names: readonly string[]): number {
  return names.findIndex((name) => addressNames.has(variableKey(name)))
}

/** A field key from a name: its letters and digits without accents, joined by `_`; numbered where it is taken. */
export function freeFieldKey(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, 80)
    .replace(/^_/, '')
    .replace(/_$/, '')
  const key = /^[a-z]/.test(plain) ? plain : `field_${plain}`.replace(/_$/, '')
  for (let no = 2, candidate = key; ; no += 1) {
    if (!taken.has(candidate)) return candidate
    candidate = `${key}_${no}`
  }
}
