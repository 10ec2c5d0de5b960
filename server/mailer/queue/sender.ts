import { setTimeout as sleep } from 'node:timers/promises'
import { nextBackoffMs } from '../../domain/core/backoff.ts'
import { serializeError } from '../../domain/core/serialize-error.ts'
import { MaintenanceRunner } from './maintenance.ts'
import { createClaims } from './claims.ts'
import { openJournal, type Journal } from './journal.ts'
import { readOrphanedJournals, type OrphanedJournal } from './journal-reader.ts'
import { MailboxWorkers } from './mailbox-workers.ts'
import { recoverJournal } from './recovery.ts'
import type { SenderPorts } from './sender-ports.ts'
import { createOutcomeWriter } from './outcome-writer.ts'
import { createCompiledMessageCache } from './compiled-message-cache.ts'
import { createTextPool } from '../mime/text-pool.ts'
import type { MailboxKey } from '../../domain/messages/delivery.ts'

/** The send engine of one process. */
export interface Sender {
  /**
   * Recovers the journals of crashed processes, then sends due deliveries until it is stopped. Returns at once; throws if
   * the journal folder is unusable.
   */
  start: () => void
  /** Deliveries were accepted, for this mailbox if given. */
  wake: (mailbox?: MailboxKey) => void
  /** Whether it claims deliveries: recovery is complete and the database answers. */
  isReady: () => boolean
  /**
   * Stops claiming and waits for the messages in flight, at most `graceMs`, then destroys their connections. A second call
   * does so at once. The journal holds the outcomes that could not be written; the next start writes them.
   */
  stop: (graceMs?: number) => Promise<void>
}

const secondMs = 1000
const hourMs = 3600 * secondMs
const leaseMaxHours = 24
const pollMs = 1000
const backoff = { minMs: 250, maxMs: 5000 }
const graceDefaultMs = 25_000
/** A claim that its process sent right before it crashed has been executed after this time, or never will be. */
const lateClaimMs = 60 * secondMs
/** Time to write the last outcomes after the connections were destroyed. */
const finalWriteMs = 2000

export function createSender(ports: SenderPorts): Sender {
  const outcomeWriter = createOutcomeWriter(ports)
  const pool = createTextPool()
  const stopping = new AbortController()
  const cut = new AbortController()
  let running: { journal: Journal; workers: MailboxWorkers; loop: Promise<void> } | null = null
  let stopped: Promise<void> | null = null
  let isReady = false
  let isWoken = false
  let wakeLoop: (() => void) | null = null
  /** Recovered once; checked again, because the database may still execute a statement of the crashed process. */
  let recoveredJournals: { journal: OrphanedJournal; sinceMs: number }[] = []

  const waitForWork = async () => {
    const woken = new AbortController()
    wakeLoop = () => woken.abort()
    if (!isWoken) await sleepUnless(pollMs, AbortSignal.any([woken.signal, stopping.signal]))
    wakeLoop = null
    isWoken = false
  }

  /** Retries `work` until it succeeds or the sender is stopped. */
  const retryUntilStopped = async (failure: string, work: () => Promise<unknown>) => {
    for (let delayMs = 0; !stopping.signal.aborted;) {
      try {
        await work()
        return
      } catch (error) {
        isReady = false
        ports.log.warn({ err: serializeError(error) }, `${failure}; retrying`)
        delayMs = nextBackoffMs(delayMs, backoff)
        await sleepUnless(delayMs, stopping.signal)
      }
    }
  }

  const recover = (journal: OrphanedJournal) =>
    retryUntilStopped('The deliveries of an earlier run could not be recovered', async () => {
      const sinceMs = ports.tickMs()
      const counts = await recoverJournal({ ...journal, remove: () => undefined }, ports)
      recoveredJournals.push({ journal, sinceMs })
      ports.log.info(counts, 'Recovered the deliveries of an earlier run')
    })

  const recoverLate = async () => {
    for (const entry of recoveredJournals) {
      const { journal, sinceMs } = entry
      const isLast = ports.tickMs() - sinceMs > lateClaimMs
      await recoverJournal(isLast ? journal : { ...journal, remove: () => undefined }, ports)
      if (isLast) recoveredJournals = recoveredJournals.filter((other) => other !== entry)
    }
  }

  const run = async (
    orphanedJournals: readonly OrphanedJournal[],
    workers: MailboxWorkers,
    tasks: MaintenanceRunner,
  ) => {
    for (const journal of orphanedJournals) await recover(journal)
    while (!stopping.signal.aborted) {
      await retryUntilStopped('The queue cannot be read', async () => {
        const due = await ports.queue.listDueMailboxes()
        workers.applyLimits(due)
        workers.ensureRunning(due)
        isReady = !stopping.signal.aborted
        await tasks.runDue()
      })
      await waitForWork()
    }
  }

  const stopOnce = async (graceMs: number) => {
    isReady = false
    stopping.abort()
    if (!running) return
    const { journal, workers, loop } = running
    const finished = Promise.all([loop, workers.stop()]).then(() => outcomeWriter.drain())
    await Promise.race([finished, sleepUnless(graceMs, cut.signal)])
    workers.abort()
    await Promise.race([finished, sleepUnless(finalWriteMs, cut.signal)])
    cut.abort()
    outcomeWriter.abandon()
    journal.close()
    await pool.close()
  }

  return {
    start() {
      const orphanedJournals = readOrphanedJournals(ports.journal.folder, ports.journal.bootId)
      const holder = ports.newId()
      const journal = openJournal({ ...ports.journal, newId: ports.newId, holder })
      const claims = createClaims(journal, outcomeWriter, ports)
      const large = { pool, log: ports.log, newId: ports.newId }
      const compiledMessages = createCompiledMessageCache(
        ports.messages,
        ports.variables,
        large,
        undefined,
        ports.tracking,
      )
      const { network = {} } = ports
      const workers = new MailboxWorkers({
        ...ports,
        network,
        holder,
        claims,
        compiledMessages,
        outcomeWriter,
        onCapacity: () => wakeLoop?.(),
      })
      const tasks = [
        { intervalMs: 10 * secondMs, run: () => workers.renewSlots() },
        { intervalMs: 10 * secondMs, run: () => claims.releaseLost() },
        { intervalMs: secondMs, run: async () => (claims.hasLost() ? claims.releaseLost() : undefined) },
        { intervalMs: 10 * secondMs, run: recoverLate },
        { intervalMs: 60 * secondMs, run: () => ports.queue.cancelOrphans() },
        { intervalMs: hourMs, run: () => ports.queue.expireLeases(leaseMaxHours) },
        ...ports.maintenanceTasks,
      ]
      running = { journal, workers, loop: run(orphanedJournals, workers, new MaintenanceRunner(tasks, ports)) }
    },

    wake(mailbox) {
      if (mailbox !== undefined && isReady) running?.workers.ensureRunning([mailbox])
      else {
        isWoken = true
        wakeLoop?.()
      }
    },

    isReady: () => isReady,

    stop(graceMs = graceDefaultMs) {
      if (stopped) cut.abort()
      stopped ??= stopOnce(graceMs)
      return stopped
    },
  }
}

/** Resolves after `ms`, or when the signal aborts. */
async function sleepUnless(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined) // Aborted: resolves as well.
}
