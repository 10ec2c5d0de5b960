import { proxy, ref } from 'valtio/vanilla'
import { listFieldValues } from '../../../../client/audience/contact-field.ts'
import type { Session } from '../../../../client/core/http.ts'
import type { ContactField } from '../../../../contract/audience/contact-field.ts'
import { fieldOfSubject, type Subject } from './rule-draft.ts'

/** Columns of a contact whose values repeat. */
const columns: ReadonlySet<string> = new Set(['locale', 'timezone', 'source'])

/** By the number of a custom field, or the name of a column. */
export type SuggestedValues = ReadonlyMap<string, readonly string[]>

/** The most frequent values of the fields that rules ask about. */
export function createValueSuggestions(session: Session) {
  /** Replaced whole, never changed in place. */
  const state = proxy<{ values: SuggestedValues }>({ values: ref(new Map()) })
  const asked = new Set<string>()

  return {
    state,
    /** Loads the values of the field of a row; once for each field. */
    async load(subject: Subject): Promise<void> {
      const field = fieldOfSubject(subject)
      const name = String(field)
      if (asked.has(name) || (typeof field === 'string' && !columns.has(field))) return
      asked.add(name)
      try {
        const found = await listFieldValues(session, name)
        state.values = ref(new Map([...state.values, [name, found.map(({ value }) => value)]]))
      } catch {
        asked.delete(name) // Without suggestions a value is typed.
      }
    },
  }
}

/** What a row's value field suggests: the choices of a field that has some, else its most frequent values. */
export function suggestedValues(
  subject: Subject,
  fields: readonly ContactField[],
  values: SuggestedValues,
): readonly string[] {
  const field = fieldOfSubject(subject)
  const own = fields.find(({ no }) => no === field)
  return own?.type === 'choice' ? own.choices : (values.get(String(field)) ?? [])
}
