/** Values that fill merge variables, shared by a send call's recipients. */
export type MergeContext = Readonly<Record<string, string | number | boolean>>

/**
 * Two spellings of one variable have the same key: case, accents, blanks and punctuation make no difference. `{{Vorname}}`,
 * `{{vorname}}`, a column 'Vorname' and a field 'vorname' are one variable.
 */
export function variableKey(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()
}

/** Keys of the names that were compared last: the same few come with every recipient. */
// oxlint-disable-next-line sendwright/module-state -- a cache
const comparedKeys = new Map<string, string>()
const comparedMaxCount = 2000

function comparedKey(name: string): string {
  const known = comparedKeys.get(name)
  if (known !== undefined) return known
  if (comparedKeys.size >= comparedMaxCount) comparedKeys.clear()
  const key = variableKey(name)
  comparedKeys.set(name, key)
  return key
}

/** The name under which a context has the value of a variable: its own spelling, else another one with the same key. */
export function nameIn(context: MergeContext, name: string): string | undefined {
  if (Object.hasOwn(context, name)) return name
  const names = Object.keys(context)
  if (names.length === 0) return undefined
  const key = comparedKey(name)
  return key === '' ? undefined : names.find((one) => comparedKey(one) === key)
}

/** A recipient's own values and those that all share: the own value of a variable wins, however the names are spelled. */
export function mergeContexts<Value extends string | number | boolean>(
  shared: Readonly<Record<string, Value>>,
  own: Readonly<Record<string, Value>> | null | undefined,
): Readonly<Record<string, Value>> {
  if (!own) return shared
  const rest = Object.entries(shared).filter(([name]) => nameIn(own, name) === undefined)
  return { ...Object.fromEntries(rest), ...own }
}
