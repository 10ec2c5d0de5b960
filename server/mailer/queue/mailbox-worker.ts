import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseAway } from '../../domain/core/database-away.ts'
import { errorFacts } from '../../domain/core/serialize-error.ts'
import { classify } from '../../domain/smtp/smtp-outcome.ts'
import type { Claims } from './claims.ts'
import { Crew } from './connection-pool.ts'
import { Pace } from './claim-size.ts'
import { pauseReason } from './pause-reason.ts'
import type { SenderMailbox, SenderPorts } from './sender-ports.ts'
import { obstacle, SmtpError } from '../smtp/smtp-error.ts'
import { openSession, type SmtpNetwork } from '../smtp/smtp-session.ts'
import { Work, type Pause, type WorkPorts } from './delivery-batch.ts'

/**
 * How a lane ended. `rested`: nothing was due any more, or others want its place. `paused`: its mailbox is. `waiting`: not to
 * be tried before `waitMs` are over, for its quota is used up or other processes have all its connections. `troubled`: it
 * should not be tried again at once. `cut_off`: the database went away, or the mailbox was connected anew; neither says anything of the
 * mailbox as it stands.
 */
export type LaneEnd = { kind: 'rested' | 'paused' | 'troubled' | 'cut_off' } | { kind: 'waiting'; waitMs: number }

export interface LanePorts extends Omit<WorkPorts, 'mailboxId'>, Pick<SenderPorts, 'mailboxes' | 'slots' | 'tickMs'> {
  claims: Claims
  network: SmtpNetwork
  /** Names this sender where connections are counted. */
  holder: string
  /** Whether other mailboxes wait for a lane. */
  isWanted: () => boolean
}

/** Connections to one mailbox that one process opens at most. */
const connectionsMaxCount = 20
/** Connections rest open this long, for the next message. */
const restMs = 20_000
/** While other mailboxes wait, a busy one makes room after this long. */
const turnMs = 5000
/** Where other processes have all connections. */
const crowdedMs = 1000

/** Sends what is due of one mailbox: claims ahead of what its connections send, and rests a while when nothing is due. */
export class Lane {
  readonly mailboxId: string
  readonly done: Promise<LaneEnd>
  readonly work: Work
  readonly #ports: LanePorts
  readonly #pace: Pace
  /** Ends what is being opened, not what is open. */
  readonly #noMore = new AbortController()
  readonly #startedMs: number
  #crew: Crew | null = null
  #mailbox: SenderMailbox | null = null
  /** The mailbox as it stood when a connection was signed in, or was refused with an error. */
  readonly #signedInAs = new WeakMap<object, SenderMailbox>()
  #ownLimits: string | null = null
  #end: LaneEnd | null = null
  /** With which the rows that are left are put off; null: they were not tried. */
  #troubleReply: string | null = null
  #isPoked = true
  #isResting = false
  #isPausing = false
  #stir: (() => void) | null = null

  constructor(mailboxId: string, ports: LanePorts) {
    this.mailboxId = mailboxId
    this.#ports = ports
    this.#startedMs = ports.tickMs()
    this.#pace = new Pace(ports.tickMs)
    this.work = new Work(
      { ...ports, mailboxId },
      {
        onMove: () => this.#stir?.(),
        onReady: () => this.wake(),
        onPause: (outcome, error, session) => void this.#pause(outcome, error, this.#signedInAs.get(session)),
        onTrouble: (error) => void this.#stumble(error),
      },
    )
    this.done = this.#run()
  }

  /** Whether something came that it has not looked at. */
  get isPoked(): boolean {
    return this.#isPoked
  }

  get isResting(): boolean {
    return this.#isResting
  }

  /** The limits that the mailbox's owner had set before the lane asked for anything by them; null while it has not heard. */
  get ownLimits(): string | null {
    return this.#ownLimits
  }

  /** There may be something due. */
  poke(): void {
    this.#isPoked = true
    this.#stir?.()
  }

