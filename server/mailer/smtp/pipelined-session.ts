import type { Socket } from 'node:net'
import { BufferPool } from './buffer-pool.ts'
import { ReplyReader } from './reply-reader.ts'
import { SmtpError, toSmtpError } from './smtp-error.ts'
import type { SmtpJob, SmtpResult, SmtpSession } from './smtp-job.ts'
import { envelopeLines, isAscii, isSafeAddress, toWireBytes, type SmtpExtensions } from './wire-bytes.ts'

/** The SMTP transaction of one mail. */
interface Transaction {
  job: SmtpJob
  /** The reply that refused its envelope. */
  refusal: string | null
  /** Whether the server has replied to any of its commands. */
  isAnswered: boolean
  /** Whether the final dot was written to the socket: from then on only the server knows whether it accepted the mail. */
  isHandedOver: boolean
}

/** The command that the next reply answers. `nothing`: an empty message after a refused envelope. */
type ExpectedReply =
  | { to: 'sender' | 'recipient' | 'data' | 'message' | 'nothing'; transaction: Transaction }
  | { to: 'reset' | 'quit'; transaction: null }

const endOfMessage = '.\r\n'
/** Up to this size a message, its final dot and the next envelope are written together. */
const smallMaxBytes = 64 * 1024
const quitTimeoutMs = 2000

/**
 * An SMTP session with pipelining (RFC 2920): each envelope is sent together with the previous message, so a mail costs
 * one round trip. A message is sent only after the reply to the previous one and the 354 for this one, so at most one
 * message is unconfirmed at a time.
 */
export class PipelinedSession implements SmtpSession {
  readonly buffers = new BufferPool()
  usedCount = 0
  readonly #socket: Socket
  readonly #extensions: SmtpExtensions
  readonly #replies = new ReplyReader()
  readonly #expected: ExpectedReply[] = []
  /** Its envelope was sent, its message was not. */
  #announced: Transaction | null = null
  /** Its message was sent or is being sent. */
  #sent: Transaction | null = null
  #isOpen = true
  #isPumping = false
  /** Whether the server may still hold a refused envelope: the next one needs RSET. */
  #needsReset = false
  #next: () => SmtpJob | null = () => null
  #onIdle: () => void = () => undefined
  #onClosed: (() => void)[] = []

