import type { LeasedDelivery, Settlement } from '../domain/delivery.ts'
import { classify } from '../domain/smtp-outcome.ts'
import type { LeftJournal } from './journal-reader.ts'
import { settlementOf } from './settlement.ts'

/** The part of the queue that recovery needs. */
export interface RecoveryQueue {
  listLeased: (owner: string) => Promise<LeasedDelivery[]>
  settle: (settlements: readonly Settlement[]) => Promise<string[]>
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
  queue: RecoveryQueue,
  random: () => number,
): Promise<Partial<Record<Settlement['state'], number>>> {
  const leased = await queue.listLeased(journal.owner)
  const settlements = leased.map((row) => judge(row, journal, random))
  await queue.settle(settlements)
  journal.remove()
  const counts: Partial<Record<Settlement['state'], number>> = {}
  for (const { state } of settlements) counts[state] = (counts[state] ?? 0) + 1
  return counts
}

function judge(row: LeasedDelivery, journal: LeftJournal, random: () => number): Settlement {
  const entry = journal.find(row)
  const backToQueue: Settlement = { ...keyOf(row), state: 'queued', reply: null, isAttempt: false, delayMs: 0 }
  switch (entry?.kind) {
    case 'replied': {
      const outcome = classify({
        phase: 'message',
        reply: entry.reply,
        libraryCode: null,
        systemCode: null,
        isHandedOver: true,
      })
      // A mailbox that must pause says so again with its next message.
      return outcome.kind === 'pause' ? backToQueue : settlementOf(row, outcome, random())
    }
    case 'intended':
      return { ...keyOf(row), state: 'unknown', reply: interrupted, isAttempt: true, delayMs: 0 }
    case 'withdrawn':
      return backToQueue
    case undefined:
      if (!journal.isDoubtful) return backToQueue
      return { ...keyOf(row), state: 'unknown', reply: doubtful, isAttempt: true, delayMs: 0 }
  }
}

function keyOf({ month, id, token }: LeasedDelivery): Pick<Settlement, 'month' | 'id' | 'token'> {
  return { month, id, token }
}
