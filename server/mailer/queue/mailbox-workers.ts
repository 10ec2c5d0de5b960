import { LRUCache } from 'lru-cache'
import { nextBackoffMs } from '../../domain/core/backoff.ts'
import { serializeError } from '../../domain/core/serialize-error.ts'
import { createPauseMonitor, type PauseMonitor } from './pause-monitor.ts'
import { MailboxWorker, type WorkerEnd, type MailboxWorkerPorts } from './mailbox-worker.ts'
import type { SenderPorts } from './sender-ports.ts'
import type { DueMailbox, MailboxKey } from '../../domain/messages/delivery.ts'

interface MailboxWorkersPorts
  extends Omit<MailboxWorkerPorts, 'areOthersWaiting' | 'pauseMonitor'>, Pick<SenderPorts, 'queue'> {
  /** A worker has ended while other mailboxes wait for one. */
  onCapacity: () => void
  workersMaxCount?: number
}

const workersDefaultCount = 500
const backoff = { minMs: 1000, maxMs: 60_000 }
/** A quota is checked again after this time at the latest. */
const quotaWaitMaxMs = 60_000

/** One worker for each mailbox with due deliveries, so that no mailbox waits for another. */
export class MailboxWorkers {
  readonly #ports: MailboxWorkersPorts
  readonly #pauseMonitor: PauseMonitor
  readonly #workers = new Map<string, MailboxWorker>()
  /** Mailboxes that must not start before `untilMs`: after failures, or while their quota is used up. */
  readonly #delays = new Map<string, { waitMs: number; untilMs: number; ownerLimits: string | null }>()
  /**
   * When the last worker of a mailbox ended. Only the order of competing mailboxes matters, so old entries may be evicted.
   */
  readonly #lastEndMs = new LRUCache<string, number>({ max: 10_000 })
  readonly #waitingIds = new Set<string>()
  /** Mailboxes whose worker ends to restart with new limits. */
  readonly #restarting = new Set<string>()
  #isStopping = false

  constructor(ports: MailboxWorkersPorts) {
    this.#ports = ports
    this.#pauseMonitor = createPauseMonitor({
      ...ports,
      listActive: () => this.#listActive(),
      onChecked: (pausedIds) => {
        for (const worker of this.#workers.values()) {
          worker.batch.dropPaused(pausedIds)
          worker.wakeConnections()
        }
      },
      dropSuppressed: (mailboxIds) =>
        Promise.all(mailboxIds.flatMap((mailboxId) => this.#workers.get(mailboxId)?.batch.dropNewlySuppressed() ?? [])),
    })
  }

