import type { ContactField } from '../../../contract/audience/contact-field.ts'
import { freeFieldKey, dateStyles, decimalStyles } from '../../../contract/audience/imports/csv.ts'
import type { Import, ImportTarget } from '../../../contract/audience/imports/import.ts'
import type { FieldType } from '../../../contract/audience/segment-rule.ts'

type ImportColumn = Import['columns'][number]
type NewField = Extract<ImportTarget, { kind: 'new_field' }>
type Style = NonNullable<NewField['style']>

/** A column of the file with its position and its name. */
export type NumberedColumn = ImportColumn & { at: number; name: string }

/** Types of a new field; one with choices needs its choices first. */
export const newFieldTypes = ['text', 'number', 'date', 'boolean'] as const satisfies readonly FieldType[]

/** A target as the value of an option. */
export const targetValue = (target: ImportTarget): string =>
  target.kind === 'field' ? `field:${target.no}` : target.kind

const stylesOfType = (type: FieldType): readonly Style[] =>
  type === 'date' ? dateStyles : type === 'number' ? decimalStyles : []

/** The styles in which a column can be read as a type: those that fit its cells, all of the type where none fits. */
export function stylesFor({ readings }: Pick<ImportColumn, 'readings'>, type: FieldType): readonly Style[] {
  const fitting = readings.flatMap((reading) => (reading.type === type && reading.style ? [reading.style] : []))
  return fitting.length > 0 ? fitting : stylesOfType(type)
}

const styleOf = (column: ImportColumn, type: FieldType) => {
  const [style] = stylesFor(column, type)
  return style ? { style } : {}
}

/** The type that the cells of a column are read as; null where the column goes to no field. */
export function typeOf(target: ImportTarget, fields: readonly ContactField[]): FieldType | null {
  if (target.kind === 'new_field') return target.type
  return target.kind === 'field' ? (fields.find(({ no }) => no === target.no)?.type ?? null) : null
}

/** A new field for a column. `label` is for people; the key follows from it. */
export function newField(
  column: ImportColumn,
  { label, type }: { label: string; type: FieldType },
  taken: ReadonlySet<string>,
): ImportTarget {
  return { kind: 'new_field', key: freeFieldKey(label, taken), label, type, ...styleOf(column, type) }
}

/** Keys that a new field of a column cannot have: those of fields and of the other new ones. */
export function takenKeys(record: Pick<Import, 'columns'>, at: number, fields: readonly ContactField[]): Set<string> {
  const others = record.columns.flatMap(({ target }, other) =>
    other !== at && target.kind === 'new_field' ? [target.key] : [],
  )
  return new Set([...fields.map(({ key }) => key), ...others])
}

/** The target of an option. */
export function targetOf(
  value: string,
  column: ImportColumn,
  fields: readonly ContactField[],
  given: { label: string; taken: ReadonlySet<string> },
): ImportTarget {
  if (value === 'new_field') {
    const [reading] = column.readings
    return newField(column, { label: given.label, type: reading?.type ?? 'text' }, given.taken)
  }
  const field = fields.find(({ no }) => value === `field:${no}`)
  if (field) return { kind: 'field', no: field.no, ...styleOf(column, field.type) }
  return value === 'email' || value === 'list' || value === 'locale' || value === 'timezone'
    ? { kind: value }
    : { kind: 'skip' }
}
