import { findAddressColumn, freeFieldKey, type TextEncoding } from '../../../contract/audience/imports/csv.ts'
import type { ImportTarget } from '../../../contract/audience/imports/import.ts'
import { importCellMaxBytes, importColumnsMaxCount } from '../../../contract/audience/imports/import.limits.ts'
import { addressProblems, parseAddress } from '../../../contract/core/address.ts'
import { variableKey } from '../../../contract/mail/merge-variables.ts'
import {
  cleanText,
  fieldValueProblems,
  fitsContact,
  readFieldValue,
  type FieldDefinition,
  type FieldValue,
  type ReadFieldValue,
} from '../contacts/field-value.ts'
import { inferColumn, readBoolean, readDate, readNumber, type ColumnReading, type InferredColumn } from './read-cell.ts'

/** Limits of a row. */
export const csvLimits = { cellMaxChars: importCellMaxBytes, columnsMaxCount: importColumnsMaxCount }

/** What is chosen for an import. */
export interface ImportFormat {
  encoding: TextEncoding
  delimiter: string
  hasHeader: boolean
}

/** A row of a file as it will be written. */
export interface ImportRow {
  line: number
  email: string
  key: string
  /** JSON of the values by field number. */
  fields: string
  locale: string | null
  timezone: string | null
  /** Names of lists that the row gives. */
  lists: readonly string[]
}

export type ReadRow = { ok: true; row: ImportRow } | { ok: false; line: number; reason: string; cells: string[] }

/** Types and styles of the columns, from the sample rows below the header. */
export function inferColumns(rows: readonly (readonly string[])[], columnsCount: number): InferredColumn[] {
  return Array.from({ length: columnsCount }, (_, column) => inferColumn(rows.map((cells) => cells[column] ?? '')))
}

/**
 * Suggests where columns go: the address by its name or by most of its cells, a field by its key or label, otherwise a new
 * field of the inferred type. Columns without a name are skipped.
 */
export function suggestTargets(
  headers: readonly string[],
  samples: readonly (readonly string[])[],
  inferred: readonly InferredColumn[],
  fields: readonly FieldDefinition[],
): ImportTarget[] {
  const named = findAddressColumn(headers)
  const byCells = headers.findIndex((_, column) => {
    const filled = samples.map((cells) => cells[column] ?? '').filter(Boolean)
    return filled.length > 0 && filled.filter((cell) => addressOf(cell).ok).length > filled.length / 2
  })
  const email = named === -1 ? byCells : named
  const used = new Set<number>()
  const keys = new Set(fields.map(({ key }) => key))
  const labels = new Set(fields.map(({ label }) => label.toLowerCase()))
  const names = headers.map(variableKey)
  return headers.map((header, column): ImportTarget => {
    if (column === email) return { kind: 'email' }
    const name = variableKey(header)
    if (name === '' || exportedColumns.has(name)) return { kind: 'skip' }
    if (name === 'timezone' || name === 'locale') return { kind: name }
    const free = fields.filter(({ no }) => !used.has(no))
    const field =
      free.find((one) => isNamed(one, name)) ??
      free.find((one) => nameColumns[one.key]?.has(name) && !names.some((other) => isNamed(one, other)))
    const reading = inferred[column]?.reading ?? { type: 'text' as const }
    if (field) {
      used.add(field.no)
      return { kind: 'field', no: field.no, ...styleOf(reading) }
    }
    const key = freeFieldKey(header, keys)
    keys.add(key)
    const label = freeLabel(labelOf(header), labels)
    labels.add(label.toLowerCase())
    return { kind: 'new_field', key, label, type: reading.type, ...styleOf(reading) }
  })
}

/** Whether a column of this name goes to the field. */
const isNamed = ({ key, label }: FieldDefinition, name: string) =>
  variableKey(key) === name || variableKey(label) === name

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' '))
/** Names of columns that mean nothing but a first or a last name in a usual language, by key of the field. */
const nameColumns: Readonly<Record<string, ReadonlySet<string>>> = {
  first_name: wordsOf('givenname forename vorname prenom voornaam fornavn imie'),
  last_name: wordsOf(
    'surname familyname nachname familienname zuname nomdefamille apellido apellidos cognome achternaam efternavn nazwisko',
  ),
}

