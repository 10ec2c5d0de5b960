import { setTimeout as sleep } from 'node:timers/promises'
import { errorFacts } from '../domain/error-facts.ts'
import type { Claims, HeldClaim } from './claims.ts'
import { Connections } from './connections.ts'
import type { SenderMailbox, SenderPorts } from './sender-ports.ts'
import type { Settler } from './settler.ts'
import { obstacle } from './smtp-error.ts'
import { openSession, type SmtpSession } from './smtp-session.ts'
import type { TemplateCache } from './template-cache.ts'
import { Work } from './work.ts'

/** How a lane ended. `troubled`: it should not be tried again at once. */
export type LaneEnd = 'rested' | 'paused' | 'troubled'

export interface LanePorts extends Pick<
  SenderPorts,
  'mailboxes' | 'suppressions' | 'clock' | 'random' | 'log' | 'network'
> {
  claims: Claims
  templates: TemplateCache
  settler: Settler
  /** Whether other mailboxes wait for a lane. */
  isWanted: () => boolean
}

const claimMinCount = 5
const claimMaxCount = 500
/** What is claimed at once follows what is sent in about this long, so that a pause or a stop is heard soon. */
const batchFastMs = 300
const batchSlowMs = 1000
/** Connections rest open this long, for the next message. */
const restMs = 20_000
/** While other mailboxes wait, a busy one makes room after this long. */
const turnMs = 5000

/** Sends what is due of one mailbox, one claim after the other, and rests a while when nothing is. */
export class Lane {
  readonly configId: string
  readonly done: Promise<LaneEnd>
  readonly #ports: LanePorts
  readonly #connections: Connections
  /** Ends what is being opened, not what is open. */
  readonly #noMore = new AbortController()
  readonly #startedMs: number
  #mailbox: SenderMailbox | null = null
  #isPoked = true
  #isStopping = false
  #stir: (() => void) | null = null

  constructor(configId: string, ports: LanePorts) {
    this.configId = configId
    this.#ports = ports
    this.#connections = new Connections(() => this.#open())
    this.#startedMs = ports.clock().getTime()
    this.done = this.#run().catch((error: unknown) => {
      ports.log.error({ err: errorFacts(error), config: configId }, 'A lane broke off')
      return 'troubled'
    })
  }

  /** Whether something came that it has not looked at. */
  get isPoked(): boolean {
    return this.#isPoked
  }

  get isResting(): boolean {
    return this.#stir !== null
  }

  /** There may be something due. */
  poke(): void {
    this.#isPoked = true
    this.#stir?.()
  }

  /** Begins no further message; `done` resolves when what is in flight has ended. */
  stop(): void {
    this.#isStopping = true
    this.#noMore.abort()
    this.#stir?.()
  }

  /** Cuts every connection: what is in flight ends now, whichever way. */
  abort(): void {
    this.stop()
    this.#connections.destroy()
  }

  async #run(): Promise<LaneEnd> {
    let limit = claimMinCount
    try {
      for (;;) {
        if (this.#isStopping || this.#isTurnOver()) return 'rested'
        this.#isPoked = false
        const claim = await this.#claim(limit)
        if (!claim) return 'troubled'
        const startedMs = this.#nowMs()
        const count = claim.rows.length
        if (count === 0) {
          claim.finish()
          if (!(await this.#rest())) return 'rested'
          continue
        }
        const end = await this.#work(claim)
        if (end) return end
        limit = nextLimit(limit, count, this.#nowMs() - startedMs)
      }
    } finally {
      await this.#connections.quit()
    }
  }

  async #claim(limit: number): Promise<HeldClaim | null> {
    try {
      return await this.#ports.claims.take(this.configId, limit)
    } catch (error) {
      this.#ports.log.warn({ err: errorFacts(error), config: this.configId }, 'Deliveries could not be claimed')
      return null
    }
  }

  async #work(claim: HeldClaim): Promise<LaneEnd | null> {
    const work = new Work(claim, {
      ...this.#ports,
      configId: this.configId,
      connections: this.#connections,
      mailbox: () => this.#mailbox,
      isStopping: () => this.#isStopping,
    })
    return (await work.run())?.kind ?? null
  }

  async #open(): Promise<SmtpSession> {
    const mailbox = await this.#ports.mailboxes.open(this.configId)
    if (!mailbox?.endpoint) throw obstacle('connect', 'NO_SERVER')
    this.#mailbox = mailbox
    return openSession(mailbox.endpoint, mailbox.login, this.#noMore.signal, this.#ports.network)
  }

  /** False if nothing stirred it for as long as connections rest. */
  async #rest(): Promise<boolean> {
    if (this.#isPoked || this.#isStopping) return true
    const stirred = new AbortController()
    this.#stir = () => stirred.abort()
    // An abort is a poke: the wait is over early.
    await sleep(restMs, undefined, { signal: stirred.signal }).catch(() => undefined)
    this.#stir = null
    return stirred.signal.aborted
  }

  #isTurnOver(): boolean {
    return this.#nowMs() - this.#startedMs > turnMs && this.#ports.isWanted()
  }

  #nowMs(): number {
    return this.#ports.clock().getTime()
  }
}

function nextLimit(limit: number, count: number, tookMs: number): number {
  if (tookMs > batchSlowMs) return Math.max(claimMinCount, Math.floor(limit / 2))
  return count === limit && tookMs < batchFastMs ? Math.min(claimMaxCount, 2 * limit) : limit
}
