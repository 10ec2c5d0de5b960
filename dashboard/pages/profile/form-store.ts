import { proxy } from 'valtio/vanilla'
import { ApiError, errorText } from '../../../client/core/http.ts'
import { pageLanguage } from '../../../widgets/lib/messages/messages.ts'

/** What a form of the profile reads. */
export interface FormState<Values> {
  status: 'idle' | 'saving' | 'saved' | 'failed'
  values: Values
  /** What to do about a field; after the first try. */
  problems: Partial<Record<keyof Values, string>>
  /** Why it could not be saved, where no field is to blame. */
  error: string | null
}

export interface FormDeps<Values> {
  initial: Values
  /** What keeps it from being saved, by field. */
  check: (values: Values) => Partial<Record<keyof Values, string>>
  save: (values: Values) => Promise<void>
  /** Empties it once it is saved, as a form with a password wants. */
  isEmptiedWhenSaved?: boolean
}

/** State and actions of one form. What was typed stays after a failure. */
export function createFormStore<Values extends Record<string, string>>(deps: FormDeps<Values>) {
  const state = proxy({ status: 'idle', values: { ...deps.initial }, problems: {}, error: null }) as FormState<Values>
  return {
    state,
    write<K extends keyof Values & string>(name: K, value: Values[K]): void {
      state.values[name] = value
      if (state.status === 'saving') return
      state.status = 'idle'
      if (Object.keys(state.problems).length > 0) state.problems = deps.check({ ...state.values })
    },
    async submit(): Promise<void> {
      if (state.status === 'saving') return
      const values = { ...state.values }
      state.problems = deps.check(values)
      if (Object.keys(state.problems).length > 0) return
      Object.assign(state, { status: 'saving', error: null })
      try {
        await deps.save(values)
        // What was typed meanwhile stays, and is not saved yet.
        const isChanged = Object.entries(values).some(([name, value]) => state.values[name] !== value)
        state.status = isChanged ? 'idle' : 'saved'
        if (deps.isEmptiedWhenSaved === true && !isChanged) state.values = { ...deps.initial }
      } catch (error) {
        Object.assign(state, { status: 'failed', error: waitText(error) })
      }
    },
  }
}

export type FormStore<Values extends Record<string, string>> = ReturnType<typeof createFormStore<Values>>

/** The text of an error, with the time of the next attempt if the server sends one. */
export function waitText(error: unknown): string {
  const message = errorText(error) ?? pageLanguage.t('An error occurred')
  if (!(error instanceof ApiError) || error.retryAfterMs === null) return message
  const at = new Date(Date.now() + error.retryAfterMs).toLocaleTimeString(pageLanguage.t.lang, { timeStyle: 'short' })
  return pageLanguage.t('{error} Try again at {time}.', { error: message, time: at })
}
