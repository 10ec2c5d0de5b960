import { addressProblems, parseAddress, type AddressProblem } from '../../../contract/core/address.ts'

/** An item of a recipient list that is not one address. */
export interface RefusedRecipient {
  /** Counts from 0. */
  index: number
  problem: AddressProblem
  /** What is wrong and what to do, without the address. */
  sentence: string
}

export type Recipients = { ok: true; addresses: string[] } | { ok: false; refused: RefusedRecipient[] }

/**
 * The distinct addresses of a list, in the order they first stand there: spellings that differ in case or in surrounding
 * blanks are one. If any item is not exactly one address, all such items instead, and nobody is to be written to.
 */
export function uniqueRecipients(list: readonly string[]): Recipients {
  const byKey = new Map<string, string>()
  const refused: RefusedRecipient[] = []
  for (const [index, item] of list.entries()) {
    const parsed = parseAddress(item)
    if (!parsed.ok) {
      const sentence = `Recipient ${index + 1} ${addressProblems[parsed.problem]}.`
      refused.push({ index, problem: parsed.problem, sentence })
    } else if (!byKey.has(parsed.key)) {
      byKey.set(parsed.key, parsed.address)
    }
  }
  return refused.length > 0 ? { ok: false, refused } : { ok: true, addresses: [...byKey.values()] }
}
