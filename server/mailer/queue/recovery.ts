import type { DeadAddress, LeasedDelivery, DeliveryOutcome } from '../../domain/messages/delivery.ts'
import { classify } from '../../domain/smtp/smtp-outcome.ts'
import type { OrphanedJournal } from './journal-reader.ts'
import type { SenderPorts, SenderSlots } from './sender-ports.ts'
import { toDeliveryOutcome } from './delivery-outcome.ts'

/** The queue operations that recovery uses. */
export interface RecoveryQueue {
  listLeased: (owner: string) => Promise<LeasedDelivery[]>
  writeOutcomes: (outcomes: readonly DeliveryOutcome[]) => Promise<string[]>
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
 * Writes the outcomes of rows that a crashed process held: from the reply if there is one, `unknown` if the message was
 * being sent, back to the queue if it was not started. Idempotent: the claim token fences each write and the journal is
 * removed last, so an interrupted recovery can be repeated. Returns the number of rows by state.
 */
export async function recoverJournal(
  journal: OrphanedJournal,
  { queue, slots, suppressions, random }: Ports,
): Promise<Partial<Record<DeliveryOutcome['state'], number>>> {
  const leased = await queue.listLeased(journal.owner)
  const recovered = leased.map((row) => recoverRow(row, journal, random))
  const dead = recovered.flatMap(({ deadAddress }) => deadAddress ?? [])
  if (dead.length > 0) await suppressions?.add(dead)
  const outcomes = recovered.map(({ outcome }) => outcome)
  await queue.writeOutcomes(outcomes)
  if (journal.holder !== null) await slots.release(journal.holder, null)
  journal.remove()
  const counts: Partial<Record<DeliveryOutcome['state'], number>> = {}
  for (const { state } of outcomes) counts[state] = (counts[state] ?? 0) + 1
  return counts
}

interface Recovered {
  outcome: DeliveryOutcome
  deadAddress: DeadAddress | null
}

function recoverRow(row: LeasedDelivery, journal: OrphanedJournal, random: () => number): Recovered {
  const entry = journal.find(row)
  const { workspaceId, month, id, token, mailboxId, recipient: address } = row
  const outcomeOf = (given: Pick<DeliveryOutcome, 'state' | 'reply' | 'isAttempt'>): Recovered => ({
    outcome: { workspaceId, month, id, token, ...given, isCounted: given.isAttempt, delayMs: 0 },
    deadAddress: null,
  })
  const requeued = outcomeOf({ state: 'queued', reply: null, isAttempt: false })
  switch (entry?.kind) {
    case 'replied': {
      const { reply } = entry
      const result = classify({ phase: 'message', reply, libraryCode: null, systemCode: null, isHandedOver: true })
      // The next message of this mailbox gets the same reply and pauses it.
      if (result.kind === 'pause') return requeued
      const isDead = result.kind === 'fail' && result.isAddressDead
      return {
        outcome: toDeliveryOutcome(row, result, random()),
        deadAddress: isDead ? { workspaceId, mailboxId, address, reply: result.reply } : null,
      }
    }
    case 'intended':
      return outcomeOf({ state: 'unknown', reply: interrupted, isAttempt: true })
    case 'withdrawn':
      return requeued
    case undefined:
      return journal.mayBeTruncated ? outcomeOf({ state: 'unknown', reply: machineCrashed, isAttempt: true }) : requeued
  }
}
