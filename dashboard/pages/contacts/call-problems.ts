import { ApiError, errorText } from '../../../client/core/http.ts'

/** Why a call failed, by the field that it names; under `first` where the server names none. */
export type CallProblems = Readonly<Record<string, string>>

/**
 * The sentences of a failed call by field. The server's own words begin with a verb where the label is to be the subject:
 * `labels` are put before them.
 */
export function problemsOf(error: unknown, first: string, labels: Readonly<Record<string, string>> = {}): CallProblems {
  const items = error instanceof ApiError ? error.items : []
  if (items.length === 0) return { [first]: errorText(error) ?? '' }
  return Object.fromEntries(
    items.map(({ loc, msg }) => {
      const name = loc.findLast((part) => typeof part === 'string') ?? first
      const label = labels[name]
      return [name, label !== undefined && /^[a-z]/.test(msg) ? `${label} ${msg}` : msg]
    }),
  )
}
