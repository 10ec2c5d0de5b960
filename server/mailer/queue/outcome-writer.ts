import { setTimeout as sleep } from 'node:timers/promises'
import { serializeError } from '../../domain/core/serialize-error.ts'
import type { DeliveryOutcome } from '../../domain/messages/delivery.ts'
import type { SenderLog, SenderPorts } from './sender-ports.ts'

/** An outcome on its way to the database. */
export interface PendingOutcome {
  outcome: DeliveryOutcome
  /** Called once it is committed. */
  onCommitted: () => void
  /** For an address that is gone: kept on the list of those not to be written to, before the row is settled. */
  deadAddress: { mailboxId: string; address: string; reply: string } | null
}

/** Outcomes that are written together with something else. */
export interface PendingBatch {
  outcomes: readonly DeliveryOutcome[]
  /** They are committed. */
  committed: (messageIds: readonly string[]) => void
  /** They are not, as far as anybody knows: settling twice does no harm. */
  failed: () => void
}

/** Writes outcomes to the database, many at once, as often as it takes. */
export interface OutcomeWriter {
  add: (pending: PendingOutcome) => void
  /** What waits, to be carried along by a claim. */
  takePending: () => PendingBatch
  /** Writes what waits now, not when it is convenient. */
  flush: () => void
  /** Resolves when nothing waits to be committed. */
  drain: () => Promise<void>
  /** Gives up on what is not committed: the journal has it, and the next start settles it. */
  abandon: () => void
}

const batchMaxCount = 1000
/** So long an outcome waits for a claim that carries it along. */
const flushDelayMs = 250
const backoffMinMs = 100
const backoffMaxMs = 5000

type Ports = Pick<SenderPorts, 'queue' | 'suppressions' | 'onOutcomesWritten'> & { log: SenderLog }

export function createOutcomeWriter({ queue, suppressions, onOutcomesWritten, log }: Ports): OutcomeWriter {
  /** Oldest first; those with an address that is gone apart, for they take a statement more. */
  const waiting: PendingOutcome[] = []
  const pendingDead: PendingOutcome[] = []
  let inFlightCount = 0
  const abandonController = new AbortController()
  let writing: Promise<void> | null = null
  let flushTimer: NodeJS.Timeout | null = null
  let onEmpty: (() => void)[] = []

  const isEmpty = () => waiting.length + pendingDead.length + inFlightCount === 0

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

  /** One statement at a time: what comes meanwhile goes with the next. */
  const writeAll = async () => {
    let backoffMs = backoffMinMs
    while (waiting.length + pendingDead.length > 0 && !abandonController.signal.aborted) {
      const from = pendingDead.length > 0 ? pendingDead : waiting
      const batch = from.splice(0, batchMaxCount)
      inFlightCount += batch.length
      try {
        const messageIds = await writeBatch(batch)
        inFlightCount -= batch.length
        onBatchCommitted(batch, messageIds)
        backoffMs = backoffMinMs
      } catch (error) {
        inFlightCount -= batch.length
        from.unshift(...batch)
        log.warn({ err: serializeError(error), count: from.length }, 'Deliveries could not be settled; trying again')
        await sleep(backoffMs, undefined, { signal: abandonController.signal }).catch(() => undefined) // Abandoned: the loop ends.
        backoffMs = Math.min(2 * backoffMs, backoffMaxMs)
      }
    }
    writing = null
  }

  const flush = () => {
    if (flushTimer) clearTimeout(flushTimer)
    flushTimer = null
    if (waiting.length + pendingDead.length > 0) writing ??= writeAll()
  }

  return {
    add(one) {
      if (one.deadAddress && suppressions) pendingDead.push(one)
      else waiting.push(one)
      if (waiting.length >= batchMaxCount) flush()
      else flushTimer ??= setTimeout(flush, flushDelayMs)
    },
    takePending() {
      const batch = abandonController.signal.aborted ? [] : waiting.splice(0, batchMaxCount)
      inFlightCount += batch.length
      return {
        outcomes: batch.map(({ outcome }) => outcome),
        committed(messageIds) {
          inFlightCount -= batch.length
          onBatchCommitted(batch, messageIds)
        },
        failed() {
          inFlightCount -= batch.length
          waiting.unshift(...batch)
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
      abandonController.abort()
      if (flushTimer) clearTimeout(flushTimer)
    },
  }
}
