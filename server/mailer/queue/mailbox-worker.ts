import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../../domain/core/database-unavailable.ts'
import { serializeError } from '../../domain/core/serialize-error.ts'
import { classify } from '../../domain/smtp/smtp-outcome.ts'
import type { Claims } from './claims.ts'
import { ConnectionPool } from './connection-pool.ts'
import { AdaptiveClaimSize } from './claim-size.ts'
import { pauseReason } from './pause-reason.ts'
import type { SenderMailbox, SenderPorts } from './sender-ports.ts'
import { createSmtpError, SmtpError } from '../smtp/smtp-error.ts'
import { openSession, type SmtpNetwork } from '../smtp/smtp-session.ts'
import { DeliveryBatch, type Pause, type DeliveryBatchPorts } from './delivery-batch.ts'
import type { MailboxKey } from '../../domain/messages/delivery.ts'

/**
 * How a mailbox worker ended. `drained`: nothing is due, or it made room for another mailbox. `paused`: its mailbox was
 * paused. `waiting`: retry after `waitMs`, because the quota is used up or other processes hold every connection slot.
 * `failed`: retry with a back-off. `database_lost`: the database is away, or the mailbox got new credentials meanwhile; the
 * mailbox itself has no fault.
 */
export type WorkerEnd =
  | { kind: 'drained' | 'paused' | 'failed' | 'database_lost' }
  | { kind: 'waiting'; waitMs: number }

export interface MailboxWorkerPorts
  extends Omit<DeliveryBatchPorts, 'mailbox'>, Pick<SenderPorts, 'mailboxes' | 'slots' | 'tickMs'> {
  claims: Claims
  network: SmtpNetwork
  /** Identifies this sender in the table of connection slots. */
  holder: string
  /** Whether other mailboxes wait for a worker. */
  areOthersWaiting: () => boolean
}

/** Most connections that one process opens for one mailbox. */
const connectionsMaxCount = 20
/** Idle connections are closed after this time. */
const idleTimeoutMs = 20_000
/** If other mailboxes wait for a worker, a busy one ends after this time. */
const yieldAfterMs = 5000
/** Retry delay if other processes hold every connection slot. */
const noSlotRetryMs = 1000

/**
 * Sends the due deliveries of one mailbox. It claims ahead of its connections and stays idle for a while when none are
 * due.
 */
export class MailboxWorker {
  readonly mailbox: MailboxKey
  readonly done: Promise<WorkerEnd>
  readonly batch: DeliveryBatch
  readonly #ports: MailboxWorkerPorts
  readonly #claimSize: AdaptiveClaimSize
  /** Aborts connections that are being opened and waits; open connections finish their messages. */
  readonly #closing = new AbortController()
  readonly #startedMs: number
  #pool: ConnectionPool | null = null
  #opened: SenderMailbox | null = null
  /** The mailbox that a session signed in with, or that a sign-in error refers to. */
  readonly #mailboxBySession = new WeakMap<object, SenderMailbox>()
  #ownerLimits: string | null = null
  #end: WorkerEnd | null = null
  /** Reply to store with the remaining rows as a failed attempt; null: they were not attempted. */
  #failureReply: string | null = null
  #isNotified = true
  #isIdle = false
  #isPausing = false
  #wake: (() => void) | null = null

  constructor(mailbox: MailboxKey, ports: MailboxWorkerPorts) {
    this.mailbox = mailbox
    this.#ports = ports
    this.#startedMs = ports.tickMs()
    this.#claimSize = new AdaptiveClaimSize(ports.tickMs)
    this.batch = new DeliveryBatch(
      { ...ports, mailbox },
      {
        onProgress: () => this.#wake?.(),
        onMailReady: () => this.wakeConnections(),
        onPause: (outcome, error, session) => void this.#pause(outcome, error, this.#mailboxBySession.get(session)),
        onError: (error) => void this.#handleError(error),
      },
    )
    this.done = this.#run()
  }

  get mailboxId(): string {
    return this.mailbox.mailboxId
  }

  /** Whether it was notified since its last claim. */
  get isNotified(): boolean {
    return this.#isNotified
  }