  /** There may be a mail for connections that asked in vain. */
  wake(): void {
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
  loseSlots(): void {
    this.#finish({ kind: 'waiting', waitMs: crowdedMs })
  }

  async #run(): Promise<LaneEnd> {
    try {
      await this.#sendAll()
    } catch (error) {
      await this.#stumble(error)
    }
    this.#finish({ kind: 'rested' })
    await this.#crew?.idle()
    this.work.sendBack(this.#troubleReply)
    this.#ports.settler.flush()
    await this.#crew?.quit()
    await this.#giveSlotsBack()
    return this.#end ?? { kind: 'rested' }
  }

  async #sendAll(): Promise<void> {
    const { mailboxes, slots, holder } = this.#ports
    const mailbox = await mailboxes.open(this.mailboxId)
    this.#ownLimits = mailbox?.ownLimits ?? null
    if (!mailbox || mailbox.isElsewhere === true || this.#end) return
    this.#mailbox = mailbox
    const { mailboxId } = this
    const limitCount = mailbox.limits.connectionCount
    const slotCount = await slots.take({ mailboxId, holder, wantedCount: connectionsMaxCount, limitCount })
    if (slotCount === 0) {
      this.#finish({ kind: 'waiting', waitMs: crowdedMs })
      return
    }
    this.#crew = new Crew(slotCount, {
      open: () => this.#open(),
      work: this.work,
      messagesPerConnectionCount: () => this.#mailbox?.limits.messagesPerConnectionCount ?? 1,
      onStuck: (error) => void this.#stumble(error),
      onIdle: () => this.#stir?.(),
    })
    while (!this.#isOver()) await this.#turn(this.#crew, mailbox)
  }

  /** Claims once, and waits until it is time for the next claim. */
  async #turn(crew: Crew, mailbox: SenderMailbox): Promise<void> {
    if (this.#isTurnOver()) {
      this.stop()
      return
    }
    const { claims, halts } = this.#ports
    this.#isPoked = false
    const limit = this.#pace.limit
    const { rows, waitMs } = await claims.take({ mailboxId: this.mailboxId, limits: mailbox.limits }, limit)
    this.#pace.claimed(rows.length)
    halts.watch()
    await this.work.add(rows)
    crew.staff()
    if (rows.length === limit) {
      await this.#until(() => this.work.waitingCount <= this.#pace.lowCount)
      this.#pace.worked(rows.length)
      return
    }
    // A quota gives little by little: the connections stay, for a new sign-in each time would look like an attack.
    if (waitMs !== null && waitMs <= restMs) {
      await this.#sleep(waitMs)
      return
    }
    await this.#until(() => {
      const { waitingCount, inFlightCount } = this.work
      return waitingCount + inFlightCount === 0 || (this.#isPoked && waitingCount <= this.#pace.lowCount)
    })
    if (this.isPoked) return
    if (waitMs !== null) this.#finish({ kind: 'waiting', waitMs })
    else await this.#rest()
  }

  async #open() {
    const mailbox = await this.#ports.mailboxes.open(this.mailboxId)
    if (!mailbox?.endpoint) throw obstacle('connect', 'NO_SERVER')
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
    this.#ports.settler.flush()
    this.#isResting = true
    const timer = setTimeout(() => this.stop(), restMs)
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

  #finish(end: LaneEnd): void {
    if (this.#end) return
    this.#end = end
    this.work.close()
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
      this.#ports.log.warn({ err: errorFacts(error), config: this.mailboxId }, 'Connections could not be given back')
    }
  }

  /** Nothing more can be sent now. */
  async #stumble(error: unknown): Promise<void> {
    const { log } = this.#ports
    if (!(error instanceof SmtpError)) {
      if (!this.#end) log.warn({ err: errorFacts(error), config: this.mailboxId }, 'Sending was interrupted')
      this.#finish({ kind: isDatabaseAway(error) ? 'cut_off' : 'troubled' })
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
    this.work.close()
    try {
      // A limit is the mailbox's, whatever it signs in with.
      const version = cause === 'limit' ? undefined : mailbox?.credentialsVersion
      const reason = pauseReason(outcome, error, mailbox)
      const isPaused = await mailboxes.pause(mailboxId, reason, forMs, version)
      if (isPaused) log.warn({ config: mailboxId, cause, forMs }, 'A mailbox is paused')
      else log.info({ config: mailboxId, cause }, 'A mailbox was connected anew before it could be paused')
      this.#finish({ kind: isPaused ? 'paused' : 'cut_off' })
    } catch (failure) {
      log.error({ err: errorFacts(failure), config: this.mailboxId }, 'A pause could not be saved')
      this.#finish({ kind: isDatabaseAway(failure) ? 'cut_off' : 'troubled' })
    }
  }

  #isTurnOver(): boolean {
    return this.#ports.tickMs() - this.#startedMs > turnMs && this.#ports.isWanted()
  }
}
