import type { ContactField } from '../../../contract/audience/contact-field.ts'

/** Columns beside those of custom fields, in their order. */
export const ownColumns = {
  added: 'Added',
  activity: 'Last activity',
  sent: 'Last mail',
  source: 'Source',
  language: 'Language',
  zone: 'Time zone',
} as const
export type OwnColumn = keyof typeof ownColumns

/** A column by its name, or of a custom field by its number, which a new name of the field does not change. */
export type ColumnId = OwnColumn | `field:${number}`

/** What a column needs of a field. */
export type ShownField = Pick<ContactField, 'no' | 'key' | 'label' | 'type'>

export interface ColumnChoice {
  id: ColumnId
  /** English for a column of ours; a custom field has the label of the workspace. */
  label: string
  field: ShownField | null
}

const storageKey = 'sendwright-contact-columns'
const fieldsByDefault = 2
const nameKeys = new Set(['first_name', 'last_name'])

/** Columns that may be shown. First and last name are always shown, with the address. */
export function columnChoices(fields: readonly ShownField[]): ColumnChoice[] {
  return [
    ...fields
      .filter(({ key }) => !nameKeys.has(key))
      .map((field): ColumnChoice => ({ id: `field:${field.no}`, label: field.label, field })),
    ...Object.entries(ownColumns).map(([id, label]): ColumnChoice => ({ id: id as OwnColumn, label, field: null })),
  ]
}

/** Ids of the columns that the person chose in this browser; null before any choice. */
export function readColumnIds(): readonly string[] | null {
  return localStorage.getItem(storageKey)?.split(',') ?? null
}

export function saveColumnIds(ids: readonly ColumnId[]): void {
  localStorage.setItem(storageKey, ids.join())
}

/** The columns to show, those of deleted fields left out. */
export function chosenColumns(choices: readonly ColumnChoice[], ids: readonly string[] | null): ColumnChoice[] {
  if (ids !== null) return choices.filter(({ id }) => ids.includes(id))
  const ofFields = choices.filter(({ field }) => field !== null).slice(0, fieldsByDefault)
  return [...ofFields, ...choices.filter(({ id }) => id === 'added' || id === 'activity')]
}