  /**
   * `socket`: authenticated, without other listeners and without outstanding replies. `replyTimeoutMs`: for each reply.
   */
  constructor(socket: Socket, extensions: SmtpExtensions, replyTimeoutMs: number) {
    this.#socket = socket
    this.#extensions = extensions
    socket.on('data', (chunk) => this.#read(chunk))
    socket.on('error', (error) => this.#end(error))
    socket.on('end', () => this.#end(Object.assign(new Error('Connection closed'), { code: 'ECONNECTION' })))
    socket.on('close', () => {
      this.#end(Object.assign(new Error('Connection closed'), { code: 'ECONNECTION' }))
      for (const onClosed of this.#onClosed.splice(0)) onClosed()
    })
    socket.setTimeout(replyTimeoutMs, () => {
      this.#end(Object.assign(new Error('No answer in time'), { code: 'ETIMEDOUT' }))
    })
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  get busyCount(): number {
    return (this.#announced ? 1 : 0) + (this.#sent ? 1 : 0)
  }

  serve(next: () => SmtpJob | null, onIdle: () => void): void {
    this.#next = next
    this.#onIdle = onIdle
    this.wake()
  }

  wake(): void {
    if (!this.#isOpen || this.#isPumping) return
    const lines = this.#takeEnvelope()
    if (lines !== '') this.#socket.write(lines)
    if (this.busyCount === 0) this.#onIdle()
  }

  async quit(): Promise<void> {
    if (this.#socket.destroyed) return
    const { promise, resolve } = Promise.withResolvers<undefined>()
    this.#onClosed.push(() => resolve(undefined))
    const timer = setTimeout(() => this.destroy(), quitTimeoutMs)
    if (this.#isOpen) {
      this.#expected.push({ to: 'quit', transaction: null })
      this.#socket.write('QUIT\r\n')
    }
    await promise
    clearTimeout(timer)
  }

  destroy(): void {
    this.#end(Object.assign(new Error('Connection cut'), { code: 'ECONNECTION' }))
  }

  /**
   * The commands of the next envelope; empty if no mail is ready, if one was announced already, and while a message is being
   * written, which they would become a part of.
   */
  #takeEnvelope(): string {
    this.#isPumping = true
    try {
      while (this.#isOpen && this.#announced === null && this.#sent?.isHandedOver !== false) {
        const job = this.#next()
        if (job === null) return ''
        this.usedCount += 1
        const error = this.#checkMail(job)
        if (error) job.end({ kind: 'failed', error })
        else return this.#announce(job)
      }
      return ''
    } finally {
      this.#isPumping = false
    }
  }

  #announce(job: SmtpJob): string {
    const transaction: Transaction = { job, refusal: null, isAnswered: false, isHandedOver: false }
    this.#announced = transaction
    const reset = this.#needsReset ? 'RSET\r\n' : ''
    if (this.#needsReset) this.#expected.push({ to: 'reset', transaction: null })
    this.#needsReset = false
    this.#expected.push({ to: 'sender', transaction }, { to: 'recipient', transaction }, { to: 'data', transaction })
    return reset + envelopeLines(job.envelope, job.mail, this.#extensions)
  }

  /** The error of a mail that this connection cannot send, as nodemailer would report it; null if it can. */
  #checkMail({ envelope: { from, to }, mail }: SmtpJob): SmtpError | null {
    const { unicode, maxBytes } = this.#extensions
    const fail = (code: string, originalCode?: string) => toSmtpError({ code, originalCode }, 'message', false)
    if (!isSafeAddress(from) || !isSafeAddress(to)) return fail('EENVELOPE')
    if (!unicode && !isAscii(from + to)) return fail('EENVELOPE', 'NO_SMTPUTF8')
    return maxBytes !== null && mail.bytes.length > maxBytes ? fail('EMESSAGE') : null
  }

  #read(chunk: Buffer): void {
    let replies: string[]
    try {
      replies = this.#replies.read(chunk)
    } catch (error) {
      this.#end(Object.assign(new Error('Not SMTP', { cause: error }), { code: 'EPROTOCOL' }))
      return
    }
    for (const reply of replies) if (this.#isOpen) this.#handleReply(reply)
  }

  #handleReply(reply: string): void {
    const expected = this.#expected.shift()
    const isGood = reply.startsWith('2')
    // An unexpected reply: client and server are out of step, or the server is closing the connection.
    if (!expected) this.#end(Object.assign(new Error('Unexpected reply'), { code: 'EPROTOCOL' }))
    else if (expected.to === 'quit') this.#end(Object.assign(new Error('Goodbye'), { code: 'ECONNECTION' }))
    else if (expected.transaction === null) {
      if (!isGood) this.#end(Object.assign(new Error('Not reset'), { code: 'EPROTOCOL' }))
    } else {
      expected.transaction.isAnswered = true
      if (expected.to === 'message') this.#handleMessageReply(expected.transaction, reply, isGood)
      else if (reply.startsWith('421')) this.#handleClosing(expected.transaction, reply)
      else if (expected.to === 'data') this.#handleDataReply(expected.transaction, reply)
      else if (expected.to === 'nothing') this.#refuse(expected.transaction, false)
      else if (!isGood) expected.transaction.refusal ??= reply
    }
  }

  /** Handles the reply to DATA. */
  #handleDataReply(transaction: Transaction, reply: string): void {
    const isReady = reply.startsWith('3')
    if (isReady && transaction.refusal === null) this.#sendMessage(transaction)
    else if (isReady) {
      // 354 without a valid recipient: an empty message gets both sides back in step (RFC 2920 §3.1).
      this.#expected.push({ to: 'nothing', transaction })
      this.#socket.write(endOfMessage)
    } else if (transaction.refusal === null && reply.startsWith('2')) {
      this.#end(Object.assign(new Error('DATA was answered as if it were a message'), { code: 'EPROTOCOL' }))
    } else {
      transaction.refusal ??= reply
      this.#refuse(transaction, true)
    }
  }

  #sendMessage(transaction: Transaction): void {
    try {
      transaction.job.begin()
    } catch (error) {
      this.#announced = null
      this.#close()
      transaction.job.end({
        kind: 'withheld',
        error: error instanceof Error ? error : new Error('Refused', { cause: error }),
      })
      this.#end(null)
      return
    }
    this.#announced = null
    this.#sent = transaction
    this.#expected.push({ to: 'message', transaction })
    const { buffer } = transaction.job.mail
    const bytes = toWireBytes(transaction.job.mail)
    if (bytes.length <= smallMaxBytes) {
      transaction.isHandedOver = true
      const whole = withTail(bytes, endOfMessage + this.#takeEnvelope(), buffer)
      this.#socket.write(whole, buffer && (() => this.buffers.release(buffer)))
      return
    }
    // A large message may be interrupted, and was not accepted then: the final dot is written after the rest was sent.
    this.#socket.write(bytes, () => {
      if (!this.#isOpen || this.#sent !== transaction) return
      transaction.isHandedOver = true
      this.#socket.write(endOfMessage + this.#takeEnvelope())
    })
  }

  /** Handles the reply to a message. */
  #handleMessageReply(transaction: Transaction, reply: string, isGood: boolean): void {
    this.#sent = null
    // A reply before the final dot: a refusal is valid, but an acceptance is not.
    const isEarly = !transaction.isHandedOver
    if (isEarly || reply.startsWith('421')) this.#close()
    if (isGood && isEarly) {
      transaction.job.end({ kind: 'failed', error: toSmtpError({ code: 'EPROTOCOL' }, 'message', false) })
    } else if (isGood) transaction.job.end({ kind: 'replied', reply })
    else transaction.job.end({ kind: 'failed', error: refusalError(reply, transaction) })
    if (this.#isOpen) this.wake()
    else this.#end(null)
  }

  /** The mail was refused; the connection stays usable. */
  #refuse(transaction: Transaction, needsReset: boolean): void {
    this.#announced = null
    this.#needsReset = needsReset
    transaction.job.end({ kind: 'failed', error: refusalError(transaction.refusal, transaction) })
    this.wake()
  }

  /** The server closes the connection (421) during a mail. */
  #handleClosing(transaction: Transaction, reply: string): void {
    this.#announced = null
    this.#close()
    transaction.job.end({ kind: 'failed', error: refusalError(transaction.refusal ?? reply, transaction) })
    this.#end(null)
  }

  /** Closes the socket: nothing is sent or received any more. */
  #close(): void {
    this.#isOpen = false
    this.#socket.destroy()
  }

  /** Ends the session and fails its mails; `error` null if they have ended. */
  #end(error: Error | null): void {
    if (!this.#isOpen && error !== null) return
    this.#close()
    const [sent, announced] = [this.#sent, this.#announced]
    this.#sent = null
    this.#announced = null
    const cause = error ?? Object.assign(new Error('Connection closed'), { code: 'ECONNECTION' })
    if (sent) sent.job.end({ kind: 'failed', error: toSmtpError(cause, 'message', sent.isHandedOver) })
    if (announced) announced.job.end(this.#resultOfAborted(announced, cause))
    this.#onIdle()
  }

  /** A mail that was announced behind another one was not the reason that the connection ended. */
  #resultOfAborted(transaction: Transaction, cause: Error): SmtpResult {
    if (transaction.refusal !== null) return { kind: 'failed', error: refusalError(transaction.refusal, transaction) }
    if (!transaction.isAnswered && this.usedCount > 1) return { kind: 'not_started' }
    return { kind: 'failed', error: toSmtpError(cause, 'message', false) }
  }
}

/** Appends the tail to the bytes, in place if their buffer is large enough. */
function withTail(bytes: Buffer, tail: string, room: Buffer | undefined): Buffer {
  const end = bytes.length + Buffer.byteLength(tail)
  if (!room || room.length < end || bytes.buffer !== room.buffer) return Buffer.concat([bytes, Buffer.from(tail)])
  room.write(tail, bytes.length)
  return room.subarray(0, end)
}

function refusalError(reply: string | null, { isHandedOver }: Transaction): SmtpError {
  return new SmtpError({ phase: 'message', reply, libraryCode: 'EMESSAGE', systemCode: null, isHandedOver })
}
