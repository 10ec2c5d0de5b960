import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { errorFacts } from '../domain/error-facts.ts'
import type { Settlement } from '../domain/delivery.ts'
import type { SenderLog, SenderQueue } from './sender-ports.ts'

/** Writes outcomes to the database, many at once, as often as it takes. */
export interface Settler {
  /** Resolves once it is committed. Never rejects; after `abandon` it stays open for ever. */
  settle: (settlement: Settlement) => Promise<void>
  /** Resolves when nothing waits to be committed. */
  idle: () => Promise<void>
  /** Gives up on what is not committed: the journal has it, and the next start settles it. */
  abandon: () => void
}

interface Waiting {
  settlement: Settlement
  resolve: () => void
}

const batchMaxCount = 500
const backoffMinMs = 100
const backoffMaxMs = 5000

export function createSettler(
  queue: Pick<SenderQueue, 'settle'>,
  onSettled: (messageIds: readonly string[]) => void,
  log: SenderLog,
): Settler {
  const waiting: Waiting[] = []
  const abandoned = new AbortController()
  let writing: Promise<void> | null = null

  /** One statement at a time: what comes meanwhile goes with the next. */
  const write = async () => {
    let backoffMs = backoffMinMs
    while (waiting.length > 0 && !abandoned.signal.aborted) {
      const batch = waiting.slice(0, batchMaxCount)
      try {
        const messageIds = await queue.settle(batch.map(({ settlement }) => settlement))
        waiting.splice(0, batch.length)
        for (const { resolve } of batch) resolve()
        onSettled(messageIds)
        backoffMs = backoffMinMs
      } catch (error) {
        log.warn({ err: errorFacts(error), count: waiting.length }, 'Deliveries could not be settled; trying again')
        await sleep(backoffMs, undefined, { signal: abandoned.signal }).catch(() => undefined) // Abandoned: the loop ends.
        backoffMs = Math.min(2 * backoffMs, backoffMaxMs)
      }
    }
    writing = null
  }

  return {
    settle(settlement) {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      waiting.push({ settlement, resolve: () => resolve(undefined) })
      // After the current turn, so that what settles together is written together.
      writing ??= nextTurn().then(write)
      return promise
    },
    async idle() {
      await writing
    },
    abandon: () => abandoned.abort(),
  }
}
