import { mergeContexts } from '../../contract/core/variable-names.ts'
import type { Recipient } from './recipients.ts'

const known = new WeakMap<readonly Recipient[], readonly Recipient[]>()

/**
 * Recipients of a mail: the entries with an address, each mailbox once, at its first position. Later entries of a mailbox
 * add merge values that the first one lacks. Memoised by list.
 */
export function uniqueRecipients(recipients: readonly Recipient[]): readonly Recipient[] {
  const found = known.get(recipients)
  if (found) return found
  const byKey = new Map<string, Recipient>()
  for (const entry of recipients) {
    const first = byKey.get(entry.key)
    if (!first && entry.problem === null) byKey.set(entry.key, entry)
    if (first && entry.context) byKey.set(entry.key, { ...first, context: mergeContexts(entry.context, first.context) })
  }
  const unique = [...byKey.values()]
  known.set(recipients, unique)
  return unique
}
