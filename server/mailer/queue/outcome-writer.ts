import { setTimeout as sleep } from 'node:timers/promises'
import { errorFacts } from '../../domain/core/serialize-error.ts'
import type { Settlement } from '../../domain/messages/delivery.ts'
import type { SenderLog, SenderPorts } from './sender-ports.ts'

/** An outcome on its way to the database. */
export interface Waiting {
  settlement: Settlement
  /** Called once it is committed. */
  done: () => void
  /** For an address that is gone: kept on the list of those not to be written to, before the row is settled. */
  deadAddress: { mailboxId: string; address: string; reply: string } | null
}

/** Outcomes that are written together with something else. */
export interface Load {
  settlements: readonly Settlement[]
  /** They are committed. */
  delivered: (messageIds: readonly string[]) => void
  /** They are not, as far as anybody knows: settling twice does no harm. */
  failed: () => void
}

/** Writes outcomes to the database, many at once, as often as it takes. */
export interface Settler {
  add: (waiting: Waiting) => void
  /** What waits, to be carried along by a claim. */
  load: () => Load
  /** Writes what waits now, not when it is convenient. */
  flush: () => void
  /** Resolves when nothing waits to be committed. */
  idle: () => Promise<void>
  /** Gives up on what is not committed: the journal has it, and the next start settles it. */
  abandon: () => void
}

const batchMaxCount = 1000
/** So long an outcome waits for a claim that carries it along. */
const lingerMs = 250
const backoffMinMs = 100
const backoffMaxMs = 5000

type Ports = Pick<SenderPorts, 'queue' | 'suppressions' | 'onSettled'> & { log: SenderLog }

export function createSettler({ queue, suppressions, onSettled, log }: Ports): Settler {
  /** Oldest first; those with an address that is gone apart, for they take a statement more. */
  const waiting: Waiting[] = []
  const dead: Waiting[] = []
  let carriedCount = 0
  const abandoned = new AbortController()
  let writing: Promise<void> | null = null
  let linger: NodeJS.Timeout | null = null
  let onEmpty: (() => void)[] = []

  const isEmpty = () => waiting.length + dead.length + carriedCount === 0

  const conclude = (batch: readonly Waiting[], messageIds: readonly string[]) => {
    for (const { done } of batch) done()
    onSettled(messageIds)
    if (!isEmpty()) return
    for (const resolve of onEmpty) resolve()
    onEmpty = []
  }

  const writeSome = async (batch: readonly Waiting[]) => {
    const addresses = batch.flatMap(({ deadAddress }) => deadAddress ?? [])
    if (addresses.length > 0) await suppressions?.add(addresses)
    return queue.settle(batch.map(({ settlement }) => settlement))
  }

  /** One statement at a time: what comes meanwhile goes with the next. */
  const write = async () => {
    let backoffMs = backoffMinMs
    while (waiting.length + dead.length > 0 && !abandoned.signal.aborted) {
      const from = dead.length > 0 ? dead : waiting
      const batch = from.splice(0, batchMaxCount)
      carriedCount += batch.length
      try {
        const messageIds = await writeSome(batch)
        carriedCount -= batch.length
        conclude(batch, messageIds)
        backoffMs = backoffMinMs
      } catch (error) {
        carriedCount -= batch.length
        from.unshift(...batch)
        log.warn({ err: errorFacts(error), count: from.length }, 'Deliveries could not be settled; trying again')
        await sleep(backoffMs, undefined, { signal: abandoned.signal }).catch(() => undefined) // Abandoned: the loop ends.
        backoffMs = Math.min(2 * backoffMs, backoffMaxMs)
      }
    }
    writing = null
  }

  const flush = () => {
    if (linger) clearTimeout(linger)
    linger = null
    if (waiting.length + dead.length > 0) writing ??= write()
  }

  return {
    add(one) {
      if (one.deadAddress && suppressions) dead.push(one)
      else waiting.push(one)
      if (waiting.length >= batchMaxCount) flush()
      else linger ??= setTimeout(flush, lingerMs)
    },
    load() {
      const batch = abandoned.signal.aborted ? [] : waiting.splice(0, batchMaxCount)
      carriedCount += batch.length
      return {
        settlements: batch.map(({ settlement }) => settlement),
        delivered(messageIds) {
          carriedCount -= batch.length
          conclude(batch, messageIds)
        },
        failed() {
          carriedCount -= batch.length
          waiting.unshift(...batch)
          if (batch.length > 0) flush()
        },
      }
    },
    flush,
    idle() {
      flush()
      return isEmpty() ? Promise.resolve() : new Promise((resolve) => onEmpty.push(() => resolve()))
    },
    abandon() {
      abandoned.abort()
      if (linger) clearTimeout(linger)
    },
  }
}
