import type { DeliveryOutcome } from '../../domain/messages/delivery.ts'
import { retryDelayMs } from '../../domain/messages/retry-schedule.ts'
import type { Outcome } from '../../domain/smtp/smtp-outcome.ts'

/** A claimed row: its key, its claim token and the number of earlier attempts. */
export interface ClaimKey {
  workspaceId: string
  month: string
  id: number
  token: string
  attempts: number
}

/** The outcome to write after an attempt. `random`: from 0 up to 1. */
export function toDeliveryOutcome(
  { workspaceId, month, id, token, attempts }: ClaimKey,
  outcome: Exclude<Outcome, { kind: 'pause' }>,
  random: number,
): DeliveryOutcome {
  const base = { workspaceId, month, id, token, reply: outcome.reply, isAttempt: true, isCounted: true, delayMs: 0 }
  switch (outcome.kind) {
    case 'sent':
      return { ...base, state: 'sent' }
    case 'fail':
      return { ...base, state: 'failed' }
    case 'unknown':
      return { ...base, state: 'unknown' }
    case 'retry': {
      const delayMs = retryDelayMs(attempts + 1, random)
      return delayMs === null ? { ...base, state: 'failed' } : { ...base, state: 'deferred', delayMs }
    }
  }
}
