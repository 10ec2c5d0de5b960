import type { DeliveryOutcome } from '../../domain/messages/delivery.ts'
import { retryDelayMs } from '../../domain/messages/retry-schedule.ts'
import type { Outcome } from '../../domain/smtp/smtp-outcome.ts'

/** A row as it is claimed: its key, its claim, and the verdicts it had before. */
export interface ClaimKey {
  month: string
  id: number
  token: string
  attempts: number
}

/** How a delivery is let go after an attempt. `random` from 0 up to 1. */
export function toDeliveryOutcome(
  { month, id, token, attempts }: ClaimKey,
  outcome: Exclude<Outcome, { kind: 'pause' }>,
  random: number,
): DeliveryOutcome {
  const settlement = { month, id, token, reply: outcome.reply, isAttempt: true, isCounted: true, delayMs: 0 }
  switch (outcome.kind) {
    case 'sent':
      return { ...settlement, state: 'sent' }
    case 'fail':
      return { ...settlement, state: 'failed' }
    case 'unknown':
      return { ...settlement, state: 'unknown' }
    case 'retry': {
      const delayMs = retryDelayMs(attempts + 1, random)
      return delayMs === null ? { ...settlement, state: 'failed' } : { ...settlement, state: 'deferred', delayMs }
    }
  }
}