  get isIdle(): boolean {
    return this.#isIdle
  }

  /** The owner's limits that this worker started with; null until it has read them. */
  get ownerLimits(): string | null {
    return this.#ownerLimits
  }

  /** Deliveries may be due: claims again. */
  notify(): void {
    this.#isNotified = true
    this.#wake?.()
  }

  /** Lets idle connections ask for mails again. */
  wakeConnections(): void {
    this.#pool?.wake()
  }

  /** Starts no further message; `done` resolves when the messages in flight have ended. */
  stop(): void {
    this.#finish({ kind: 'drained' })
  }

  /** Destroys every connection: messages in flight fail at once. */
  abort(): void {
    this.stop()
    this.#pool?.destroy()
  }

  /** Whether it holds connection slots. */
  get hasSlots(): boolean {
    return this.#pool !== null && this.#end === null
  }

  /** Its slots expired: it finishes the messages in flight, and the next worker acquires new slots. */
  dropSlots(): void {
    this.#finish({ kind: 'waiting', waitMs: noSlotRetryMs })
  }

  async #run(): Promise<WorkerEnd> {
    try {
      await this.#sendAll()
    } catch (error) {
      await this.#handleError(error)
    }
    this.#finish({ kind: 'drained' })
    await this.#pool?.drain()
    this.batch.release(this.#failureReply)
    this.#ports.outcomeWriter.flush()
    await this.#pool?.quit()
    await this.#releaseSlots()
    return this.#end ?? { kind: 'drained' }
  }

