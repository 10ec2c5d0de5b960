import { serializeError } from '../../domain/core/serialize-error.ts'
import type { CampaignKey, DeadAddress, DeliveryOutcome, MailboxKey } from '../../domain/messages/delivery.ts'
import { classify, type Outcome } from '../../domain/smtp/smtp-outcome.ts'
import type { ClaimedRow } from './claims.ts'
import type { PauseMonitor } from './pause-monitor.ts'
import { BuildError, type LargeMessage } from '../mime/large-mail.ts'
import type { CompiledMessage } from '../mime/mime.ts'
import type { SenderPorts } from './sender-ports.ts'
import { toDeliveryOutcome, type ClaimKey } from './delivery-outcome.ts'
import type { OutcomeWriter } from './outcome-writer.ts'
import type { SmtpError } from '../smtp/smtp-error.ts'
import type { SmtpJob, SmtpResult, SmtpSession, WireMail } from '../smtp/smtp-job.ts'
import type { CachedMessage, CompiledMessageCache, TrackedMessage } from './compiled-message-cache.ts'
import { UnbuildableError } from '../mime/unbuildable-error.ts'

export type Pause = Extract<Outcome, { kind: 'pause' }>

/** What the batch reports to its mailbox worker. */
interface DeliveryBatchEvents {
  /** The number of waiting or in-flight rows has changed. */
  onProgress: () => void
  /** A mail may be ready: idle connections should ask again. */
  onMailReady: () => void
  /** A reply requires that the mailbox is paused; the row waits again. */
  onPause: (outcome: Pause, error: SmtpError, session: SmtpSession) => void
  /** The database or the journal failed. */
  onError: (error: unknown) => void
}

export interface DeliveryBatchPorts extends Pick<
  SenderPorts,
  'suppressions' | 'tracking' | 'clock' | 'random' | 'log'
> {
  mailbox: MailboxKey
  compiledMessages: CompiledMessageCache
  outcomeWriter: OutcomeWriter
  pauseMonitor: PauseMonitor
}

/** Messages are loaded for this many rows ahead. */
const aheadCount = 20
const noneSuppressed: ReadonlySet<string> = new Set()

/** The claimed rows of one mailbox worker: builds their mails and turns SMTP results into outcomes. */
export class DeliveryBatch {
  /** Claimed rows that wait for a connection. */
  readonly #rows: ClaimedRow[] = []
  readonly #ports: DeliveryBatchPorts
  readonly #events: DeliveryBatchEvents
  /** Rows on a connection. */
  readonly #inFlight = new Set<ClaimedRow>()
  /** Results of building mails in threads: null while a thread is busy. */
  readonly #built = new WeakMap<ClaimedRow, WireMail | Error | null>()
  #isLoading = false
  #isClosed = false
  #hasSent = false

  constructor(ports: DeliveryBatchPorts, events: DeliveryBatchEvents) {
    this.#ports = ports
    this.#events = events
  }

  get waitingCount(): number {
    return this.#rows.length
  }

  get inFlightCount(): number {
    return this.#inFlight.size
  }

  /** Whether the mail server has accepted a mail. */
  get hasSent(): boolean {
    return this.#hasSent
  }

