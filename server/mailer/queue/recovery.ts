import type { LeasedDelivery, DeliveryOutcome } from '../../domain/messages/delivery.ts'
import { classify } from '../../domain/smtp/smtp-outcome.ts'
import type { OrphanedJournal } from './journal-reader.ts'
import type { SenderPorts, SenderSlots } from './sender-ports.ts'
import { toDeliveryOutcome } from './delivery-outcome.ts'

/** The part of the queue that recovery needs. */
export interface RecoveryQueue {
  listLeased: (owner: string) => Promise<LeasedDelivery[]>
  writeOutcomes: (settlements: readonly DeliveryOutcome[]) => Promise<string[]>
}

interface Ports {
  queue: RecoveryQueue
  slots: Pick<SenderSlots, 'release'>
  suppressions?: SenderPorts['suppressions'] | undefined
  random: () => number
}

const interrupted = 'The server stopped between the message and the mail server’s answer'
const machineCrashed = 'The machine went down while this was on its way'

/**
 * Settles what a process that died held: by the reply where one had come, as unknown where the message was on its way,
 * back to the queue where it had not begun. The journal is removed last, and settling is fenced by the claim, so being
 * killed in the middle and starting over changes nothing. Gives how many rows were settled in which way.
 */
export async function recoverJournal(
  journal: OrphanedJournal,
  { queue, slots, suppressions, random }: Ports,
): Promise<Partial<Record<DeliveryOutcome['state'], number>>> {
  const leased = await queue.listLeased(journal.owner)
  const judged = leased.map((row) => judge(row, journal, random))
  const dead = judged.flatMap(({ deadAddress }) => deadAddress ?? [])
  if (dead.length > 0) await suppressions?.add(dead)
  const settlements = judged.map(({ outcome }) => outcome)
  await queue.writeOutcomes(settlements)
  if (journal.holder !== null) await slots.release(journal.holder, null)
  journal.remove()
  const counts: Partial<Record<DeliveryOutcome['state'], number>> = {}
  for (const { state } of settlements) counts[state] = (counts[state] ?? 0) + 1
  return counts
}

interface Judged {
  outcome: DeliveryOutcome
  deadAddress: { mailboxId: string; address: string; reply: string } | null
}

function judge(row: LeasedDelivery, journal: OrphanedJournal, random: () => number): Judged {
  const entry = journal.find(row)
  const { month, id, token, mailboxId, recipient: address } = row
  const settle = (given: Pick<DeliveryOutcome, 'state' | 'reply' | 'isAttempt'>): Judged => ({
    outcome: { month, id, token, ...given, isCounted: given.isAttempt, delayMs: 0 },
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
        outcome: toDeliveryOutcome(row, outcome, random()),
        deadAddress: isDead ? { mailboxId, address, reply: outcome.reply } : null,
      }
    }
    case 'intended':
      return settle({ state: 'unknown', reply: interrupted, isAttempt: true })
    case 'withdrawn':
      return backToQueue
    case undefined:
      return journal.mayBeTruncated ? settle({ state: 'unknown', reply: machineCrashed, isAttempt: true }) : backToQueue
  }
}
