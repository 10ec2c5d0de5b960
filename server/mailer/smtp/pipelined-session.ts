import type { Socket } from 'node:net'
import { BufferPool } from './buffer-pool.ts'
import { ReplyReader } from './reply-reader.ts'
import { SmtpError, toSmtpError } from './smtp-error.ts'
import type { SmtpJob, SmtpResult, SmtpSession } from './smtp-job.ts'
import { envelopeLines, isAscii, isSafeAddress, toWireBytes, type SmtpExtensions } from './wire-bytes.ts'

/** A mail on this connection. */
interface Turn {
  job: SmtpJob
  /** What the server has said against it before its message. */
  refusal: string | null
  /** Whether the server has answered to anything of it. */
  isAnswered: boolean
  /** Whether the line that ends the message went to the socket: from then on only the server can say what became of it. */
  isHandedOver: boolean
}

/** What the server owes an answer to, in its order. */
type Owed =
  { to: 'sender' | 'recipient' | 'data' | 'message' | 'nothing'; turn: Turn } | { to: 'reset' | 'quit'; turn: null }

const endOfMessage = '.\r\n'
/** Up to this size a message, its end and the next envelope go out as one. */
const smallMaxBytes = 64 * 1024
const quitTimeoutMs = 2000

/**
 * A connection on which each envelope is sent ahead, together with the message before it (RFC 2920): a mail costs one round
 * trip. A message itself leaves only when the server has answered for the one before and asked for this one, so no more than
 * one at a time is between message and reply.
 */
export class PipelinedSession implements SmtpSession {
  readonly buffers = new BufferPool()
  usedCount = 0
  readonly #socket: Socket
  readonly #offers: SmtpExtensions
  readonly #replies = new ReplyReader()
  readonly #owed: Owed[] = []
  /** Its envelope is sent, its message is not. */
  #ahead: Turn | null = null
  /** Its message is sent, or is on its way out. */
  #sent: Turn | null = null
  #isOpen = true
  #isPumping = false
  /** Whether the server may still hold an envelope that it has refused. */
  #isStained = false
  #next: () => SmtpJob | null = () => null
  #onIdle: () => void = () => undefined
  #onGone: (() => void)[] = []