  /** Campaigns of the claimed rows. */
  campaigns(): CampaignKey[] {
    const { workspaceId } = this.#ports.mailbox
    const ids = new Set([...this.#rows, ...this.#inFlight].flatMap(({ delivery }) => delivery.campaignId ?? []))
    return [...ids].map((campaignId) => ({ workspaceId, campaignId }))
  }

  /**
   * Adds claimed rows except those of suppressed recipients. If a check fails, adds all rows and rejects. Restrictions of
   * tracking are read with the suppressions, so that no connection waits for them.
   */
  async add(rows: readonly ClaimedRow[]): Promise<void> {
    const { suppressions, mailbox } = this.#ports
    if (rows.length === 0) return
    try {
      const [suppressed] = await Promise.all([
        suppressions?.find(mailbox, recipientsOf(rows)) ?? noneSuppressed,
        this.#loadRestrictions(rows),
      ])
      this.#dropSuppressed(rows, suppressed)
    } catch (error) {
      this.#rows.push(...rows)
      throw error
    }
  }

  /** Releases waiting rows whose recipients were suppressed after the claim. */
  async dropNewlySuppressed(): Promise<void> {
    const { suppressions, mailbox } = this.#ports
    if (!suppressions || this.#rows.length === 0) return
    const suppressed = await suppressions.find(mailbox, recipientsOf(this.#rows))
    if (suppressed.size === 0) return
    this.#dropSuppressed(this.#rows.splice(0), suppressed)
    this.#events.onProgress()
  }

  /** The next mail for a connection; null if none is ready. */
  take(session: SmtpSession): SmtpJob | null {
    for (let row = this.#rows[0]; row && !this.#isClosed; row = this.#rows[0]) {
      const permission = this.#ports.pauseMonitor.check(row)
      if (permission === 'unknown') return null
      if (permission === 'paused') {
        this.#rows.shift()
        this.#writeOutcome(row, released(row, 'queued'))
        continue
      }
      const message = this.#messageOf(row)
      if (message === undefined) {
        void this.#loadAhead()
        return null
      }
      const built = isLargeMessage(message) ? this.#buildInThread(row, message) : message
      if (built === undefined) return null
      this.#rows.shift()
      this.#events.onProgress()
      const job = this.#makeJob(row, built, session)
      if (job) return job
    }
    return null
  }

  /** Releases waiting rows of paused mailboxes and campaigns. */
  dropPaused(pausedIds: ReadonlySet<string>): void {
    if (pausedIds.size === 0) return
    for (const row of this.#rows.splice(0)) {
      const { mailboxId, campaignId } = row.delivery
      const isPaused = pausedIds.has(mailboxId) || (campaignId !== null && pausedIds.has(campaignId))
      if (isPaused && this.#ports.pauseMonitor.check(row) === 'paused') this.#writeOutcome(row, released(row, 'queued'))
      else this.#rows.push(row)
    }
    this.#events.onProgress()
  }

  /** Gives no more mails to connections. */
  close(): void {
    this.#isClosed = true
  }

  /** Releases the waiting rows; with a `reply` it counts as a failed attempt. */
  release(reply: string | null): void {
    const { random } = this.#ports
    for (const row of this.#rows.splice(0)) {
      const outcome =
        reply === null
          ? released(row, 'queued')
          : { ...toDeliveryOutcome(claimKeyOf(row), { kind: 'retry', reply }, random()), isCounted: false }
      this.#writeOutcome(row, outcome)
    }
  }

  #dropSuppressed(rows: readonly ClaimedRow[], suppressed: ReadonlySet<string>): void {
    for (const row of rows) {
      if (suppressed.has(row.delivery.recipient)) this.#writeOutcome(row, released(row, 'suppressed'))
      else this.#rows.push(row)
    }
  }

  async #loadAhead(): Promise<void> {
    if (this.#isLoading) return
    this.#isLoading = true
    try {
      const rows = this.#rows.slice(0, aheadCount)
      const [first] = rows
      const messageIds = [...new Set(rows.map(({ delivery }) => delivery.messageId))]
      if (first) await this.#ports.compiledMessages.load(first.delivery.workspaceId, messageIds)
      await this.#loadRestrictions(this.#rows)
      this.#isLoading = false
      this.#events.onMailReady()
    } catch (error) {
      this.#isLoading = false
      this.#events.onError(error)
    }
  }

  /** The message in the form for its recipient; undefined until it and the recipient's restrictions are loaded. */
  #messageOf({ delivery }: ClaimedRow): CompiledMessage | LargeMessage | Error | null | undefined {
    const message = this.#ports.compiledMessages.peek(delivery.messageId)
    if (!isTrackedMessage(message)) return message
    if (delivery.tracking === undefined) return undefined
    return delivery.tracking === 'off' ? message.untracked() : message.tracked
  }

  /** Reads what the contacts of tracked mails allow, for all rows whose message is loaded. */
  async #loadRestrictions(given: readonly ClaimedRow[]): Promise<void> {
    const { tracking, mailbox, compiledMessages } = this.#ports
    const rows = given.filter(
      ({ delivery }) => delivery.tracking === undefined && isTrackedMessage(compiledMessages.peek(delivery.messageId)),
    )
    if (rows.length === 0) return
    const restricted = await tracking?.findRestricted(mailbox, recipientsOf(rows))
    for (const { delivery } of rows) delivery.tracking = restricted?.get(delivery.recipient) ?? 'identified'
  }

  /** The mail of a row, built in a thread; undefined until it is ready. */
  #buildInThread(row: ClaimedRow, message: LargeMessage): MailBuilder | Error | undefined {
    const built = this.#built.get(row)
    if (built === null) return undefined
    if (built) return built instanceof Error ? built : { fromAddress: message.fromAddress, build: () => built }
    this.#built.set(row, null)
    message
      .build(row.delivery, this.#ports.clock())
      .then((mail) => this.#built.set(row, mail))
      .catch((error: unknown) => {
        const isFinal = error instanceof UnbuildableError || error instanceof BuildError
        this.#built.set(row, isFinal ? error : new ThreadError('A thread could not build a mail', { cause: error }))
      })
      .finally(() => this.#events.onMailReady())
    return undefined
  }

  #makeJob(row: ClaimedRow, message: MailBuilder | Error | null, session: SmtpSession): SmtpJob | null {
    const { delivery, segment, token } = row
    const { clock, log } = this.#ports
    const key = { id: delivery.id, token }
    if (message === null) {
      this.#fail(row, 'The message is gone')
      return null
    }
    try {
      if (message instanceof Error) throw message
      const mail = message.build(delivery, clock(), session.buffers)
      let isIntended = false
      this.#inFlight.add(row)
      return {
        envelope: { from: message.fromAddress, to: delivery.recipient },
        mail,
        begin: () => {
          if (this.#isClosed || this.#ports.pauseMonitor.check(row) !== 'allowed') throw new PausedError()
          segment.intend(key)
          isIntended = true
        },
        end: (result) => {
          this.#inFlight.delete(row)
          this.#journalReply(row, result, isIntended)
          this.#handleResult(row, result, session)
          this.#events.onProgress()
        },
      }
    } catch (error) {
      log.error(
        { err: serializeError(error), message: delivery.messageId, delivery: delivery.id },
        'A mail could not be built',
      )
      // Counts as an attempt, so that a message that crashes its thread every time fails in the end.
      if (error instanceof ThreadError) {
        this.#writeResult(row, { kind: 'retry', reply: 'The server could not build the mail' }, false)
        return null
      }
      const isUserFacing = error instanceof UnbuildableError
      this.#fail(row, isUserFacing ? error.message : 'The mail could not be built from its message')
      return null
    }
  }

  /**
   * Writes the reply into the journal. A failure is only logged: it matters if the process crashes before the outcome is
   * written.
   */
  #journalReply({ delivery, token, segment }: ClaimedRow, result: SmtpResult, isIntended: boolean): void {
    const key = { id: delivery.id, token }
    try {
      const reply =
        result.kind === 'replied' ? result.reply : result.kind === 'failed' ? result.error.failure.reply : null
      if (reply !== null) segment.reply(key, reply)
      else if (isIntended && result.kind === 'failed' && !result.error.failure.isHandedOver) segment.withdraw(key)
    } catch (error) {
      this.#ports.log.error({ err: serializeError(error) }, 'A reply could not be written to the intent journal')
    }
  }

  #handleResult(row: ClaimedRow, result: SmtpResult, session: SmtpSession): void {
    switch (result.kind) {
      case 'replied':
        this.#hasSent = true
        this.#writeResult(row, { kind: 'sent', reply: result.reply }, true)
        return
      case 'not_started':
        this.#rows.unshift(row)
        return
      case 'withheld':
        if (result.error instanceof PausedError) this.#writeOutcome(row, released(row, 'queued'))
        else {
          this.#rows.unshift(row)
          this.#events.onError(result.error)
        }
        return
      case 'failed': {
        const outcome = classify(result.error.failure)
        if (wasConnectionStale(outcome, result.error, session)) this.#rows.unshift(row)
        else if (outcome.kind !== 'pause')
          this.#writeResult(row, outcome, result.error.failure.libraryCode !== 'EENVELOPE')
        else {
          this.#rows.unshift(row)
          this.#events.onPause(outcome, result.error, session)
        }
      }
    }
  }

  #fail(row: ClaimedRow, reply: string): void {
    this.#writeResult(row, { kind: 'fail', reply, isAddressDead: false }, false)
  }

  #writeResult(row: ClaimedRow, result: Exclude<Outcome, Pause>, isCounted: boolean): void {
    const outcome = { ...toDeliveryOutcome(claimKeyOf(row), result, this.#ports.random()), isCounted }
    const { workspaceId, mailboxId, recipient: address } = row.delivery
    const isDead = result.kind === 'fail' && result.isAddressDead
    this.#writeOutcome(row, outcome, isDead ? { workspaceId, mailboxId, address, reply: result.reply } : null)
  }

  #writeOutcome(row: ClaimedRow, outcome: DeliveryOutcome, deadAddress: DeadAddress | null = null): void {
    this.#ports.outcomeWriter.add({ outcome, onCommitted: row.onWritten, deadAddress })
  }
}

/** What a job needs of a compiled message. */
type MailBuilder = Pick<CompiledMessage, 'fromAddress' | 'build'>

function isLargeMessage(message: CachedMessage): message is LargeMessage {
  return message !== null && 'isLarge' in message
}

function isTrackedMessage(message: CachedMessage | undefined): message is TrackedMessage {
  return message !== null && message !== undefined && 'tracked' in message
}

/** A thread crashed or timed out while it built a mail; another attempt may succeed. */
class ThreadError extends Error {
  override readonly name = 'ThreadError'
}

/** The mailbox or campaign was paused, or the sender stopped, right before the message was sent. */
class PausedError extends Error {
  override readonly name = 'PausedError'
}

function recipientsOf(rows: readonly ClaimedRow[]): string[] {
  return rows.map(({ delivery }) => delivery.recipient)
}

function claimKeyOf({ delivery, token }: ClaimedRow): ClaimKey {
  const { workspaceId, month, id, attempts } = delivery
  return { workspaceId, month, id, token, attempts }
}

/** Outcome of a row that was not attempted. */
function released(row: ClaimedRow, state: 'queued' | 'suppressed'): DeliveryOutcome {
  const { workspaceId, month, id, token } = claimKeyOf(row)
  return { workspaceId, month, id, token, state, reply: null, isAttempt: false, isCounted: false, delayMs: 0 }
}

/** Whether the server closed an idle connection before this message was sent: not a failure of the message. */
function wasConnectionStale(outcome: Outcome, { failure }: SmtpError, session: SmtpSession): boolean {
  if (outcome.kind !== 'retry' || session.isOpen || session.usedCount < 2) return false
  return !failure.isHandedOver && (failure.reply === null || failure.reply.startsWith('421'))
}
