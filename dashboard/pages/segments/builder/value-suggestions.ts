import { proxy, ref } from 'valtio/vanilla'
import { listContacts } from '../../../../client/audience/contact.ts'
import type { Session } from '../../../../client/core/http.ts'
import type { ContactField } from '../../../../contract/audience/contact-field.ts'
import { listMaxCount } from '../../../../contract/core/limits.ts'
import { fieldOfSubject, type Subject } from './rule-draft.ts'

/** Values that a field suggests. */
const suggestedCount = 10
/** Columns of a contact whose values repeat. */
const columns = ['locale', 'timezone', 'source'] as const

/** Values by the key of a custom field, or the name of a column. */
export type SuggestedValues = ReadonlyMap<string, readonly string[]>

/** The most frequent values of each field among the newest contacts. Asked for once, when a value is first edited. */
export function createValueSuggestions(session: Session) {
  /** Replaced whole, never changed in place. */
  const state = proxy<{ values: SuggestedValues }>({ values: ref(new Map()) })
  let isAsked = false

  return {
    state,
    async load(): Promise<void> {
      if (isAsked) return
      isAsked = true
      try {
        const { items } = await listContacts(session, { limit: listMaxCount })
        const counts: Record<string, Map<string, number>> = {}
        const add = (name: string, value: unknown) => {
          if (typeof value !== 'string' || value === '') return
          const found = (counts[name] ??= new Map<string, number>())
          found.set(value, (found.get(value) ?? 0) + 1)
        }
        for (const contact of items) {
          for (const [key, value] of Object.entries(contact.fields)) add(key, value)
          for (const name of columns) add(name, contact[name])
        }
        const values = Object.entries(counts).map(([name, found]) => [name, mostFrequent(found)] as const)
        state.values = ref(new Map(values))
      } catch {
        isAsked = false // Without suggestions a value is typed.
      }
    },
  }
}

const mostFrequent = (counts: ReadonlyMap<string, number>): string[] =>
  [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, suggestedCount)
    .map(([value]) => value)

/** What a row's value field suggests: the choices of its field first. */
export function suggestedValues(
  subject: Subject,
  fields: readonly ContactField[],
  values: SuggestedValues,
): readonly string[] {
  const field = fieldOfSubject(subject)
  if (typeof field === 'string') return values.get(field) ?? []
  const own = fields.find(({ no }) => no === field)
  if (own === undefined) return []
  return own.type === 'choice' ? own.choices : (values.get(own.key) ?? [])
}

export type ValueSuggestions = ReturnType<typeof createValueSuggestions>