/** The label, with a number behind it where a field has it already. */
function freeLabel(label: string, taken: ReadonlySet<string>): string {
  let free = label
  for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${label} ${number}`
  return free
}

/** Of a suggested label, so that a number has room behind it. */
const labelMaxChars = 190

/** The name of a column as people read it: names of programs such as `member_since` get blanks and a capital letter. */
function labelOf(header: string): string {
  const label = cleanText(header).slice(0, labelMaxChars)
  if (!/^[a-z][a-z\d_-]*$/.test(label)) return label
  const words = label.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Columns of an export that no import writes. */
const exportedColumns = new Set(['status', 'source', 'createdat'])

const styleOf = (reading: ColumnReading) => ('style' in reading ? { style: reading.style } : {})

/** The address of a cell, also of one with a name before it. */
function addressOf(cell: string): ReturnType<typeof parseAddress> {
  const open = cell.lastIndexOf('<')
  const isNamed = open !== -1 && cell.trimEnd().endsWith('>') && cell.length < 1000
  return parseAddress(isNamed ? cell.trimEnd().slice(open + 1, -1) : cell)
}

/** Reads the rows of a file by a plan; `fields` by number, those of the plan's new fields too. */
export function createRowReader(targets: readonly ImportTarget[], fields: ReadonlyMap<number, FieldDefinition>) {
  // One array for all rows: its `join` makes one text of a row, where `+` would leave a tree of its parts.
  const json: string[] = []
  return (line: number, cells: string[]): ReadRow => {
    const refuse = (reason: string): ReadRow => ({ ok: false, line, reason, cells })
    const row: ImportRow = { line, email: '', key: '', fields: '', locale: null, timezone: null, lists: noLists }
    json.length = 0
    for (const [column, target] of targets.entries()) {
      const cell = cells[column] ?? ''
      if (target.kind === 'field') {
        const field = cell === '' ? undefined : fields.get(target.no)
        if (!field) continue
        const read = readCell(cell.trim(), field, target.style)
        if (!read.ok) return refuse(`“${field.label}” ${fieldValueProblems[read.problem]}.`)
        if (read.value === null) continue
        if (!pushValue(json, field.no, read.value)) return refuse(`“${field.label}” ${unreadable}`)
      } else if (target.kind === 'email') {
        if (cell.includes(notDecoded)) return refuse(`The address ${unreadable}`)
        const parsed = addressOf(cell)
        if (!parsed.ok) return refuse(`The address ${addressProblems[parsed.problem]}.`)
        row.email = parsed.address
        row.key = parsed.key
      } else if (target.kind === 'list') {
        row.lists = [...row.lists, ...cell.split(',', 20).map(cleanText).filter(Boolean)]
      } else if (target.kind === 'locale' || target.kind === 'timezone') {
        row[target.kind] = cleanText(cell) || null
      }
    }
    if (cells.length > targets.length && cells.slice(targets.length).some((cell) => cell.trim() !== ''))
      return refuse('The row has more cells than the header.')
    json.push(json.length === 0 ? '{}' : '}')
    row.fields = json.join('')
    return fitsContact(row.fields) ? { ok: true, row } : refuse('The values exceed 64 kB.')
  }
}

const noLists: readonly string[] = []

/** What the decoder gives for bytes that the encoding does not have. */
const notDecoded = '\uFFFD'
const unreadable =
  'has a character that cannot be read. Choose another text encoding for the file, or correct the row and import it again.'

/** A text without a character that JSON escapes, and without one that was not decoded. */
const plainText = /^[^"\\\u0000-\u001f\uFFFD]*$/

/** False where the value has a character that was not decoded. */
function pushValue(json: string[], no: number, value: FieldValue): boolean {
  const isPlain = typeof value === 'string' && plainText.test(value)
  if (!isPlain && typeof value === 'string' && value.includes(notDecoded)) return false
  json.push(json.length === 0 ? '{"' : ',"', String(no), '":')
  if (isPlain) json.push('"', value, '"')
  else json.push(JSON.stringify(value))
  return true
}

function readCell(cell: string, field: FieldDefinition, style: string | undefined): ReadFieldValue {
  if (cell === '') return { ok: true, value: null }
  if (field.type === 'number') {
    const number = readNumber(cell, style === '1.234,5' ? '1.234,5' : '1,234.5')
    return readFieldValue(field, number ?? cell)
  }
  if (field.type === 'boolean') return readFieldValue(field, readBoolean(cell) ?? cell)
  if (field.type === 'date')
    return readFieldValue(field, readDate(cell, (style ?? 'YYYY-MM-DD') as 'YYYY-MM-DD') ?? cell)
  return readFieldValue(field, cell)
}