  /**
   * Compares the owners' current limits of due mailboxes with those in use; restarts workers and ends delays that differ.
   */
  applyLimits(due: readonly DueMailbox[]): void {
    for (const { mailboxId, limits: own } of due) {
      const isOld = (known: { ownerLimits: string | null } | undefined) =>
        typeof known?.ownerLimits === 'string' && known.ownerLimits !== own
      if (isOld(this.#delays.get(mailboxId))) this.#delays.delete(mailboxId)
      const worker = this.#workers.get(mailboxId)
      if (!worker || !isOld(worker)) continue
      this.#restarting.add(mailboxId)
      worker.stop()
    }
  }

  /** Starts or notifies the workers of mailboxes with due deliveries; the one that ended first starts first. */
  ensureRunning(mailboxes: readonly MailboxKey[]): void {
    if (this.#isStopping) return
    const lastEndMs = ({ mailboxId }: MailboxKey) => this.#lastEndMs.peek(mailboxId) ?? 0
    for (const mailbox of mailboxes.toSorted((a, b) => lastEndMs(a) - lastEndMs(b))) {
      const worker = this.#workers.get(mailbox.mailboxId)
      if (worker) worker.notify()
      else if (!this.#isDelayed(mailbox.mailboxId)) this.#start(mailbox)
    }
  }

  /** Renews the connection slots of all workers. Call it every few seconds. */
  async renewSlots(): Promise<void> {
    const workers = [...this.#workers.values()].filter(({ hasSlots }) => hasSlots)
    if (workers.length === 0) return
    const mailboxes = workers.map(({ mailbox }) => mailbox)
    const kept = new Set(await this.#ports.slots.renew(this.#ports.holder, mailboxes))
    for (const worker of workers) {
      if (kept.has(worker.mailboxId) || !worker.hasSlots) continue
      this.#ports.log.warn({ mailbox: worker.mailboxId }, 'Connection slots were not renewed in time and expired')
      worker.dropSlots()
    }
  }

  /** Stops every worker; resolves when the messages in flight have ended. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const worker of this.#workers.values()) worker.stop()
    await Promise.all([...this.#workers.values()].map((worker) => worker.done))
    this.#pauseMonitor.stop()
  }

  abort(): void {
    this.#isStopping = true
    for (const worker of this.#workers.values()) worker.abort()
  }

  #start(mailbox: MailboxKey): void {
    const { mailboxId } = mailbox
    if (this.#workers.size >= (this.#ports.workersMaxCount ?? workersDefaultCount)) {
      this.#waitingIds.add(mailboxId)
      for (const worker of this.#workers.values()) {
        if (worker.isIdle) worker.stop()
      }
      return
    }
    this.#waitingIds.delete(mailboxId)
    const worker = new MailboxWorker(mailbox, {
      ...this.#ports,
      pauseMonitor: this.#pauseMonitor,
      areOthersWaiting: () => this.#waitingIds.size > 0,
    })
    this.#workers.set(mailboxId, worker)
    void worker.done.then(
      (end) => this.#handleEnd(worker, end),
      (error: unknown) => {
        this.#ports.log.error({ err: serializeError(error), mailbox: mailboxId }, 'A mailbox worker crashed')
        this.#handleEnd(worker, { kind: 'failed' })
      },
    )
  }

  #handleEnd(worker: MailboxWorker, end: WorkerEnd): void {
    const { mailbox, mailboxId } = worker
    this.#workers.delete(mailboxId)
    const isRestart = this.#restarting.delete(mailboxId) && (end.kind === 'drained' || end.kind === 'waiting')
    if (isRestart) this.#delays.delete(mailboxId)
    else if (end.kind === 'failed') this.#backOff(worker)
    // No back-off: the poll that starts the next worker succeeds only if the database is back.
    else if (end.kind === 'database_lost') this.#delay(worker, backoff.minMs)
    else if (end.kind === 'waiting') this.#delay(worker, Math.min(end.waitMs, quotaWaitMaxMs))
    else this.#delays.delete(mailboxId)
    this.#lastEndMs.set(mailboxId, this.#ports.tickMs())
    if (this.#waitingIds.size > 0) this.#ports.onCapacity()
    // Deliveries that became due while the worker was stopping must not wait for the next poll.
    else if (isRestart || (worker.isNotified && end.kind === 'drained')) this.ensureRunning([mailbox])
  }

  #backOff(worker: MailboxWorker): void {
    const previousMs = worker.batch.hasSent ? 0 : (this.#delays.get(worker.mailboxId)?.waitMs ?? 0)
    this.#delay(worker, nextBackoffMs(previousMs, backoff))
  }

  #delay({ mailboxId, ownerLimits }: MailboxWorker, waitMs: number): void {
    this.#delays.set(mailboxId, { waitMs, untilMs: this.#ports.tickMs() + waitMs, ownerLimits })
  }

  #isDelayed(mailboxId: string): boolean {
    return this.#ports.tickMs() < (this.#delays.get(mailboxId)?.untilMs ?? 0)
  }

  #listActive() {
    const workers = [...this.#workers.values()].filter(({ batch }) => batch.waitingCount + batch.inFlightCount > 0)
    const campaigns = new Map(workers.flatMap(({ batch }) => batch.campaigns()).map((key) => [key.campaignId, key]))
    return { mailboxes: workers.map(({ mailbox }) => mailbox), campaigns: [...campaigns.values()] }
  }
}
