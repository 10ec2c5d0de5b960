import {
  createCsvReader,
  CsvFormatError,
  detectDelimiter,
  detectHeader,
  findAddressColumn,
  isEmptyRow,
  type CsvRow,
} from '../../contract/audience/imports/csv.ts'
import { nameIn } from '../../contract/core/variable-names.ts'
import { addressIn, checkRecipient, readLines, type Recipient } from './recipients.ts'
import { variableName } from './variable-name.ts'

/** A column of a table beside its addresses. */
export interface RecipientColumn {
  /** As the table has it; '' without a header. */
  heading: string
  /** Place in the table, from 1. */
  number: number
  /** The merge variable that it fills. */
  name: string
  /** Its first values, at most three. */
  values: readonly string[]
}

/** What a pasted text or a file holds. */
export interface ReadRecipients {
  recipients: Recipient[]
  /** Columns that fill merge variables; none for a plain list of addresses. */
  columns: RecipientColumn[]
  emptyCount: number
}

/** More rows than a campaign takes from a text or a file. */
export class TooManyRowsError extends Error {}

const limits = { cellMaxChars: 64 * 1024, columnsMaxCount: 1000 }
const sampleChars = 64 * 1024
const sampleRowsCount = 200
const pieceChars = 64 * 1024
const rowsOfTurnCount = 1000
const valuesCount = 3

/**
 * Reads a pasted text or the text of a file, by the rules of an import (contract/audience/imports/csv.ts): a table with one
 * column of addresses, or a list of addresses in any form. Gives way to other tasks between its parts. Throws
 * TooManyRowsError for more than `rowsMaxCount` rows, and CsvFormatError for a file with a quote that never closes; pasted
 * text with one is read as a list.
 */
export async function readRecipients(
  text: string,
  { isFile = false, rowsMaxCount = Infinity }: { isFile?: boolean; rowsMaxCount?: number } = {},
): Promise<ReadRecipients> {
  const table = await readTable(text, rowsMaxCount).catch((error: unknown) => {
    if (error instanceof CsvFormatError && !isFile) return null
    throw error
  })
  if (table !== null) return table
  const lines = text.split(/\r\n|[\r\n]/)
  const filled = lines.filter((line) => line.trim() !== '')
  if (filled.length > rowsMaxCount) throw new TooManyRowsError()
  const recipients: Recipient[] = []
  for (let at = 0; at < filled.length; at += rowsOfTurnCount) {
    recipients.push(...readLines(filled.slice(at, at + rowsOfTurnCount), filled.length > 1))
    await giveWay()
  }
  return { recipients, columns: [], emptyCount: lines.length - filled.length - (lines.at(-1) === '' ? 1 : 0) }
}

async function readTable(text: string, rowsMaxCount: number): Promise<ReadRecipients | null> {
  const delimiter = detectDelimiter(text.slice(0, sampleChars), limits)
  const plan = planOf(readRows(text.slice(0, sampleChars), delimiter, text.length <= sampleChars))
  if (plan === null) return null
  const reader = createCsvReader(delimiter, limits)
  const recipients: Recipient[] = []
  let emptyCount = 0
  let isHeader = plan.hasHeader
  const add = (row: CsvRow) => {
    if (isEmptyRow(row)) emptyCount += 1
    else if (isHeader) isHeader = false
    else recipients.push(recipientOf(row.cells, plan))
    if (recipients.length > rowsMaxCount) throw new TooManyRowsError()
  }
  for (let at = 0; at < text.length; at += pieceChars) {
    reader.read(text.slice(at, at + pieceChars)).forEach(add)
    await giveWay()
  }
  reader.end().forEach(add)
  return {
    recipients,
    columns: plan.columns.map(({ number, ...column }) => ({ ...column, number: number + 1 })),
    emptyCount,
  }
}

/** How a table is read. */
interface Plan {
  hasHeader: boolean
  addressAt: number
  /** Their numbers are places, from 0. */
  columns: RecipientColumn[]
}

/** Rows of the sample; a row that the sample cuts off is left out. */
function readRows(sample: string, delimiter: Parameters<typeof createCsvReader>[0], isWhole: boolean): string[][] {
  const reader = createCsvReader(delimiter, limits)
  const rows = reader.read(sample)
  if (isWhole) rows.push(...reader.end())
  return rows
    .filter((row) => !isEmptyRow(row))
    .map(({ cells }) => cells)
    .slice(0, sampleRowsCount)
}

/** Null where the rows are no table with one column of addresses. */
function planOf(rows: readonly string[][]): Plan | null {
  const header = rows[0] ?? []
  const named = findAddressColumn(header)
  const hasHeader = rows.length > 1 && detectHeader(rows.map((cells, at) => ({ line: at + 1, cells })))
  const below = hasHeader ? rows.slice(1) : rows
  const width = Math.max(0, ...rows.map(({ length }) => length))
  const counts = Array.from({ length: width }, (_, column) => {
    return below.filter((cells) => addressIn(cells[column] ?? '') !== null).length
  })
  const most = counts.indexOf(Math.max(0, ...counts))
  const addressAt = hasHeader && named >= 0 ? named : most
  // The only cell of a first line is a heading where it names addresses; otherwise it is an entry to be corrected.
  if (hasHeader && width === 1 && named < 0) return null
  const isPlainTable = rows.length > 1 && width > 1 && counts.filter((count) => count > 0).length === 1
  if (addressAt < 0 || (named < 0 && (counts[addressAt] ?? 0) * 2 <= below.length)) return null
  if (!hasHeader && !isPlainTable) return null
  const names: Record<string, string> = {}
  const columns = Array.from({ length: width }, (_, column) => {
    const values = below.map((cells) => cells[column] ?? '').filter((value) => value !== '')
    return { heading: hasHeader ? (header[column] ?? '') : '', number: column, values: values.slice(0, valuesCount) }
  })
    .filter(({ heading, number, values }) => number !== addressAt && heading + values.join('') !== '')
    .map((column) => {
      const name = freeName(variableName(column.heading) || `column_${column.number + 1}`, names)
      names[name] = name
      return { ...column, name }
    })
  return { hasHeader, addressAt, columns }
}

/** Without a number behind it, or with one where another column has the name. */
function freeName(name: string, taken: Readonly<Record<string, string>>): string {
  let free = name
  for (let no = 2; nameIn(taken, free) !== undefined; no += 1) free = `${name}_${no}`
  return free
}

function recipientOf(cells: readonly string[], { addressAt, columns }: Plan): Recipient {
  const found = addressIn(cells[addressAt] ?? '') ?? cells.map(addressIn).find((address) => address !== null)
  const entry = checkRecipient(found ?? textOf(cells, addressAt))
  const values = columns.flatMap(({ name, number }) => (cells[number] ? [[name, cells[number]] as const] : []))
  return values.length > 0 ? { ...entry, context: Object.fromEntries(values) } : entry
}

/** The cell in the address column, else the whole row. */
function textOf(cells: readonly string[], at: number): string {
  const cell = cells[at] ?? ''
  return cell === '' ? cells.join(' ').trim() : cell
}

/** Lets the page draw and take keys between two parts of a long text. */
const giveWay = () => new Promise<void>((resolve) => setTimeout(resolve))
