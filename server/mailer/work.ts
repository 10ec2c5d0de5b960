import { errorFacts } from '../domain/error-facts.ts'
import { diagnose } from '../domain/mailbox-diagnosis.ts'
import { mailboxSentences } from '../domain/mailbox-sentences.ts'
import { classify, type Outcome } from '../domain/smtp-outcome.ts'
import type { HeldClaim } from './claims.ts'
import type { Connections } from './connections.ts'
import { buildMail, deliver, type Attempt, type ClaimedRow } from './deliver.ts'
import type { SenderMailbox, SenderPorts } from './sender-ports.ts'
import { settlementOf } from './settlement.ts'
import type { Settler } from './settler.ts'
import { SmtpError } from './smtp-error.ts'
import type { SmtpSession } from './smtp-session.ts'
import type { TemplateCache } from './template-cache.ts'

type Pause = Extract<Outcome, { kind: 'pause' }>

/**
 * Why work on a claim ended before its rows did. `paused`: the mailbox is. `troubled`: its mail server cannot be reached
 * (`reply` says why, the rows count it as an attempt), or something of ours is away (`reply` null, they do not).
 */
export type WorkEnd = { kind: 'paused' } | { kind: 'troubled'; reply: string | null }

export interface WorkPorts extends Pick<SenderPorts, 'mailboxes' | 'suppressions' | 'clock' | 'random' | 'log'> {
  configId: string
  templates: TemplateCache
  settler: Settler
  connections: Connections
  /** The mailbox as it was last opened; null before that. */
  mailbox: () => SenderMailbox | null
  isStopping: () => boolean
}

/** Sends the rows of one claim, over as many connections as the mailbox may have. */
export class Work {
  readonly #ports: WorkPorts
  readonly #claim: HeldClaim
  readonly #rows: ClaimedRow[]
  readonly #settling: Promise<void>[] = []
  #end: WorkEnd | null = null
  #servingCount = 0

  constructor(claim: HeldClaim, ports: WorkPorts) {
    this.#claim = claim
    this.#rows = [...claim.rows]
    this.#ports = ports
  }

  /** Resolves when every row has come to its outcome or is on its way back; null if all were tried. Never rejects. */
  async run(): Promise<WorkEnd | null> {
    await this.#suppress()
    const first = this.#end || this.#ports.isStopping() ? null : await this.#connect()
    if (first) {
      const connectionCount = this.#ports.mailbox()?.limits.connectionCount ?? 1
      const helperCount = Math.min(connectionCount, this.#rows.length) - 1
      await Promise.all([this.#serve(first), ...Array.from({ length: helperCount }, () => this.#help())])
    }
    this.#sendBack()
    void this.#finish()
    return this.#end
  }

  /** The next claim does not wait for this one to be committed. */
  async #finish(): Promise<void> {
    await Promise.all(this.#settling)
    try {
      this.#claim.finish()
    } catch (error) {
      this.#ports.log.error({ err: errorFacts(error) }, 'An intent journal could not be removed')
    }
  }

  /** Lets go of those that must not be written to. */
  async #suppress(): Promise<void> {
    const { suppressions, settler, configId } = this.#ports
    if (!suppressions || this.#rows.length === 0) return
    try {
      const found = await suppressions.find(
        configId,
        this.#rows.map(({ delivery }) => delivery.recipient),
      )
      if (found.size === 0) return
      for (const { delivery, token } of this.#rows.filter((row) => found.has(row.delivery.recipient))) {
        const { month, id } = delivery
        const settlement = { month, id, token, state: 'suppressed', reply: null, isAttempt: false, delayMs: 0 } as const
        this.#settling.push(settler.settle(settlement))
      }
      this.#rows.splice(0, Infinity, ...this.#rows.filter(({ delivery }) => !found.has(delivery.recipient)))
    } catch (error) {
      await this.#stumble(error)
    }
  }

  async #help(): Promise<void> {
    const session = await this.#connect()
    if (session) await this.#serve(session)
  }

  /** Null where there is no connection; that ends the work unless somebody else has one. */
  async #connect(): Promise<SmtpSession | null> {
    try {
      return await this.#ports.connections.take()
    } catch (error) {
      if (this.#servingCount === 0) await this.#stumble(error)
      return null
    }
  }

  async #serve(first: SmtpSession): Promise<void> {
    this.#servingCount += 1
    let session: SmtpSession | null = first
    while (session) {
      const row: ClaimedRow | undefined = this.#end || this.#ports.isStopping() ? undefined : this.#rows.shift()
      if (!row) break
      session = await this.#tryRow(row, session)
    }
    this.#servingCount -= 1
    if (session) await this.#give(session)
  }

  /** Gives the connection to go on with: the same, a new one where that has ended, or none. */
  async #tryRow(row: ClaimedRow, session: SmtpSession): Promise<SmtpSession | null> {
    try {
      const attempt = await this.#attempt(row, session)
      if (isStale(attempt, session)) this.#rows.unshift(row)
      else await this.#conclude(row, attempt)
    } catch (error) {
      this.#rows.unshift(row)
      await this.#stumble(error)
    }
    const isWorn = session.usedCount >= (this.#ports.mailbox()?.limits.messagesPerConnectionCount ?? 1)
    return session.isOpen && !isWorn ? session : this.#replace(session)
  }

  async #attempt(row: ClaimedRow, session: SmtpSession): Promise<Attempt> {
    const built = await buildMail(row, this.#ports)
    return 'kind' in built ? { outcome: built, error: null } : deliver(row, built, session, this.#ports.log)
  }

  /** Null also where no more rows wait for it. */
  async #replace(session: SmtpSession): Promise<SmtpSession | null> {
    await this.#give(session)
    if (this.#end || this.#ports.isStopping() || this.#rows.length === 0) return null
    this.#servingCount -= 1
    const fresh = await this.#connect()
    this.#servingCount += 1
    return fresh
  }

  #give(session: SmtpSession): Promise<void> {
    return this.#ports.connections.give(session, this.#ports.mailbox()?.limits ?? null)
  }

  async #conclude(row: ClaimedRow, { outcome, error }: Attempt): Promise<void> {
    if (outcome.kind !== 'pause') {
      const settlement = settlementOf({ ...row.delivery, token: row.token }, outcome, this.#ports.random())
      this.#settling.push(this.#ports.settler.settle(settlement))
      return
    }
    this.#rows.unshift(row)
    await this.#pause(outcome, error)
  }

  /** Nothing more of this claim can be tried now. */
  async #stumble(error: unknown): Promise<void> {
    const { log, configId } = this.#ports
    if (!(error instanceof SmtpError)) {
      log.error({ err: errorFacts(error), config: configId }, 'Sending was interrupted')
      this.#end ??= { kind: 'troubled', reply: null }
      return
    }
    const outcome = classify(error.verdict)
    if (outcome.kind === 'pause') {
      await this.#pause(outcome, error)
      return
    }
    const { phase, systemCode, libraryCode } = error.verdict
    log.warn({ config: configId, phase, code: systemCode ?? libraryCode }, 'A mail server cannot be used for now')
    this.#end ??= { kind: 'troubled', reply: this.#ports.isStopping() ? null : outcome.reply }
  }

