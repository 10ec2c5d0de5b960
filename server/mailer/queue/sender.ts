import { setTimeout as sleep } from 'node:timers/promises'
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

/** The sender of one process. */
export interface Sender {
  /**
   * Settles what an earlier process left, then sends what is due, until it is stopped. Returns at once; throws where the
   * journal's folder cannot be used.
   */
  start: () => void
  /** Something was accepted: for this mailbox, if it is known. */
  wake: (mailboxId?: string) => void
  /** Whether it is claiming: started, recovered, and the database answers. */
  isReady: () => boolean
  /**
   * Stops claiming and waits for what is in flight, at most so long; then cuts it. Resolves when nothing of it runs any
   * more. A second call cuts at once. What could not be settled is in the journal for the next start.
   */
  stop: (graceMs?: number) => Promise<void>
}

const secondMs = 1000
const hourMs = 3600 * secondMs
const leaseMaxHours = 24
const pollMs = 1000
const retryMinMs = 250
const retryMaxMs = 5000
const graceDefaultMs = 25_000
/** A claim that was on its way to the database when its process died has come about after this long, or never will. */
const lateClaimMs = 60 * secondMs
/** After cutting, as long as a database may take to hear the last outcomes. */
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
  let stir: (() => void) | null = null
  /** Settled already, and looked at again: a database goes on with a statement whose process is gone. */
  let recoveredJournals: { left: OrphanedJournal; sinceMs: number }[] = []

  const rest = async () => {
    const stirred = new AbortController()
    stir = () => stirred.abort()
    if (!isWoken) await pause(pollMs, AbortSignal.any([stirred.signal, stopping.signal]))
    stir = null
    isWoken = false
  }

  /** Does it until it works or the sender is stopped. */
  const retryUntilStopped = async (trouble: string, work: () => Promise<unknown>) => {
    for (let waitMs = retryMinMs; !stopping.signal.aborted; waitMs = Math.min(2 * waitMs, retryMaxMs)) {
      try {
        await work()
        return
      } catch (error) {
        isReady = false
        ports.log.warn({ err: serializeError(error) }, `${trouble}; trying again`)
        await pause(waitMs, stopping.signal)
      }
    }
  }

  const recover = (left: OrphanedJournal) =>
    retryUntilStopped('What an earlier run had in hand could not be settled', async () => {
      const sinceMs = ports.tickMs()
      const counts = await recoverJournal({ ...left, remove: () => undefined }, ports)
      recoveredJournals.push({ left, sinceMs })
      ports.log.info(counts, 'Settled what an earlier run had in hand')
    })

  const recoverLate = async () => {
    for (const entry of recoveredJournals) {
      const { left, sinceMs } = entry
      const isLast = ports.tickMs() - sinceMs > lateClaimMs
      await recoverJournal(isLast ? left : { ...left, remove: () => undefined }, ports)
      if (isLast) recoveredJournals = recoveredJournals.filter((other) => other !== entry)
    }
  }

  const run = async (leftJournals: readonly OrphanedJournal[], workers: MailboxWorkers, tasks: MaintenanceRunner) => {
    for (const left of leftJournals) await recover(left)
    while (!stopping.signal.aborted) {
      await retryUntilStopped('The queue cannot be read', async () => {
        const due = await ports.queue.listDueMailboxes()
        workers.applyLimits(due)
        workers.ensureRunning([...due.keys()])
        isReady = !stopping.signal.aborted
        await tasks.runDue()
      })
      await rest()
    }
  }

  const stopOnce = async (graceMs: number) => {
    isReady = false
    stopping.abort()
    if (!running) return
    const { journal, workers, loop } = running
    const finished = Promise.all([loop, workers.stop()]).then(() => outcomeWriter.drain())
    await Promise.race([finished, pause(graceMs, cut.signal)])
    workers.abort()
    await Promise.race([finished, pause(finalWriteMs, cut.signal)])
    cut.abort()
    outcomeWriter.abandon()
    journal.close()
    await pool.close()
  }

  return {
    start() {
      const leftJournals = readOrphanedJournals(ports.journal.folder, ports.journal.bootId)
      const holder = ports.newId()
      const journal = openJournal({ ...ports.journal, newId: ports.newId, holder })
      const claims = createClaims(journal, outcomeWriter, ports)
      const large = { pool, log: ports.log, newId: ports.newId }
      const compiledMessages = createCompiledMessageCache(ports.messages, ports.variables, large)
      const { network = {} } = ports
      const workers = new MailboxWorkers({
        ...ports,
        network,
        holder,
        claims,
        compiledMessages,
        outcomeWriter,
        onCapacity: () => stir?.(),
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
      running = { journal, workers, loop: run(leftJournals, workers, new MaintenanceRunner(tasks, ports)) }
    },

    wake(mailboxId) {
      if (mailboxId !== undefined && isReady) running?.workers.ensureRunning([mailboxId])
      else {
        isWoken = true
        stir?.()
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

/** Resolves after so long, or at once when the signal comes. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined) // The signal is an end like any other.
}
