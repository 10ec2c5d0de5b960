import { proxy, ref } from 'valtio/vanilla'
import {
  createContactField,
  deleteContactField,
  listContactFields,
  updateContactField,
} from '../../../client/audience/contact-field.ts'
import { ApiError, errorText, isAbort, type Session } from '../../../client/core/http.ts'
import type { ContactField } from '../../../contract/audience/contact-field.ts'
import type { FieldType } from '../../../contract/audience/segment-rule.ts'
import { pageLanguage } from '../../../widgets/lib/messages/messages.ts'
import { problemsOf, type CallProblems } from '../contacts/call-problems.ts'

export interface FieldsState {
  status: 'loading' | 'ready' | 'failed'
  error: string | null
  fields: ContactField[]
}

/** A field as the form has it. */
export interface FieldEntry {
  label: string
  key: string
  type: FieldType
  choices: string[]
}

export type FieldsStore = ReturnType<typeof createFieldsStore>

/** The custom fields of the workspace's contacts. */
export function createFieldsStore(session: Session) {
  const state = proxy<FieldsState>({ status: 'loading', error: null, fields: ref([]) })
  const life = new AbortController()

  async function load(): Promise<void> {
    if (state.fields.length === 0) state.status = 'loading'
    try {
      const fields = await listContactFields(session, { signal: life.signal })
      Object.assign(state, { status: 'ready', error: null, fields: ref(fields) })
    } catch (error) {
      if (!isAbort(error)) Object.assign(state, { status: 'failed', error: errorText(error) })
    }
  }

  const problems = (error: unknown): CallProblems => {
    // Of a conflict the server names no part: another field has the key.
    const t = pageLanguage.t
    return problemsOf(error, 'key', { key: t('The name in mails'), label: t('The label'), choices: t('The field') })
  }

  return {
    state,
    load,
    start() {
      void load()
      return () => life.abort()
    },
    /** Adds a field, or changes that of a number; gives what is wrong, null where it is kept. */
    async save(no: number | null, { label, key, type, choices }: FieldEntry): Promise<CallProblems | null> {
      const more = type === 'choice' ? { choices } : {}
      try {
        await (no === null
          ? createContactField(session, { label, key, type, ...more })
          : updateContactField(session, no, { label, key, ...more }))
      } catch (error) {
        return problems(error)
      }
      void load()
      return null
    },
    /** Deletes a field with its values; `in_use` with the reason where segments use it and `isForced` is false. */
    async remove(no: number, isForced: boolean): Promise<'done' | { reason: 'in_use' | 'failed'; text: string }> {
      try {
        await deleteContactField(session, no, isForced ? { force: true } : {})
      } catch (error) {
        const reason = error instanceof ApiError && error.status === 409 ? 'in_use' : 'failed'
        return { reason, text: errorText(error) ?? '' }
      }
      void load()
      return 'done'
    },
  }
}

/** A key that the server takes, made of a label: `Birth Date` gives `birth_date`. */
export function keyOf(label: string): string {
  const plain = label
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
  return /^\d/.test(plain) ? `_${plain}` : plain
}