  /** Before the rows go back, so that nobody claims them again in between. */
  async #pause(outcome: Pause, error: SmtpError | null): Promise<void> {
    if (this.#end) return
    this.#end = { kind: 'paused' }
    const { mailboxes, configId, clock, log } = this.#ports
    const until = outcome.forMs === null ? null : new Date(clock().getTime() + outcome.forMs)
    log.warn({ config: configId, cause: outcome.cause, until }, 'A mailbox is paused')
    try {
      await mailboxes.pause(configId, this.#reasonOf(outcome, error), until)
    } catch (failure) {
      log.error({ err: errorFacts(failure), config: configId }, 'A pause could not be saved')
      this.#end = { kind: 'troubled', reply: null }
    }
  }

  #reasonOf(outcome: Pause, error: SmtpError | null): string {
    const mailbox = this.#ports.mailbox()
    if (outcome.cause === 'limit' || !mailbox || !error) {
      return `${mailboxSentences.dailyLimit} The mail server said: “${outcome.reply}”`
    }
    const { provider, emailAddress, login } = mailbox
    const secrets = login ? [login.pass] : []
    return diagnose({ provider, emailAddress, verdict: error.verdict, secrets }).sentence
  }

  /** Lets go of the rows that nobody came to. */
  #sendBack(): void {
    const { settler, random } = this.#ports
    const reply = this.#end?.kind === 'troubled' ? this.#end.reply : null
    for (const { delivery, token } of this.#rows.splice(0)) {
      const { month, id } = delivery
      const settlement =
        reply === null
          ? ({ month, id, token, state: 'queued', reply: null, isAttempt: false, delayMs: 0 } as const)
          : settlementOf({ ...delivery, token }, { kind: 'retry', reply }, random())
      this.#settling.push(settler.settle(settlement))
    }
  }
}

/** Whether a connection had ended while it rested, before this message was its turn: not the message's fault. */
function isStale({ outcome, error }: Attempt, session: SmtpSession): boolean {
  if (!error || outcome.kind !== 'retry' || session.isOpen || session.usedCount < 2) return false
  const { reply, isHandedOver } = error.verdict
  return !isHandedOver && (reply === null || reply.startsWith('421'))
}
