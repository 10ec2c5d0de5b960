import { contactMaxBytes } from '../../../contract/audience/contact.limits.ts'
import { addressProblems, parseAddress } from '../../../contract/core/address.ts'
import { AppError, type ValidationItem } from '../../../contract/core/errors.ts'
import type { ContactEntry } from '../../domain/contacts/contact.ts'
import {
  fieldValueProblems,
  fitsContact,
  readFieldValue,
  type FieldDefinition,
  type FieldValue,
} from '../../domain/contacts/field-value.ts'

/** A contact as a caller gives it. */
export interface ContactInput {
  email: string
  /** By the key of their field. */
  fields?: Readonly<Record<string, unknown>> | undefined
  timezone?: string | null | undefined
  locale?: string | null | undefined
}

/**
 * Reads a contact to be written; `path` names it in errors. Throws `validation`, `field_unknown`, `field_value_invalid`,
 * `contact_too_large`.
 */
export function readContactEntry(
  { email, fields = {}, timezone, locale }: ContactInput,
  definitions: ReadonlyMap<string, FieldDefinition>,
  path: readonly (string | number)[] = ['body'],
): ContactEntry {
  const parsed = parseAddress(email)
  if (!parsed.ok) refuse([{ loc: [...path, 'email'], msg: addressProblems[parsed.problem], type: parsed.problem }])
  return {
    email: parsed.address,
    key: parsed.key,
    fields: readFields(fields, definitions, path),
    ...readPlaces({ timezone, locale }, path),
  }
}

/** Values by field number. Throws as `readContactEntry`. */
export function readFields(
  fields: Readonly<Record<string, unknown>>,
  definitions: ReadonlyMap<string, FieldDefinition>,
  path: readonly (string | number)[],
): Record<string, FieldValue | null> {
  const values: Record<string, FieldValue | null> = {}
  for (const [key, given] of Object.entries(fields)) {
    const field = definitions.get(key)
    const loc = [...path, 'fields', key]
    if (field === undefined) {
      const msg = 'is not a field of this workspace; create it under Fields first'
      throw new AppError('field_unknown', { items: [{ loc, msg, type: 'field' }] })
    }
    const read = readFieldValue(field, given)
    if (!read.ok) {
      const msg = `${fieldValueProblems[read.problem]}${read.problem === 'choice' ? `: ${field.choices.slice(0, 20).join(', ')}` : ''}`
      throw new AppError('field_value_invalid', { items: [{ loc, msg, type: read.problem }] })
    }
    values[field.no] = read.value
  }
  const kept = Object.entries(values).filter(([, value]) => value !== null)
  if (!fitsContact(JSON.stringify(Object.fromEntries(kept)))) throw contactTooLarge(path)
  return values
}

/** Time zone and language, checked; undefined stays undefined. Throws `validation`. */
export function readPlaces(
  { timezone, locale }: Pick<ContactInput, 'timezone' | 'locale'>,
  path: readonly (string | number)[],
): Pick<ContactEntry, 'timezone' | 'locale'> {
  if (typeof timezone === 'string' && !isTimezone(timezone))
    refuse([{ loc: [...path, 'timezone'], msg: 'is not a time zone; write it as Europe/Berlin', type: 'timezone' }])
  if (typeof locale === 'string' && !isLocale(locale))
    refuse([{ loc: [...path, 'locale'], msg: 'is not a language; write it as de or pt-BR', type: 'locale' }])
  return { timezone, locale }
}

function refuse(items: ValidationItem[]): never {
  throw new AppError('validation', { items })
}

export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return /^[A-Z]/.test(name) // Offsets such as +01:00 are no zone.
  } catch {
    return false
  }
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/** `contact_too_large`, with the place of the fields. */
export function contactTooLarge(path: readonly (string | number)[], cause?: unknown): AppError {
  const msg = `exceed ${contactMaxBytes / 1024} kB; store less in them`
  return new AppError('contact_too_large', { items: [{ loc: [...path, 'fields'], msg, type: 'too_large' }], cause })
}
