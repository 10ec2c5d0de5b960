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

/**
 * How a lane ended. `rested`: nothing was due any more, or others want its place. `paused`: its mailbox is. `waiting`: not to
 * be tried before `waitMs` are over, for its quota is used up or other processes have all its connections. `troubled`: it
 * should not be tried again at once. `cut_off`: the database went away, or the mailbox was connected anew; neither says anything of the
 * mailbox as it stands.
 */
export type WorkerEnd = { kind: 'rested' | 'paused' | 'troubled' | 'cut_off' } | { kind: 'waiting'; waitMs: number }

export interface MailboxWorkerPorts
  extends Omit<DeliveryBatchPorts, 'mailboxId'>, Pick<SenderPorts, 'mailboxes' | 'slots' | 'tickMs'> {
  claims: Claims
  network: SmtpNetwork
  /** Names this sender where connections are counted. */
  holder: string
  /** Whether other mailboxes wait for a lane. */
  areOthersWaiting: () => boolean
}

/** Connections to one mailbox that one process opens at most. */
const connectionsMaxCount = 20
/** Connections rest open this long, for the next message. */
const idleTimeoutMs = 20_000
/** While other mailboxes wait, a busy one makes room after this long. */
const yieldAfterMs = 5000
/** Where other processes have all connections. */
const noSlotRetryMs = 1000

/** Sends what is due of one mailbox: claims ahead of what its connections send, and rests a while when nothing is due. */
export class MailboxWorker {
  readonly mailboxId: string
  readonly done: Promise<WorkerEnd>
  readonly batch: DeliveryBatch
  readonly #ports: MailboxWorkerPorts
  readonly #pace: AdaptiveClaimSize
  /** Ends what is being opened, not what is open. */
  readonly #noMore = new AbortController()
  readonly #startedMs: number
  #crew: ConnectionPool | null = null
  #mailbox: SenderMailbox | null = null
  /** The mailbox as it stood when a connection was signed in, or was refused with an error. */
  readonly #signedInAs = new WeakMap<object, SenderMailbox>()
  #ownLimits: string | null = null
  #end: WorkerEnd | null = null
  /** With which the rows that are left are put off; null: they were not tried. */
  #troubleReply: string | null = null
  #isPoked = true
  #isResting = false
  #isPausing = false
  #stir: (() => void) | null = null

  constructor(mailboxId: string, ports: MailboxWorkerPorts) {
    this.mailboxId = mailboxId
    this.#ports = ports
    this.#startedMs = ports.tickMs()
    this.#pace = new AdaptiveClaimSize(ports.tickMs)
    this.batch = new DeliveryBatch(
      { ...ports, mailboxId },
      {
        onProgress: () => this.#stir?.(),
        onMailReady: () => this.wakeConnections(),
        onPause: (outcome, error, session) => void this.#pause(outcome, error, this.#signedInAs.get(session)),
        onError: (error) => void this.#stumble(error),
      },
    )
    this.done = this.#run()
  }

  /** Whether something came that it has not looked at. */
  get isNotified(): boolean {
    return this.#isPoked
  }

  get isIdle(): boolean {
    return this.#isResting
  }

  /** The limits that the mailbox's owner had set before the lane asked for anything by them; null while it has not heard. */
  get ownerLimits(): string | null {
    return this.#ownLimits
  }

  /** There may be something due. */
  notify(): void {
    this.#isPoked = true
    this.#stir?.()
  }

  /** There may be a mail for connections that asked in vain. */
  wakeConnections(): void {
    this.#crew?.wake()
  }

  /** Begins no further message; `done` resolves when what is in flight has ended. */
  stop(): void {
    this.#finish({ kind: 'rested' })
  }

  /** Cuts every connection: what is in flight ends now, whichever way. */
  abort(): void {
    this.stop()
    this.#crew?.destroy()
  }

  /** Whether connections are counted as its own. */
  get hasSlots(): boolean {
    return this.#crew !== null && this.#end === null
  }

  /** Its connections count as others' now: what is in flight ends, and the next lane counts anew. */
  dropSlots(): void {
    this.#finish({ kind: 'waiting', waitMs: noSlotRetryMs })
  }

  async #run(): Promise<WorkerEnd> {
    try {
      await this.#sendAll()
    } catch (error) {
      await this.#stumble(error)
    }
    this.#finish({ kind: 'rested' })
    await this.#crew?.drain()
    this.batch.release(this.#troubleReply)
    this.#ports.outcomeWriter.flush()
    await this.#crew?.quit()
    await this.#giveSlotsBack()
    return this.#end ?? { kind: 'rested' }
  }

