import { contactMaxBytes, fieldValueMaxChars } from '../../../contract/audience/contact.limits.ts'
import { isDate, type FieldType } from '../../../contract/audience/segment-rule.ts'

export type FieldValue = string | number | boolean

export interface FieldDefinition {
  /** Number within the workspace, never used again after a deletion. */
  no: number
  /** Name as merge variable. */
  key: string
  label: string
  type: FieldType
  /** Values of a field of type `choice`. */
  choices: readonly string[]
}

/** A field as it is stored. */
export interface FieldRow extends FieldDefinition {
  createdAt: Date
}

export type FieldValueProblem = 'text' | 'too_long' | 'number' | 'date' | 'boolean' | 'choice'

/** What is wrong with a value, each with the remedy. */
export const fieldValueProblems: Record<FieldValueProblem, string> = {
  text: 'takes text',
  too_long: `takes at most ${fieldValueMaxChars} characters`,
  number: 'takes a finite number',
  date: 'takes a day of the calendar, written YYYY-MM-DD',
  boolean: 'takes true or false',
  choice: 'takes one of its choices',
}

export type ReadFieldValue = { ok: true; value: FieldValue | null } | { ok: false; problem: FieldValueProblem }

/**
 * A value as it is stored: text trimmed and in Unicode form NFC, an empty text as null. Null removes a value.
 */
export function readFieldValue(field: Pick<FieldDefinition, 'type' | 'choices'>, value: unknown): ReadFieldValue {
  if (value === null) return { ok: true, value: null }
  if (field.type === 'number')
    return Number.isFinite(value) ? { ok: true, value: value as number } : { ok: false, problem: 'number' }
  if (field.type === 'boolean')
    return typeof value === 'boolean' ? { ok: true, value } : { ok: false, problem: 'boolean' }
  if (typeof value !== 'string') return { ok: false, problem: field.type === 'date' ? 'date' : 'text' }
  // Before the text is changed: normalisation of a long text is work.
  if (value.length > fieldValueMaxChars) return { ok: false, problem: 'too_long' }
  const text = cleanText(value)
  if (text === '') return { ok: true, value: null }
  if (field.type === 'date') return isDate(text) ? { ok: true, value: text } : { ok: false, problem: 'date' }
  if (field.type === 'choice' && !field.choices.includes(text)) return { ok: false, problem: 'choice' }
  return text.length > fieldValueMaxChars ? { ok: false, problem: 'too_long' } : { ok: true, value: text }
}

/** Text as it is stored: without NUL and unpaired surrogates, which PostgreSQL does not take, trimmed, in NFC. */
export function cleanText(text: string): string {
  return trimmedAscii.test(text) ? text : cleanAnyText(text)
}

/** As most values are written: nothing to take away and one form only. */
const trimmedAscii = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/

function cleanAnyText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '').normalize('NFC').trim()
}

/** Whether the values of a contact, as JSON by field number, fit into its limit. */
export function fitsContact(json: string): boolean {
  // A UTF-16 code unit has at most three bytes in UTF-8.
  return json.length * 3 <= contactMaxBytes || Buffer.byteLength(json) <= contactMaxBytes
}
