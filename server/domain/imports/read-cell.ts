import { dateStyles, decimalStyles, type DateStyle, type DecimalStyle } from '../../../contract/audience/imports/csv.ts'
import { isDate } from '../../../contract/audience/segment-rule.ts'

const datePattern: Record<DateStyle, { pattern: RegExp; order: readonly [year: number, month: number, day: number] }> =
  {
    'YYYY-MM-DD': { pattern: /^(\d{4})-(\d{1,2})-(\d{1,2})$/, order: [1, 2, 3] },
    'YYYY/MM/DD': { pattern: /^(\d{4})\/(\d{1,2})\/(\d{1,2})$/, order: [1, 2, 3] },
    'DD.MM.YYYY': { pattern: /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, order: [3, 2, 1] },
    'DD/MM/YYYY': { pattern: /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, order: [3, 2, 1] },
    'MM/DD/YYYY': { pattern: /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, order: [3, 1, 2] },
    'DD-MM-YYYY': { pattern: /^(\d{1,2})-(\d{1,2})-(\d{4})$/, order: [3, 2, 1] },
  }

/** A time behind the date, which is dropped: contacts keep days. */
const timeOfDay = /[T ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?\s?(?:Z|[+-]\d{2}:?\d{2}|[AaPp][Mm])?$/
const dateMaxChars = 40

/** The day as `YYYY-MM-DD`; null where the text is no day of the calendar in this style. */
export function readDate(text: string, style: DateStyle): string | null {
  if (text.length > dateMaxChars) return null
  const { pattern, order } = datePattern[style]
  const parts = pattern.exec(text.replace(timeOfDay, ''))
  if (parts === null) return null
  const [year, month, day] = order.map((group) => parts[group] ?? '')
  const date = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`
  return isDate(date) ? date : null
}

const digitsMaxCount = 15
const grouped: Record<DecimalStyle, RegExp> = {
  '1,234.5': /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/,
  '1.234,5': /^[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?$/,
}
const numberMaxChars = 40

/** The number; null where the text is none in this style. */
export function readNumber(text: string, style: DecimalStyle): number | null {
  if (text.length > numberMaxChars || !grouped[style].test(text)) return null
  const plain = style === '1,234.5' ? text.replaceAll(',', '') : text.replaceAll('.', '').replace(',', '.')
  const number = Number(plain)
  return Number.isFinite(number) ? number : null
}

/** Whether a number has more digits than a double keeps: such values are kept as text. */
export function hasTooManyDigits(text: string): boolean {
  return /^[+-]?[\d.,]+$/.test(text) && text.replaceAll(/\D/g, '').replace(/^0+/, '').length > digitsMaxCount
}

const truths = new Map([
  ...['true', 'yes', 'y', 'ja', 'oui', 'sí', 'si', 'x', 'on', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'n', 'nein', 'non', 'off', '0'].map((word) => [word, false] as const),
])

/** Truth value of a word in the usual languages; null where it is none. */
export function readBoolean(text: string): boolean | null {
  return truths.get(text.toLowerCase()) ?? null
}

/** How the cells of a column are read. */
export type ColumnReading =
  | { type: 'text' }
  | { type: 'number'; style: DecimalStyle }
  | { type: 'date'; style: DateStyle }
  | { type: 'boolean' }

export interface InferredColumn {
  /** The first reading that fits every cell; text fits always. */
  reading: ColumnReading
  /** All readings of that type that fit: more than one is a choice for the person. */
  alternatives: readonly ColumnReading[]
  /** Numbers of the column have more digits than a double keeps, so that it stays text. */
  isLongNumber: boolean
}

/** Infers type and style of a column from sample cells; empty cells say nothing. */
export function inferColumn(cells: readonly string[]): InferredColumn {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  const isLongNumber = filled.some(hasTooManyDigits)
  const text: InferredColumn = { reading: { type: 'text' }, alternatives: [{ type: 'text' }], isLongNumber }
  if (filled.length === 0 || isLongNumber) return text
  const dates = dateStyles.filter((style) => filled.every((cell) => readDate(cell, style) !== null))
  if (dates.length > 0) return inferred(dates.map((style) => ({ type: 'date', style })))
  // A postal code or a telephone number begins with 0 or +: as a number it would lose them.
  const isCode = filled.some((cell) => /^(?:0\d|\+)/.test(cell))
  const numbers = isCode
    ? []
    : decimalStyles.filter((style) => filled.every((cell) => readNumber(cell, style) !== null))
  if (numbers.length > 0)
    return inferred(
      numbers.map((style) => ({ type: 'number', style })),
      filled,
    )
  return filled.every((cell) => readBoolean(cell) !== null) ? inferred([{ type: 'boolean' }]) : text
}

function inferred(readings: ColumnReading[], cells: readonly string[] = []): InferredColumn {
  const [reading = { type: 'text' as const }] = readings
  // Styles that give the same numbers are no choice.
  const isAlike = reading.type === 'number' && !cells.some((cell) => /[.,]/.test(cell))
  return { reading, alternatives: isAlike ? [reading] : readings, isLongNumber: false }
}
