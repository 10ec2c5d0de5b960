import { setTimeout as sleep } from 'node:timers/promises'
import { nextBackoffMs } from '../../domain/core/backoff.ts'
import { serializeError } from '../../domain/core/serialize-error.ts'
import type { DeadAddress, DeliveryOutcome } from '../../domain/messages/delivery.ts'
import type { SenderLog, SenderPorts } from './sender-ports.ts'

/** An outcome that is not yet in the database. */
export interface PendingOutcome {
  outcome: DeliveryOutcome
  /** Called once it is committed. */
  onCommitted: () => void
  /** For an address that does not exist: added to the suppression list before the outcome is written. */
  deadAddress: DeadAddress | null
}

/** Outcomes that another statement writes. */
export interface PendingBatch {
  outcomes: readonly DeliveryOutcome[]
  /** The statement was committed. */
  committed: (messageIds: readonly string[]) => void
  /** The statement failed, or its answer was lost: the outcomes are written again, which is idempotent. */
  failed: () => void
}

/** Writes delivery outcomes to the database in batches and retries until they are committed. */
export interface OutcomeWriter {
  add: (pending: PendingOutcome) => void
  /** Takes the pending outcomes, for a claim that writes them in the same statement. */
  takePending: () => PendingBatch
  /** Writes the pending outcomes now. */
  flush: () => void
  /** Resolves when every outcome is committed. */
  drain: () => Promise<void>
  /** Stops retrying: the journal holds what is not committed, and the next start writes it. */
  abandon: () => void
}

const batchMaxCount = 1000
/** How long an outcome waits for a claim that writes it in the same statement. */
const flushDelayMs = 250
const backoff = { minMs: 100, maxMs: 5000 }

type Ports = Pick<SenderPorts, 'suppressions' | 'onOutcomesWritten'> & {
  queue: Pick<SenderPorts['queue'], 'writeOutcomes'>
  log: SenderLog
}

export function createOutcomeWriter({ queue, suppressions, onOutcomesWritten, log }: Ports): OutcomeWriter {
  // Oldest first. Outcomes with a dead address are kept apart, because they need a second statement.
  const pending: PendingOutcome[] = []
  const pendingDead: PendingOutcome[] = []
  let inFlightCount = 0
  const abandoned = new AbortController()
  let writing: Promise<void> | null = null
  /** A flush was called while outcomes were written. */
  let isAskedAgain = false
  let flushTimer: NodeJS.Timeout | null = null
  let onEmpty: (() => void)[] = []

  const isWaitedFor = () => isAskedAgain || onEmpty.length > 0
  const countPending = () => pending.length + pendingDead.length
  const isEmpty = () => countPending() + inFlightCount === 0

  const onBatchCommitted = (batch: readonly PendingOutcome[], messageIds: readonly string[]) => {
    for (const { onCommitted } of batch) onCommitted()
    onOutcomesWritten(messageIds)
    if (!isEmpty()) return
    for (const resolve of onEmpty) resolve()
    onEmpty = []
  }

  const writeBatch = async (batch: readonly PendingOutcome[]) => {
    const addresses = batch.flatMap(({ deadAddress }) => deadAddress ?? [])
    if (addresses.length > 0) await suppressions?.add(addresses)
    return queue.writeOutcomes(batch.map(({ outcome }) => outcome))
  }

  /** Writes the outcomes that are pending now, one statement at a time. */
  const writePending = async () => {
    let delayMs = 0
    let leftCount = countPending()
    while (leftCount > 0 && countPending() > 0 && !abandoned.signal.aborted) {
      const from = pendingDead.length > 0 ? pendingDead : pending
      const batch = from.splice(0, Math.min(leftCount, batchMaxCount))
      inFlightCount += batch.length
      try {
        const messageIds = await writeBatch(batch)
        inFlightCount -= batch.length
        leftCount -= batch.length
        onBatchCommitted(batch, messageIds)
        delayMs = 0
      } catch (error) {
        inFlightCount -= batch.length
        from.unshift(...batch)
        log.warn({ err: serializeError(error), count: from.length }, 'Outcomes could not be written; retrying')
        delayMs = nextBackoffMs(delayMs, backoff)
        await sleep(delayMs, undefined, { signal: abandoned.signal }).catch(() => undefined) // Abandoned: the loop ends.
      }
    }
  }

  /**
   * Outcomes that are added meanwhile wait for the next claim or flush: while mails are sent they arrive all the time, and a
   * statement for the few that arrived during the last one costs nearly as much as one for hundreds.
   */
  const writeAll = async () => {
    do {
      isAskedAgain = false
      await writePending()
    } while (isWaitedFor() && countPending() > 0 && !abandoned.signal.aborted)
    writing = null
  }

  const flush = () => {
    if (flushTimer) clearTimeout(flushTimer)
    flushTimer = null
    if (countPending() === 0) return
    if (writing === null) writing = writeAll()
    else isAskedAgain = true
  }

  return {
    add(one) {
      if (one.deadAddress && suppressions) pendingDead.push(one)
      else pending.push(one)
      if (pending.length >= batchMaxCount) flush()
      else flushTimer ??= setTimeout(flush, flushDelayMs)
    },
    takePending() {
      const batch = abandoned.signal.aborted ? [] : pending.splice(0, batchMaxCount)
      inFlightCount += batch.length
      return {
        outcomes: batch.map(({ outcome }) => outcome),
        committed(messageIds) {
          inFlightCount -= batch.length
          onBatchCommitted(batch, messageIds)
        },
        failed() {
          inFlightCount -= batch.length
          pending.unshift(...batch)
          if (batch.length > 0) flush()
        },
      }
    },
    flush,
    drain() {
      flush()
      return isEmpty() ? Promise.resolve() : new Promise((resolve) => onEmpty.push(() => resolve()))
    },
    abandon() {
      abandoned.abort()
      if (flushTimer) clearTimeout(flushTimer)
    },
  }
}
