import type { Snapshot } from 'valtio/vanilla'
import { variableKey } from '../../../contract/core/variable-names.ts'
import type { AudienceState, ComposeState } from '../compose-state.ts'
import { textsOf, variableNames } from './empty-variables.ts'

/** Names that most lists have, after those that are known. */
const usual = ['first_name', 'last_name', 'company', 'city']
const namesMaxCount = 8

/**
 * Merge variables to offer: those that recipients have values for, then those in use, then usual ones. With `typed` those
 * that begin with it, at most 8.
 */
export function knownNames(
  {
    draft,
    tags,
    audience,
  }: Pick<Snapshot<ComposeState>, 'draft' | 'tags'> & { readonly audience?: Snapshot<AudienceState> | undefined },
  typed: string | null = null,
): string[] {
  const columns = Object.keys(draft.recipients.find(({ context }) => context)?.context ?? {})
  const mapped = draft.sources.flatMap((source) => source.columns.map(({ name }) => name))
  const used = variableNames(textsOf(draft))
  // Of two spellings the one that recipients have comes first and is the only one offered.
  const byKey = new Map<string, string>()
  const fields = draft.audience?.[0] ? (audience?.fields ?? []) : []
  for (const name of [...mapped, ...columns, ...fields, ...tags, ...used, ...usual]) {
    const key = variableKey(name)
    if (name !== typed && !byKey.has(key)) byKey.set(key, name)
  }
  const names = [...byKey.values()]
  if (typed === null) return names
  return names.filter((name) => name.toLowerCase().startsWith(typed.toLowerCase())).slice(0, namesMaxCount)
}