  async #sendAll(): Promise<void> {
    const { mailboxes, slots, holder } = this.#ports
    const mailbox = await mailboxes.open(this.mailbox)
    this.#ownerLimits = mailbox?.ownerLimits ?? null
    if (!mailbox || mailbox.isElsewhere === true || this.#end) return
    this.#opened = mailbox
    const limitCount = mailbox.limits.connectionCount
    const slotCount = await slots.acquire({ ...this.mailbox, holder, wantedCount: connectionsMaxCount, limitCount })
    if (slotCount === 0) {
      this.#finish({ kind: 'waiting', waitMs: noSlotRetryMs })
      return
    }
    this.#pool = new ConnectionPool(slotCount, {
      open: () => this.#open(),
      batch: this.batch,
      messagesPerConnectionCount: () => this.#opened?.limits.messagesPerConnectionCount ?? 1,
      onOpenFailed: (error) => void this.#handleError(error),
      onIdle: () => this.#wake?.(),
    })
    while (!this.#isEnded()) await this.#claimAndSend(this.#pool, mailbox)
  }

  /** Claims once and waits until the next claim is due. */
  async #claimAndSend(pool: ConnectionPool, mailbox: SenderMailbox): Promise<void> {
    if (this.#shouldYield()) {
      this.stop()
      return
    }
    const { claims, pauseMonitor } = this.#ports
    this.#isNotified = false
    const limit = this.#claimSize.limit
    const { rows, waitMs } = await claims.take({ ...this.mailbox, limits: mailbox.limits }, limit)
    this.#claimSize.claimed(rows.length)
    pauseMonitor.watch()
    await this.batch.add(rows)
    pool.grow()
    if (rows.length === limit) {
      await this.#waitUntil(() => this.batch.waitingCount <= this.#claimSize.refillThreshold)
      this.#claimSize.sent(rows.length)
      return
    }
    // A quota frees up step by step: the connections stay open, because frequent sign-ins look like an attack.
    if (waitMs !== null && waitMs <= idleTimeoutMs) {
      await this.#sleep(waitMs)
      return
    }
    await this.#waitUntil(() => {
      const { waitingCount, inFlightCount } = this.batch
      return waitingCount + inFlightCount === 0 || (this.#isNotified && waitingCount <= this.#claimSize.refillThreshold)
    })
    if (this.isNotified) return
    if (waitMs !== null) this.#finish({ kind: 'waiting', waitMs })
    else await this.#idle()
  }

  async #open() {
    const mailbox = await this.#ports.mailboxes.open(this.mailbox)
    if (!mailbox?.endpoint) throw createSmtpError('connect', 'NO_SERVER')
    this.#opened = mailbox
    try {
      const session = await openSession(mailbox.endpoint, mailbox.login, this.#closing.signal, this.#ports.network)
      this.#mailboxBySession.set(session, mailbox)
      return session
    } catch (error) {
      this.#mailboxBySession.set(error as object, mailbox)
      throw error
    }
  }

  /** Waits for a notification and keeps the connections open; stops after the idle timeout. */
  async #idle(): Promise<void> {
    this.#ports.outcomeWriter.flush()
    this.#isIdle = true
    const timer = setTimeout(() => this.stop(), idleTimeoutMs)
    await this.#waitUntil(() => this.#isNotified)
    clearTimeout(timer)
    this.#isIdle = false
  }

  /** Waits for `ms` or until the worker ends. */
  async #sleep(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#closing.signal }).catch(() => undefined) // Aborted: the worker ends.
  }

  async #waitUntil(isTrue: () => boolean): Promise<void> {
    while (!this.#isEnded() && !isTrue()) {
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
    this.#wake = null
  }

  #finish(end: WorkerEnd): void {
    if (this.#end) return
    this.#end = end
    this.batch.close()
    this.#closing.abort()
    this.#wake?.()
  }

  #isEnded(): boolean {
    return this.#end !== null
  }

  async #releaseSlots(): Promise<void> {
    if (!this.#pool) return
    try {
      await this.#ports.slots.release(this.#ports.holder, this.mailbox)
    } catch (error) {
      // Slots that are not renewed expire.
      this.#ports.log.warn(
        { err: serializeError(error), mailbox: this.mailboxId },
        'Connection slots could not be released',
      )
    }
  }

  /** Ends the worker after an error; pauses the mailbox if the error requires it. */
  async #handleError(error: unknown): Promise<void> {
    const { log } = this.#ports
    if (!(error instanceof SmtpError)) {
      if (!this.#end) log.warn({ err: serializeError(error), mailbox: this.mailboxId }, 'Sending was interrupted')
      this.#finish({ kind: isDatabaseUnavailable(error) ? 'database_lost' : 'failed' })
      return
    }
    const outcome = classify(error.failure)
    if (outcome.kind === 'pause') {
      await this.#pause(outcome, error, this.#mailboxBySession.get(error))
      return
    }
    if (this.#end) return
    const { phase, systemCode, libraryCode } = error.failure
    log.warn(
      { mailbox: this.mailboxId, phase, code: systemCode ?? libraryCode },
      'A mail server cannot be used at the moment',
    )
    this.#failureReply = outcome.reply
    this.#finish({ kind: 'failed' })
  }

  /** Stores the pause before the rows are released, so that no other process claims them in between. */
  async #pause(outcome: Pause, error: SmtpError, mailbox = this.#opened): Promise<void> {
    if (this.#isPausing) return
    this.#isPausing = true
    const { mailboxId } = this
    const { cause, forMs } = outcome
    const { mailboxes, log } = this.#ports
    this.batch.close()
    try {
      // A limit applies to the mailbox with any credentials.
      const version = cause === 'limit' ? undefined : mailbox?.credentialsVersion
      const reason = pauseReason(outcome, error, mailbox)
      const isPaused = await mailboxes.pause(this.mailbox, reason, forMs, version)
      if (isPaused) log.warn({ mailbox: mailboxId, cause, forMs }, 'A mailbox is paused')
      else log.info({ mailbox: mailboxId, cause }, 'A mailbox got new credentials before it could be paused')
      this.#finish({ kind: isPaused ? 'paused' : 'database_lost' })
    } catch (failure) {
      log.error({ err: serializeError(failure), mailbox: this.mailboxId }, 'A pause could not be stored')
      this.#finish({ kind: isDatabaseUnavailable(failure) ? 'database_lost' : 'failed' })
    }
  }

  #shouldYield(): boolean {
    return this.#ports.tickMs() - this.#startedMs > yieldAfterMs && this.#ports.areOthersWaiting()
  }
}
