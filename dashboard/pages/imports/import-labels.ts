import type { DateStyle, DecimalStyle, TextEncoding, CsvDelimiter } from '../../../contract/audience/imports/csv.ts'
import type { Import, ImportState } from '../../../contract/audience/imports/import.ts'
import type { FieldType } from '../../../contract/audience/segment-rule.ts'
import type { Translate } from '../../../widgets/lib/messages/messages.ts'

/** Words for the states of an import; the kind colours them. */
export const importStateLabels: Record<ImportState, { word: string; kind: 'plain' | 'good' | 'warn' | 'bad' }> = {
  uploading: { word: 'Upload not finished', kind: 'warn' },
  mapping: { word: 'Not started', kind: 'warn' },
  checking: { word: 'Checking', kind: 'plain' },
  checked: { word: 'Checked, not started', kind: 'warn' },
  running: { word: 'Importing', kind: 'plain' },
  done: { word: 'Imported', kind: 'good' },
  cancelled: { word: 'Cancelled', kind: 'plain' },
  failed: { word: 'Stopped', kind: 'bad' },
  undoing: { word: 'Taking back', kind: 'plain' },
  undone: { word: 'Taken back', kind: 'plain' },
}

export const encodingLabels: Record<TextEncoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16, little endian',
  'utf-16be': 'UTF-16, big endian',
  'windows-1252': 'Windows-1252, Western',
  macintosh: 'Mac Roman',
}

export const delimiterLabels: Record<CsvDelimiter, string> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'vertical bar',
}

export const typeLabels: Record<FieldType, string> = {
  text: 'Text',
  number: 'Number',
  date: 'Date',
  boolean: 'Yes or no',
  choice: 'One of its choices',
}

/** A day and a number as each style writes them. */
export const styleExamples: Record<DateStyle | DecimalStyle, string> = {
  'YYYY-MM-DD': '2026-12-31',
  'YYYY/MM/DD': '2026/12/31',
  'DD.MM.YYYY': '31.12.2026',
  'DD/MM/YYYY': '31/12/2026',
  'MM/DD/YYYY': '12/31/2026',
  'DD-MM-YYYY': '31-12-2026',
  '1,234.5': '1,234.5',
  '1.234,5': '1.234,5',
}

type Counts = NonNullable<Import['counts']>

/** The counts whose sum is the number of rows, in the order in which they are shown. */
export const countLabels = [
  ['added', 'New contacts'],
  ['updated', 'Changed'],
  ['unchanged', 'Unchanged'],
  ['suppressed', 'Suppressed'],
  ['refused', 'Refused'],
] as const satisfies readonly (readonly [keyof Counts, string])[]

/** A number of bytes, as '6.4 MB'. */
export function sizeText(t: Translate<string>, bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return new Intl.NumberFormat(t.lang, {
    style: 'unit',
    unit: units[power],
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** power)
}

export const percentText = (t: Translate<string>, part: number): string =>
  new Intl.NumberFormat(t.lang, { style: 'percent', maximumFractionDigits: 0 }).format(part)