  /** `socket`: signed in, with no listener of others, and nothing owed. `replyTimeoutMs`: longest silence while something is. */
  constructor(socket: Socket, offers: SmtpExtensions, replyTimeoutMs: number) {
    this.#socket = socket
    this.#offers = offers
    socket.on('data', (piece) => this.#read(piece))
    socket.on('error', (error) => this.#end(error))
    socket.on('end', () => this.#end(Object.assign(new Error('Connection closed'), { code: 'ECONNECTION' })))
    socket.on('close', () => {
      this.#end(Object.assign(new Error('Connection closed'), { code: 'ECONNECTION' }))
      for (const tell of this.#onGone.splice(0)) tell()
    })
    socket.setTimeout(replyTimeoutMs, () => {
      this.#end(Object.assign(new Error('No answer in time'), { code: 'ETIMEDOUT' }))
    })
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  get busyCount(): number {
    return (this.#ahead ? 1 : 0) + (this.#sent ? 1 : 0)
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
    this.#onGone.push(() => resolve(undefined))
    const timer = setTimeout(() => this.destroy(), quitTimeoutMs)
    if (this.#isOpen) {
      this.#owed.push({ to: 'quit', turn: null })
      this.#socket.write('QUIT\r\n')
    }
    await promise
    clearTimeout(timer)
  }

  destroy(): void {
    this.#end(Object.assign(new Error('Connection cut'), { code: 'ECONNECTION' }))
  }

  /** The lines that announce the next mail; empty if there is none at this moment, or one is announced already. */
  #takeEnvelope(): string {
    this.#isPumping = true
    try {
      while (this.#isOpen && this.#ahead === null) {
        const job = this.#next()
        if (job === null) return ''
        this.usedCount += 1
        const obstacle = this.#obstacleTo(job)
        if (obstacle) job.end({ kind: 'failed', error: obstacle })
        else return this.#announce(job)
      }
      return ''
    } finally {
      this.#isPumping = false
    }
  }

  #announce(job: SmtpJob): string {
    const turn: Turn = { job, refusal: null, isAnswered: false, isHandedOver: false }
    this.#ahead = turn
    const reset = this.#isStained ? 'RSET\r\n' : ''
    if (this.#isStained) this.#owed.push({ to: 'reset', turn: null })
    this.#isStained = false
    this.#owed.push({ to: 'sender', turn }, { to: 'recipient', turn }, { to: 'data', turn })
    return reset + envelopeLines(job.envelope, job.mail, this.#offers)
  }

  /** Why a mail cannot go over this connection, as the library would say it. */
  #obstacleTo({ envelope: { from, to }, mail }: SmtpJob): SmtpError | null {
    const { unicode, maxBytes } = this.#offers
    const fail = (code: string, originalCode?: string) => toSmtpError({ code, originalCode }, 'message', false)
    if (!isSafeAddress(from) || !isSafeAddress(to)) return fail('EENVELOPE')
    if (!unicode && !isAscii(from + to)) return fail('EENVELOPE', 'NO_SMTPUTF8')
    return maxBytes !== null && mail.bytes.length > maxBytes ? fail('EMESSAGE') : null
  }

  #read(piece: Buffer): void {
    let replies: string[]
    try {
      replies = this.#replies.read(piece)
    } catch (error) {
      this.#end(Object.assign(new Error('Not SMTP', { cause: error }), { code: 'EPROTOCOL' }))
      return
    }
    for (const reply of replies) if (this.#isOpen) this.#hear(reply)
  }

  #hear(reply: string): void {
    const owed = this.#owed.shift()
    const isGood = reply.startsWith('2')
    // What nobody asked for: the two sides do not speak of the same any more, or the server says goodbye.
    if (!owed) this.#end(Object.assign(new Error('Unasked reply'), { code: 'EPROTOCOL' }))
    else if (owed.to === 'quit') this.#end(Object.assign(new Error('Goodbye'), { code: 'ECONNECTION' }))
    else if (owed.turn === null) {
      if (!isGood) this.#end(Object.assign(new Error('Not reset'), { code: 'EPROTOCOL' }))
    } else {
      owed.turn.isAnswered = true
      if (owed.to === 'message') this.#conclude(owed.turn, reply, isGood)
      else if (reply.startsWith('421')) this.#leave(owed.turn, reply)
      else if (owed.to === 'data') this.#proceed(owed.turn, reply)
      else if (owed.to === 'nothing') this.#refuse(owed.turn, false)
      else if (!isGood) owed.turn.refusal ??= reply
    }
  }

  /** The server has answered to DATA. */
  #proceed(turn: Turn, reply: string): void {
    const isAsked = reply.startsWith('3')
    if (isAsked && turn.refusal === null) this.#sendMessage(turn)
    else if (isAsked) {
      // It asks for a message to nobody: an empty one brings both sides back in step (RFC 2920 §3.1).
      this.#owed.push({ to: 'nothing', turn })
      this.#socket.write(endOfMessage)
    } else if (turn.refusal === null && reply.startsWith('2')) {
      this.#end(Object.assign(new Error('DATA was answered as if it were a message'), { code: 'EPROTOCOL' }))
    } else {
      turn.refusal ??= reply
      this.#refuse(turn, true)
    }
  }

  #sendMessage(turn: Turn): void {
    try {
      turn.job.begin()
    } catch (error) {
      this.#ahead = null
      this.#shut()
      turn.job.end({ kind: 'withheld', error: error instanceof Error ? error : new Error('Refused', { cause: error }) })
      this.#end(null)
      return
    }
    this.#ahead = null
    this.#sent = turn
    this.#owed.push({ to: 'message', turn })
    const { buffer } = turn.job.mail
    const bytes = toWireBytes(turn.job.mail)
    if (bytes.length <= smallMaxBytes) {
      turn.isHandedOver = true
      const whole = withTail(bytes, endOfMessage + this.#takeEnvelope(), buffer)
      this.#socket.write(whole, buffer && (() => this.buffers.release(buffer)))
      return
    }
    // A large one may break off in the middle, and then it was not taken: its end goes when the rest has left.
    this.#socket.write(bytes, () => {
      if (!this.#isOpen || this.#sent !== turn) return
      turn.isHandedOver = true
      this.#socket.write(endOfMessage + this.#takeEnvelope())
    })
  }

  /** The server has answered for a message. */
  #conclude(turn: Turn, reply: string, isGood: boolean): void {
    this.#sent = null
    // Said before the message had ended: a refusal counts, but nothing has been taken.
    const isEarly = !turn.isHandedOver
    if (isEarly || reply.startsWith('421')) this.#shut()
    if (isGood && isEarly) {
      turn.job.end({ kind: 'failed', error: toSmtpError({ code: 'EPROTOCOL' }, 'message', false) })
    } else if (isGood) turn.job.end({ kind: 'replied', reply })
    else turn.job.end({ kind: 'failed', error: refusalError(reply, turn) })
    if (this.#isOpen) this.wake()
    else this.#end(null)
  }

  /** The mail goes no further, the connection does. */
  #refuse(turn: Turn, isStained: boolean): void {
    this.#ahead = null
    this.#isStained = isStained
    turn.job.end({ kind: 'failed', error: refusalError(turn.refusal, turn) })
    this.wake()
  }

  /** The server closes the connection over a mail. */
  #leave(turn: Turn, reply: string): void {
    this.#ahead = null
    this.#shut()
    turn.job.end({ kind: 'failed', error: refusalError(turn.refusal ?? reply, turn) })
    this.#end(null)
  }

