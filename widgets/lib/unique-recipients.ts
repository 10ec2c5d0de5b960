import type { Recipient } from './recipients.ts'

const known = new WeakMap<readonly Recipient[], readonly Recipient[]>()

/**
 * Who gets a mail: the entries that are addresses, each mailbox once, where it first stands. What its first entry does not
 * say for the merge variables, its later ones do. The same list gives the same people.
 */
export function uniqueRecipients(recipients: readonly Recipient[]): readonly Recipient[] {
  const found = known.get(recipients)
  if (found) return found
  const byKey = new Map<string, Recipient>()
  for (const entry of recipients) {
    const first = byKey.get(entry.key)
    if (!first && entry.problem === null) byKey.set(entry.key, entry)
    if (first && entry.context) byKey.set(entry.key, { ...first, context: { ...entry.context, ...first.context } })
  }
  const unique = [...byKey.values()]
  known.set(recipients, unique)
  return unique
}
