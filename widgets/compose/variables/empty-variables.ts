import { nameIn, variableKey } from '../../../contract/core/variable-names.ts'
import { uniqueRecipients } from '../../lib/unique-recipients.ts'
import type { Recipient } from '../../lib/recipients.ts'
import type { Draft } from '../compose-state.ts'

/** A merge variable that some recipients get nothing in place of. */
export interface EmptyVariable {
  name: string
  /** Of how many recipients. */
  count: number
}

type Texts = Readonly<Pick<Draft, 'subject' | 'preheader' | 'messageBody'>>

/** The texts of a message that may have variables, as one. */
export const textsOf = ({ subject, preheader, messageBody }: Texts): string => `${subject} ${preheader} ${messageBody}`

/** Every mail has them from the server. */
export const given = /^(unsubscribe_url|preferences_url|postal_address)$/

const variable = /\\?\{\{\{?\s*(?:&\s*)?([\p{L}_][\p{L}\p{N}_.-]*)\s*(\|)?/gu

/** The variables of a text, each once; of those that are all without a default where `isBare`. */
export function variableNames(text: string, isBare = false): Set<string> {
  const names = new Set<string>()
  for (const [found, name, hasDefault] of text.matchAll(variable)) {
    if (name !== undefined && !(isBare && hasDefault !== undefined) && !found.startsWith('\\')) names.add(name)
  }
  return names
}

/** The variables of a message that have neither a default nor, for these recipients, a value. */
export function emptyVariables({
  context,
  recipients,
  ...texts
}: Texts & {
  readonly context: Readonly<Draft['context']>
  readonly recipients: readonly Recipient[]
}): EmptyVariable[] {
  const names = variableNames(textsOf(texts), true)
  const people = uniqueRecipients(recipients)
  return [...names]
    .filter((name) => !context[nameIn(context, name) ?? name] && !given.test(name))
    .map((name) => ({ name, count: people.length - ownCount(people, name) }))
    .filter(({ count }) => count > 0)
}

const ownCounts = new WeakMap<readonly Recipient[], ReadonlyMap<string, number>>()

/** How many of these people have their own value for a variable, however it is spelled. */
export function ownCount(people: readonly Recipient[], name: string): number {
  const counts = ownCounts.get(people) ?? countOwn(people)
  ownCounts.set(people, counts)
  return counts.get(variableKey(name)) ?? 0
}

function countOwn(people: readonly Recipient[]): Map<string, number> {
  const keys = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const { context = {} } of people) {
    for (const [name, value] of Object.entries(context)) {
      const key = keys.get(name) ?? variableKey(name)
      keys.set(name, key)
      if (value !== '') counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return counts
}
