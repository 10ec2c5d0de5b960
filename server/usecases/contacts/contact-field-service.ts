import { contactFieldsMaxCount } from '../../../contract/audience/contact.limits.ts'
import { leavesOf, type FieldType, type SegmentRule } from '../../../contract/audience/segment-rule.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { FieldDefinition, FieldRow } from '../../domain/contacts/field-value.ts'
import type { ContactFieldStore } from '../../store/contacts/contact-field.ts'
import type { SegmentStore } from '../../store/segments/segment.ts'

interface Ports {
  fields: Pick<ContactFieldStore, 'list' | 'listValues' | 'create' | 'update' | 'remove'>
  segments: Pick<SegmentStore, 'listRules' | 'requestRebuild'>
  now: () => Date
}

export interface NewField {
  key: string
  label?: string | undefined
  type?: FieldType | undefined
  choices?: readonly string[] | undefined
}

/** Newest contacts whose values are counted. */
const valuesSampleCount = 20_000
const valuesMaxCount = 20

/** Manages the custom fields of a workspace's contacts. */
export function createContactFieldService({ fields, segments, now }: Ports) {
  return {
    listFields: (scope: Scope) => fields.list(scope),

    /** The most frequent values of a custom field or of `locale`, `timezone` or `source`, most frequent first. */
    listValues: (scope: Scope, field: string) =>
      fields.listValues(scope, field, { sampleCount: valuesSampleCount, limit: valuesMaxCount }),

    /** Throws `validation`, `field_exists`, `field_limit_reached`. */
    async createField(scope: Scope, field: NewField): Promise<FieldRow> {
      const made = await fields.create(scope, { ...checkField(field), createdAt: now() }, contactFieldsMaxCount)
      if (made === 'taken') throw new AppError('field_exists')
      if (made === 'limit') throw new AppError('field_limit_reached')
      return made
    },

    /** Throws `validation`, `field_not_found`, `field_exists`. */
    async updateField(
      scope: Scope,
      no: number,
      { key, label, choices }: { key?: string; label?: string; choices?: readonly string[] },
    ): Promise<FieldRow> {
      if (key !== undefined) checkKey(key)
      const changed = await fields.update(scope, no, {
        ...(key !== undefined && { key }),
        ...(label !== undefined && { label: cleanLabel(label) }),
        ...(choices !== undefined && { choices: cleanChoices(choices, 'choice') }),
      })
      if (changed === 'taken') throw new AppError('field_exists')
      if (changed === null) throw new AppError('field_not_found')
      return changed
    },

    /** Throws `field_not_found`, and `field_in_use` with the names of the segments, unless `isForced`. */
    async deleteField(scope: Scope, no: number, isForced: boolean): Promise<void> {
      if (!(await fields.list(scope)).some((field) => field.no === no)) throw new AppError('field_not_found')
      const using = isForced ? [] : (await segments.listRules(scope)).filter(({ rule }) => usesField(rule, no))
      if (using.length > 0) {
        const names = using.slice(0, 5).map(({ name }) => `“${name}”`)
        const detail = `Segments use this field: ${names.join(', ')}. Change them first, or delete it with ?force=true.`
        throw new AppError('field_in_use', { detail, extra: { segments: using.map(({ id }) => String(id)) } })
      }
      if (!(await fields.remove(scope, no, now()))) throw new AppError('field_not_found')
      await segments.requestRebuild(scope, now())
    },
  }
}

const usesField = (rule: SegmentRule, no: number): boolean =>
  [...leavesOf(rule)].some((leaf) => 'field' in leaf && leaf.field === no)

/** A field as it will be stored, without its number. Throws `validation`. */
export function checkField({ key, label, type = 'text', choices }: NewField): Omit<FieldDefinition, 'no'> {
  checkKey(key)
  return { key, label: cleanLabel(label ?? key), type, choices: cleanChoices(choices, type) }
}

function checkKey(key: string): void {
  if (/^[a-z_][a-z0-9_]*$/.test(key)) return
  const msg = 'takes lower case letters a to z, digits and _, and does not begin with a digit'
  throw new AppError('validation', { items: [{ loc: ['body', 'key'], msg, type: 'key' }] })
}

function cleanLabel(label: string): string {
  const text = label.normalize('NFC').trim()
  if (text !== '') return text
  throw new AppError('validation', { items: [{ loc: ['body', 'label'], msg: 'needs a name', type: 'missing' }] })
}

/** Each once, trimmed; a field of another type has none. */
function cleanChoices(choices: readonly string[] | undefined, type: FieldType): string[] {
  if (type !== 'choice') return []
  const cleaned = [...new Set(choices?.map((choice) => choice.normalize('NFC').trim()).filter(Boolean))]
  if (cleaned.length > 0) return cleaned
  const msg = 'needs at least one choice'
  throw new AppError('validation', { items: [{ loc: ['body', 'choices'], msg, type: 'missing' }] })
}
