import { serializeError } from '../../domain/core/serialize-error.ts'
import type { DeliveryOutcome } from '../../domain/messages/delivery.ts'
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
import type { CachedMessage, CompiledMessageCache } from './compiled-message-cache.ts'
import { UnbuildableError } from '../mime/unbuildable-error.ts'

export type Pause = Extract<Outcome, { kind: 'pause' }>

/** What a lane has to hear of its rows. */
interface DeliveryBatchEvents {
  /** A row has left the queue, or is back in it. */
  onProgress: () => void
  /** There may be a mail for a connection that asked in vain. */
  onMailReady: () => void
  /** The mailbox has to pause; the row it was said to is back in the queue. */
  onPause: (outcome: Pause, error: SmtpError, session: SmtpSession) => void
  /** Something of ours is away. */
  onError: (error: unknown) => void
}

export interface DeliveryBatchPorts extends Pick<SenderPorts, 'suppressions' | 'clock' | 'random' | 'log'> {
  mailboxId: string
  compiledMessages: CompiledMessageCache
  outcomeWriter: OutcomeWriter
  pauseMonitor: PauseMonitor
}

/** Templates are read for so many rows ahead. */
const aheadCount = 20

/** The rows that a lane has in hand: makes mails of them, and outcomes of what became of the mails. */
export class DeliveryBatch {
  /** Claimed, and not given to a connection. */
  readonly #rows: ClaimedRow[] = []
  readonly #ports: DeliveryBatchPorts
  readonly #events: DeliveryBatchEvents
  /** Given to connections and not ended. */
  readonly #inFlight = new Set<ClaimedRow>()
  /** Mails that threads have built, or why they could not; null: they are at it. */
  readonly #built = new WeakMap<ClaimedRow, WireMail | Error | null>()
  #isReading = false
  #isOver = false
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

  /** Whether its mail server has taken a mail. */
  get hasSent(): boolean {
    return this.#hasSent
  }

