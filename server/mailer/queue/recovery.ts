import type { LeasedDelivery, Settlement } from '../../domain/messages/delivery.ts'
import { classify } from '../../domain/smtp/smtp-outcome.ts'
import type { LeftJournal } from './journal-reader.ts'
import type { SenderPorts, SenderSlots } from './sender-ports.ts'
import { settlementOf } from './delivery-outcome.ts'

/** The part of the queue that recovery needs. */
export interface RecoveryQueue {
  listLeased: (owner: string) => Promise<LeasedDelivery[]>
  settle: (settlements: readonly Settlement[]) => Promise<string[]>
}

interface Ports {
  queue: RecoveryQueue
  slots: Pick<SenderSlots, 'release'>
  suppressions?: SenderPorts['suppressions'] | undefined
  random: () => number
}

const interrupted = 'The server stopped between the message and the mail server’s answer'
const doubtful = 'The machine went down while this was on its way'

/**
 * Settles what a process that died held: by the reply where one had come, as unknown where the message was on its way,
 * back to the queue where it had not begun. The journal is removed last, and settling is fenced by the claim, so being
 * killed in the middle and starting over changes nothing. Gives how many rows were settled in which way.
 */
export async function recoverJournal(
  journal: LeftJournal,
  { queue, slots, suppressions, random }: Ports,
): Promise<Partial<Record<Settlement['state'], number>>> {
  const leased = await queue.listLeased(journal.owner)
  const judged = leased.map((row) => judge(row, journal, random))
  const dead = judged.flatMap(({ deadAddress }) => deadAddress ?? [])
  if (dead.length > 0) await suppressions?.add(dead)
  const settlements = judged.map(({ settlement }) => settlement)
  await queue.settle(settlements)
  if (journal.holder !== null) await slots.release(journal.holder, null)
  journal.remove()
  const counts: Partial<Record<Settlement['state'], number>> = {}
  for (const { state } of settlements) counts[state] = (counts[state] ?? 0) + 1
  return counts
}

interface Judged {
  settlement: Settlement
  deadAddress: { mailboxId: string; address: string; reply: string } | null
}

function judge(row: LeasedDelivery, journal: LeftJournal, random: () => number): Judged {
  const entry = journal.find(row)
  const { month, id, token, mailboxId, recipient: address } = row
  const settle = (given: Pick<Settlement, 'state' | 'reply' | 'isAttempt'>): Judged => ({
    settlement: { month, id, token, ...given, isCounted: given.isAttempt, delayMs: 0 },
    deadAddress: null,
  })
  const backToQueue = settle({ state: 'queued', reply: null, isAttempt: false })
  switch (entry?.kind) {
    case 'replied': {
      const { reply } = entry
      const outcome = classify({ phase: 'message', reply, libraryCode: null, systemCode: null, isHandedOver: true })
      // A mailbox that must pause says so again with its next message.
      if (outcome.kind === 'pause') return backToQueue
      const isDead = outcome.kind === 'fail' && outcome.isAddressDead
      return {
        settlement: settlementOf(row, outcome, random()),
        deadAddress: isDead ? { mailboxId, address, reply: outcome.reply } : null,
      }
    }
    case 'intended':
      return settle({ state: 'unknown', reply: interrupted, isAttempt: true })
    case 'withdrawn':
      return backToQueue
    case undefined:
      return journal.isDoubtful ? settle({ state: 'unknown', reply: doubtful, isAttempt: true }) : backToQueue
  }
}