  async #sendAll(): Promise<void> {
    const { mailboxes, slots, holder } = this.#ports
    const mailbox = await mailboxes.open(this.mailboxId)
    this.#ownLimits = mailbox?.ownerLimits ?? null
    if (!mailbox || mailbox.isElsewhere === true || this.#end) return
    this.#mailbox = mailbox
    const { mailboxId } = this
    const limitCount = mailbox.limits.connectionCount
    const slotCount = await slots.acquire({ mailboxId, holder, wantedCount: connectionsMaxCount, limitCount })
    if (slotCount === 0) {
      this.#finish({ kind: 'waiting', waitMs: noSlotRetryMs })
      return
    }
    this.#crew = new ConnectionPool(slotCount, {
      open: () => this.#open(),
      batch: this.batch,
      messagesPerConnectionCount: () => this.#mailbox?.limits.messagesPerConnectionCount ?? 1,
      onOpenFailed: (error) => void this.#stumble(error),
      onIdle: () => this.#stir?.(),
    })
    while (!this.#isOver()) await this.#turn(this.#crew, mailbox)
  }

  /** Claims once, and waits until it is time for the next claim. */
  async #turn(crew: ConnectionPool, mailbox: SenderMailbox): Promise<void> {
    if (this.#isTurnOver()) {
      this.stop()
      return
    }
    const { claims, pauseMonitor } = this.#ports
    this.#isPoked = false
    const limit = this.#pace.limit
    const { rows, waitMs } = await claims.take({ mailboxId: this.mailboxId, limits: mailbox.limits }, limit)
    this.#pace.claimed(rows.length)
    pauseMonitor.watch()
    await this.batch.add(rows)
    crew.grow()
    if (rows.length === limit) {
      await this.#until(() => this.batch.waitingCount <= this.#pace.refillThreshold)
      this.#pace.sent(rows.length)
      return
    }
    // A quota gives little by little: the connections stay, for a new sign-in each time would look like an attack.
    if (waitMs !== null && waitMs <= idleTimeoutMs) {
      await this.#sleep(waitMs)
      return
    }
    await this.#until(() => {
      const { waitingCount, inFlightCount } = this.batch
      return waitingCount + inFlightCount === 0 || (this.#isPoked && waitingCount <= this.#pace.refillThreshold)
    })
    if (this.isNotified) return
    if (waitMs !== null) this.#finish({ kind: 'waiting', waitMs })
    else await this.#rest()
  }

  async #open() {
    const mailbox = await this.#ports.mailboxes.open(this.mailboxId)
    if (!mailbox?.endpoint) throw createSmtpError('connect', 'NO_SERVER')
    this.#mailbox = mailbox
    try {
      const session = await openSession(mailbox.endpoint, mailbox.login, this.#noMore.signal, this.#ports.network)
      this.#signedInAs.set(session, mailbox)
      return session
    } catch (error) {
      this.#signedInAs.set(error as object, mailbox)
      throw error
    }
  }

  /** Until something is poked for, or the lane ends; ends it itself after as long as connections rest. */
  async #rest(): Promise<void> {
    this.#ports.outcomeWriter.flush()
    this.#isResting = true
    const timer = setTimeout(() => this.stop(), idleTimeoutMs)
    await this.#until(() => this.#isPoked)
    clearTimeout(timer)
    this.#isResting = false
  }

  /** For so long, or until the lane ends. */
  async #sleep(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#noMore.signal }).catch(() => undefined) // The end is an end like any other.
  }

  async #until(isTrue: () => boolean): Promise<void> {
    while (!this.#isOver() && !isTrue()) {
      await new Promise<void>((resolve) => (this.#stir = resolve))
    }
    this.#stir = null
  }

  #finish(end: WorkerEnd): void {
    if (this.#end) return
    this.#end = end
    this.batch.close()
    this.#noMore.abort()
    this.#stir?.()
  }

  #isOver(): boolean {
    return this.#end !== null
  }

  async #giveSlotsBack(): Promise<void> {
    if (!this.#crew) return
    try {
      await this.#ports.slots.release(this.#ports.holder, this.mailboxId)
    } catch (error) {
      // They are free again once nobody renews them.
      this.#ports.log.warn(
        { err: serializeError(error), config: this.mailboxId },
        'Connections could not be given back',
      )
    }
  }

  /** Nothing more can be sent now. */
  async #stumble(error: unknown): Promise<void> {
    const { log } = this.#ports
    if (!(error instanceof SmtpError)) {
      if (!this.#end) log.warn({ err: serializeError(error), config: this.mailboxId }, 'Sending was interrupted')
      this.#finish({ kind: isDatabaseUnavailable(error) ? 'cut_off' : 'troubled' })
      return
    }
    const outcome = classify(error.verdict)
    if (outcome.kind === 'pause') {
      await this.#pause(outcome, error, this.#signedInAs.get(error))
      return
    }
    if (this.#end) return
    const { phase, systemCode, libraryCode } = error.verdict
    log.warn({ config: this.mailboxId, phase, code: systemCode ?? libraryCode }, 'A mail server cannot be used for now')
    this.#troubleReply = outcome.reply
    this.#finish({ kind: 'troubled' })
  }

  /** Saved before the rows go back, so that nobody claims them again in between. */
  async #pause(outcome: Pause, error: SmtpError, mailbox = this.#mailbox): Promise<void> {
    if (this.#isPausing) return
    this.#isPausing = true
    const { mailboxId } = this
    const { cause, forMs } = outcome
    const { mailboxes, log } = this.#ports
    this.batch.close()
    try {
      // A limit is the mailbox's, whatever it signs in with.
      const version = cause === 'limit' ? undefined : mailbox?.credentialsVersion
      const reason = pauseReason(outcome, error, mailbox)
      const isPaused = await mailboxes.pause(mailboxId, reason, forMs, version)
      if (isPaused) log.warn({ config: mailboxId, cause, forMs }, 'A mailbox is paused')
      else log.info({ config: mailboxId, cause }, 'A mailbox was connected anew before it could be paused')
      this.#finish({ kind: isPaused ? 'paused' : 'cut_off' })
    } catch (failure) {
      log.error({ err: serializeError(failure), config: this.mailboxId }, 'A pause could not be saved')
      this.#finish({ kind: isDatabaseUnavailable(failure) ? 'cut_off' : 'troubled' })
    }
  }

  #isTurnOver(): boolean {
    return this.#ports.tickMs() - this.#startedMs > yieldAfterMs && this.#ports.areOthersWaiting()
  }
}