  /** Campaigns that have rows in hand. */
  campaignIds(): string[] {
    return [...new Set([...this.#rows, ...this.#inFlight].flatMap(({ delivery }) => delivery.campaignId ?? []))]
  }

  /** Takes rows in, but for those that must not be written to. Rejects, with all rows taken in, where that cannot be known. */
  async add(rows: readonly ClaimedRow[]): Promise<void> {
    const { suppressions, mailboxId } = this.#ports
    if (!suppressions || rows.length === 0) {
      this.#rows.push(...rows)
      return
    }
    try {
      this.#sift(rows, await suppressions.find(mailboxId, recipientsOf(rows)))
    } catch (error) {
      this.#rows.push(...rows)
      throw error
    }
  }

  /** Lets go of rows whose recipients have left since they came in. */
  async dropNewlySuppressed(): Promise<void> {
    const { suppressions, mailboxId } = this.#ports
    if (!suppressions || this.#rows.length === 0) return
    const suppressed = await suppressions.find(mailboxId, recipientsOf(this.#rows))
    if (suppressed.size === 0) return
    this.#sift(this.#rows.splice(0), suppressed)
    this.#events.onProgress()
  }

  /** The next mail for a connection, if there is one at this moment. */
  take(session: SmtpSession): SmtpJob | null {
    for (let row = this.#rows[0]; row && !this.#isOver; row = this.#rows[0]) {
      const standing = this.#ports.pauseMonitor.check(row)
      if (standing === 'stale') return null
      if (standing === 'halted') {
        this.#rows.shift()
        this.#settle(row, released(row, 'queued'))
        continue
      }
      const template = this.#ports.compiledMessages.peek(row.delivery.messageId)
      if (template === undefined) {
        void this.#read()
        return null
      }
      const built = isLargeMessage(template) ? this.#buildAway(row, template) : template
      if (built === undefined) return null
      this.#rows.shift()
      this.#events.onProgress()
      const job = this.#makeJob(row, built, session)
      if (job) return job
    }
    return null
  }

  /** Lets go of rows of mailboxes and campaigns that were halted. */
  dropPaused(halted: ReadonlySet<string>): void {
    if (halted.size === 0) return
    for (const row of this.#rows.splice(0)) {
      const { mailboxId, campaignId } = row.delivery
      const isHalted = halted.has(mailboxId) || (campaignId !== null && halted.has(campaignId))
      if (isHalted && this.#ports.pauseMonitor.check(row) === 'halted') this.#settle(row, released(row, 'queued'))
      else this.#rows.push(row)
    }
    this.#events.onProgress()
  }

  /** Gives nothing more to connections. */
  close(): void {
    this.#isOver = true
  }

  /** Lets go of the rows that nobody came to; with a `reply` it counts as an attempt. */
  release(reply: string | null): void {
    const { random } = this.#ports
    for (const row of this.#rows.splice(0)) {
      const settlement =
        reply === null
          ? released(row, 'queued')
          : { ...toDeliveryOutcome(claimKeyOf(row), { kind: 'retry', reply }, random()), isCounted: false }
      this.#settle(row, settlement)
    }
  }

  #sift(rows: readonly ClaimedRow[], suppressed: ReadonlySet<string>): void {
    for (const row of rows) {
      if (suppressed.has(row.delivery.recipient)) this.#settle(row, released(row, 'suppressed'))
      else this.#rows.push(row)
    }
  }

  async #read(): Promise<void> {
    if (this.#isReading) return
    this.#isReading = true
    try {
      const rows = this.#rows.slice(0, aheadCount)
      await this.#ports.compiledMessages.load([...new Set(rows.map(({ delivery }) => delivery.messageId))])
      this.#isReading = false
      this.#events.onMailReady()
    } catch (error) {
      this.#isReading = false
      this.#events.onError(error)
    }
  }

  /** The mail of a row, built in a thread; undefined until it is. */
  #buildAway(row: ClaimedRow, template: LargeMessage): MailBuilder | Error | undefined {
    const built = this.#built.get(row)
    if (built === null) return undefined
    if (built) return built instanceof Error ? built : { fromAddress: template.fromAddress, build: () => built }
    this.#built.set(row, null)
    template
      .build(row.delivery, this.#ports.clock())
      .then((mail) => this.#built.set(row, mail))
      .catch((error: unknown) => {
        const isFinal = error instanceof UnbuildableError || error instanceof BuildError
        this.#built.set(row, isFinal ? error : new ThreadError('A thread could not build a mail', { cause: error }))
      })
      .finally(() => this.#events.onMailReady())
    return undefined
  }

  #makeJob(row: ClaimedRow, template: MailBuilder | Error | null, session: SmtpSession): SmtpJob | null {
    const { delivery, segment, token } = row
    const { clock, log } = this.#ports
    const key = { id: delivery.id, token }
    if (template === null) {
      this.#fail(row, 'The message is gone')
      return null
    }
    try {
      if (template instanceof Error) throw template
      const mail = template.build(delivery, clock(), session.buffers)
      let isIntended = false
      this.#inFlight.add(row)
      return {
        envelope: { from: template.fromAddress, to: delivery.recipient },
        mail,
        begin: () => {
          if (this.#isOver || this.#ports.pauseMonitor.check(row) !== 'go') throw new PausedError()
          segment.intend(key)
          isIntended = true
        },
        end: (result) => {
          this.#inFlight.delete(row)
          this.#note(row, result, isIntended)
          this.#conclude(row, result, session)
          this.#events.onProgress()
        },
      }
    } catch (error) {
      log.error(
        { err: serializeError(error), message: delivery.messageId, delivery: delivery.id },
        'A mail could not be built',
      )
      // Counted as an attempt, so that a message that ends its thread each time fails at last.
      if (error instanceof ThreadError) {
        this.#settleBy(row, { kind: 'retry', reply: 'The server could not build the mail' }, false)
        return null
      }
      const isTold = error instanceof UnbuildableError
      this.#fail(row, isTold ? error.message : 'The mail could not be built from its message')
      return null
    }
  }

  /**
   * Writes the answer into the journal. It is known here whether or not the journal takes it; without it a crash would show
   * the row as unknown.
   */
  #note({ delivery, token, segment }: ClaimedRow, result: SmtpResult, isIntended: boolean): void {
    const key = { id: delivery.id, token }
    try {
      const reply =
        result.kind === 'replied' ? result.reply : result.kind === 'failed' ? result.error.verdict.reply : null
      if (reply !== null) segment.reply(key, reply)
      else if (isIntended && result.kind === 'failed' && !result.error.verdict.isHandedOver) segment.withdraw(key)
    } catch (error) {
      this.#ports.log.error({ err: serializeError(error) }, 'The intent journal did not take an answer')
    }
  }

  #conclude(row: ClaimedRow, result: SmtpResult, session: SmtpSession): void {
    switch (result.kind) {
      case 'replied':
        this.#hasSent = true
        this.#settleBy(row, { kind: 'sent', reply: result.reply }, true)
        return
      case 'untouched':
        this.#rows.unshift(row)
        return
      case 'withheld':
        if (result.error instanceof PausedError) this.#settle(row, released(row, 'queued'))
        else {
          this.#rows.unshift(row)
          this.#events.onError(result.error)
        }
        return
      case 'failed': {
        const outcome = classify(result.error.verdict)
        if (wasConnectionStale(outcome, result.error, session)) this.#rows.unshift(row)
        else if (outcome.kind !== 'pause')
          this.#settleBy(row, outcome, result.error.verdict.libraryCode !== 'EENVELOPE')
        else {
          this.#rows.unshift(row)
          this.#events.onPause(outcome, result.error, session)
        }
      }
    }
  }

  #fail(row: ClaimedRow, reply: string): void {
    this.#settleBy(row, { kind: 'fail', reply, isAddressDead: false }, false)
  }

  #settleBy(row: ClaimedRow, outcome: Exclude<Outcome, Pause>, isCounted: boolean): void {
    const settlement = { ...toDeliveryOutcome(claimKeyOf(row), outcome, this.#ports.random()), isCounted }
    const { mailboxId, recipient: address } = row.delivery
    const isDead = outcome.kind === 'fail' && outcome.isAddressDead
    this.#settle(row, settlement, isDead ? { mailboxId, address, reply: outcome.reply } : null)
  }

  #settle(
    row: ClaimedRow,
    outcome: DeliveryOutcome,
    deadAddress: { mailboxId: string; address: string; reply: string } | null = null,
  ): void {
    this.#ports.outcomeWriter.add({ outcome, onCommitted: row.onWritten, deadAddress })
  }
}

/** What a job needs of a template. */
type MailBuilder = Pick<CompiledMessage, 'fromAddress' | 'build'>

function isLargeMessage(template: CachedMessage): template is LargeMessage {
  return template !== null && 'isLarge' in template
}

/** A thread ended or took too long while it built a mail; another attempt may work. */
class ThreadError extends Error {
  override readonly name = 'ThreadError'
}

/** A mail that was about to leave while its mailbox or its campaign was paused, or the sender was stopped. */
class PausedError extends Error {
  override readonly name = 'HaltedError'
}

function recipientsOf(rows: readonly ClaimedRow[]): string[] {
  return rows.map(({ delivery }) => delivery.recipient)
}

function claimKeyOf({ delivery, token }: ClaimedRow): ClaimKey {
  const { month, id, attempts } = delivery
  return { month, id, token, attempts }
}

/** Lets a row go that no mail server was told of. */
function released(row: ClaimedRow, state: 'queued' | 'suppressed'): DeliveryOutcome {
  const { month, id, token } = claimKeyOf(row)
  return { month, id, token, state, reply: null, isAttempt: false, isCounted: false, delayMs: 0 }
}

/** Whether a connection had ended while it rested, before this message was its turn: not the message's fault. */
function wasConnectionStale(outcome: Outcome, { verdict }: SmtpError, session: SmtpSession): boolean {
  if (outcome.kind !== 'retry' || session.isOpen || session.usedCount < 2) return false
  return !verdict.isHandedOver && (verdict.reply === null || verdict.reply.startsWith('421'))
}
