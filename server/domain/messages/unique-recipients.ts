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
 * The unique addresses of a list, in order of first occurrence; case and surrounding blanks are ignored. If any item is not
 * exactly one address, the invalid items instead, and nothing must be sent.
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
