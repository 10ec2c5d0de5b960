import { serializeError } from '../../domain/core/serialize-error.ts'
import { createPauseMonitor, type PauseMonitor } from './pause-monitor.ts'
import { MailboxWorker, type WorkerEnd, type MailboxWorkerPorts } from './mailbox-worker.ts'
import type { SenderPorts } from './sender-ports.ts'

interface MailboxWorkersPorts
  extends Omit<MailboxWorkerPorts, 'areOthersWaiting' | 'pauseMonitor'>, Pick<SenderPorts, 'queue'> {
  /** A worker has ended while mailboxes waited for one. */
  onCapacity: () => void
  workersMaxCount?: number
}

const workersDefaultCount = 500
const backoffMinMs = 1000
const backoffMaxMs = 60_000
/** A quota is looked at again after this long at the latest, whatever is known of it. */
const waitMaxMs = 60_000

/** The workers of all mailboxes that have something to send: each its own, so that none waits for another. */
export class MailboxWorkers {
  readonly #ports: MailboxWorkersPorts
  readonly #pauseMonitor: PauseMonitor
  readonly #workers = new Map<string, MailboxWorker>()
  /** Mailboxes that are not to be tried before an instant; after trouble later each time. */
  readonly #waits = new Map<string, { waitMs: number; untilMs: number; ownerLimits: string | null }>()
  /** When a mailbox last gave up its worker, for those that have more to send. */
  readonly #lastTurnMs = new Map<string, number>()
  readonly #wanting = new Set<string>()
  /** Whose workers end so that others begin with what their owners have set meanwhile. */
  readonly #anew = new Set<string>()
  #isStopping = false

  constructor(ports: MailboxWorkersPorts) {
    this.#ports = ports
    this.#pauseMonitor = createPauseMonitor({
      ...ports,
      listActive: () => this.#held(),
      onChecked: (halted) => {
        for (const worker of this.#workers.values()) {
          worker.batch.dropPaused(halted)
          worker.wakeConnections()
        }
      },
      dropSuppressed: (mailboxIds) =>
        Promise.all(mailboxIds.flatMap((mailboxId) => this.#workers.get(mailboxId)?.batch.dropNewlySuppressed() ?? [])),
    })
  }

  /**
   * The limits that the owners of due mailboxes have set, as they stand now. Where a worker began under others, nobody waits
   * for those any more, and connections are counted anew.
   */
  applyLimits(limits: ReadonlyMap<string, string>): void {
    for (const [mailboxId, own] of limits) {
      const isOld = (known: { ownerLimits: string | null } | undefined) =>
        typeof known?.ownerLimits === 'string' && known.ownerLimits !== own
      if (isOld(this.#waits.get(mailboxId))) this.#waits.delete(mailboxId)
      const worker = this.#workers.get(mailboxId)
      if (!worker || !isOld(worker)) continue
      this.#anew.add(mailboxId)
      worker.stop()
    }
  }

  /** These mailboxes may have something due. Who has waited longest comes first. */
  ensureRunning(mailboxIds: readonly string[]): void {
    if (this.#isStopping) return
    const turn = (mailboxId: string) => this.#lastTurnMs.get(mailboxId) ?? 0
    for (const mailboxId of mailboxIds.toSorted((a, b) => turn(a) - turn(b))) {
      const worker = this.#workers.get(mailboxId)
      if (worker) worker.notify()
      else if (!this.#isWaiting(mailboxId)) this.#begin(mailboxId)
    }
  }

  /** Keeps the connections of the workers counted as theirs. To be called every few seconds. */
  async renewSlots(): Promise<void> {
    const workers = [...this.#workers.values()].filter(({ hasSlots }) => hasSlots)
    if (workers.length === 0) return
    const mailboxIds = workers.map(({ mailboxId }) => mailboxId)
    const kept = new Set(await this.#ports.slots.renew(this.#ports.holder, mailboxIds))
    for (const worker of workers) {
      if (kept.has(worker.mailboxId) || !worker.hasSlots) continue
      this.#ports.log.warn({ config: worker.mailboxId }, 'Connections were not kept in time and belong to others now')
      worker.dropSlots()
    }
  }

  /** Resolves when every worker has finished its messages. */
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

  #begin(mailboxId: string): void {
    if (this.#workers.size >= (this.#ports.workersMaxCount ?? workersDefaultCount)) {
      this.#wanting.add(mailboxId)
      for (const worker of this.#workers.values()) {
        if (worker.isIdle) worker.stop()
      }
      return
    }
    this.#wanting.delete(mailboxId)
    const worker = new MailboxWorker(mailboxId, {
      ...this.#ports,
      pauseMonitor: this.#pauseMonitor,
      areOthersWaiting: () => this.#wanting.size > 0,
    })
    this.#workers.set(mailboxId, worker)
    void worker.done.then(
      (end) => this.#end(worker, end),
      (error: unknown) => {
        this.#ports.log.error({ err: serializeError(error), config: mailboxId }, 'A worker broke off')
        this.#end(worker, { kind: 'troubled' })
      },
    )
  }

  #end(worker: MailboxWorker, end: WorkerEnd): void {
    const { mailboxId } = worker
    this.#workers.delete(mailboxId)
    const isAnew = this.#anew.delete(mailboxId) && (end.kind === 'rested' || end.kind === 'waiting')
    if (isAnew) this.#waits.delete(mailboxId)
    else if (end.kind === 'troubled') this.#backOff(worker)
    // The poll that begins the next one has heard from the database.
    else if (end.kind === 'cut_off') this.#wait(worker, backoffMinMs)
    else if (end.kind === 'waiting') this.#wait(worker, Math.min(end.waitMs, waitMaxMs))
    else this.#waits.delete(mailboxId)
    this.#rememberTurn(mailboxId)
    if (this.#wanting.size > 0) this.#ports.onCapacity()
    // What came while it was saying goodbye must not wait for the next poll.
    else if (isAnew || (worker.isNotified && end.kind === 'rested')) this.ensureRunning([mailboxId])
  }

  #backOff(worker: MailboxWorker): void {
    const before = worker.batch.hasSent ? 0 : (this.#waits.get(worker.mailboxId)?.waitMs ?? 0)
    this.#wait(worker, Math.min(Math.max(2 * before, backoffMinMs), backoffMaxMs))
  }

  #wait({ mailboxId, ownerLimits }: MailboxWorker, waitMs: number): void {
    this.#waits.set(mailboxId, { waitMs, untilMs: this.#ports.tickMs() + waitMs, ownerLimits })
  }

  #isWaiting(mailboxId: string): boolean {
    return this.#ports.tickMs() < (this.#waits.get(mailboxId)?.untilMs ?? 0)
  }

  #held() {
    const workers = [...this.#workers.values()].filter(({ batch }) => batch.waitingCount + batch.inFlightCount > 0)
    const campaignIds = new Set(workers.flatMap(({ batch }) => batch.campaignIds()))
    return { mailboxIds: workers.map(({ mailboxId }) => mailboxId), campaignIds: [...campaignIds] }
  }

  /** Only the order matters, and only among those that compete: the oldest entries are as good as none. */
  #rememberTurn(mailboxId: string): void {
    this.#lastTurnMs.delete(mailboxId)
    this.#lastTurnMs.set(mailboxId, this.#ports.tickMs())
    const [oldest] = this.#lastTurnMs.keys()
    if (this.#lastTurnMs.size > 10_000 && oldest !== undefined) this.#lastTurnMs.delete(oldest)
  }
}
