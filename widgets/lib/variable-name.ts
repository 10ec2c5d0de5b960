import { variableKey } from '../../contract/core/variable-names.ts'

const maxChars = 100
const validName = /^[\p{L}_][\p{L}\p{N}_.-]*$/u

/** Whether a merge variable can have this name. */
export const isVariableName = (name: string): boolean => name.length <= maxChars && validName.test(name)

/**
 * A heading as a merge variable, in its spelling where it can be one: `Vorname` stays, `First Name` is first_name; '' where
 * nothing of it can be one.
 */
export function variableName(heading: string): string {
  if (isVariableName(heading)) return heading
  const joined = heading.replace(/[^\p{L}\p{N}_.-]+/gu, '_').slice(0, maxChars)
  let name = joined.slice(joined.search(/[\p{L}_]/u))
  while (name.startsWith('_')) name = name.slice(1)
  while (name.endsWith('_')) name = name.slice(0, -1)
  return isVariableName(name) && variableKey(name) !== '' ? name.toLowerCase() : ''
}