  /** Nothing more is sent or heard. */
  #shut(): void {
    this.#isOpen = false
    this.#socket.destroy()
  }

  /** Ends what is under way; `error` null where that is done. */
  #end(error: Error | null): void {
    if (!this.#isOpen && error !== null) return
    this.#shut()
    const [sent, ahead] = [this.#sent, this.#ahead]
    this.#sent = null
    this.#ahead = null
    const cause = error ?? Object.assign(new Error('Connection closed'), { code: 'ECONNECTION' })
    if (sent) sent.job.end({ kind: 'failed', error: toSmtpError(cause, 'message', sent.isHandedOver) })
    if (ahead) ahead.job.end(this.#breakOff(ahead, cause))
    this.#onIdle()
  }

  /** Whoever was announced behind another mail was not the reason that the connection ended. */
  #breakOff(turn: Turn, cause: Error): SmtpResult {
    if (turn.refusal !== null) return { kind: 'failed', error: refusalError(turn.refusal, turn) }
    if (!turn.isAnswered && this.usedCount > 1) return { kind: 'not_started' }
    return { kind: 'failed', error: toSmtpError(cause, 'message', false) }
  }
}

/** Bytes and what follows them, in the bytes' own memory where it goes on far enough. */
function withTail(bytes: Buffer, tail: string, room: Buffer | undefined): Buffer {
  const end = bytes.length + Buffer.byteLength(tail)
  if (!room || room.length < end || bytes.buffer !== room.buffer) return Buffer.concat([bytes, Buffer.from(tail)])
  room.write(tail, bytes.length)
  return room.subarray(0, end)
}

function refusalError(reply: string | null, { isHandedOver }: Turn): SmtpError {
  return new SmtpError({ phase: 'message', reply, libraryCode: 'EMESSAGE', systemCode: null, isHandedOver })
}
