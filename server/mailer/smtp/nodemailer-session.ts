import type { Socket } from 'node:net'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection'
import { runSmtpCommand } from './smtp-command.ts'
import { MessageBody } from './message-body.ts'
import { toSmtpError } from './smtp-error.ts'
import type { SmtpJob, SmtpResult, SmtpSession } from './smtp-job.ts'

const quitTimeoutMs = 2000

/** An SMTP session of nodemailer: one mail at a time. */
export class NodemailerSession implements SmtpSession {
  readonly buffers = null
  usedCount = 0
  busyCount = 0
  readonly #connection: SMTPConnection
  /** Whether the server accepts non-ASCII addresses (RFC 6531). */
  readonly #supportsUnicode: boolean
  #isServing = false
  #next: () => SmtpJob | null = () => null
  #onIdle: () => void = () => undefined

  constructor(connection: SMTPConnection, supportsUnicode: boolean) {
    this.#connection = connection
    this.#supportsUnicode = supportsUnicode
  }

  get isOpen(): boolean {
    return !this.#connection.destroyed
  }

  serve(next: () => SmtpJob | null, onIdle: () => void): void {
    this.#next = next
    this.#onIdle = onIdle
    this.#connection.once('end', () => {
      if (!this.#isServing) onIdle()
    })
    this.wake()
  }

  wake(): void {
    if (!this.#isServing && this.isOpen) void this.#sendAll()
  }

  async #sendAll(): Promise<void> {
    this.#isServing = true
    for (let job = this.#next(); job; job = this.isOpen ? this.#next() : null) {
      this.usedCount += 1
      this.busyCount = 1
      const result = await this.#send(job)
      if (result.kind === 'failed') await this.#reset()
      this.busyCount = 0
      job.end(result)
    }
    this.#isServing = false
    this.#onIdle()
  }

  async #send({ envelope, mail, begin }: SmtpJob): Promise<SmtpResult> {
    const { from, to } = envelope
    if (!this.#supportsUnicode && /[^\p{ASCII}]/u.test(from + to)) {
      const error = toSmtpError({ code: 'EENVELOPE', originalCode: 'NO_SMTPUTF8' }, 'message', false)
      return { kind: 'failed', error }
    }
    const body = new MessageBody(mail.bytes, begin)
    try {
      const info = await runSmtpCommand<SMTPConnectionSendInfo>(
        this.#connection,
        'message',
        (done) => this.#connection.send({ from, to: [to], size: mail.bytes.length }, body, done),
        () => body.isHandedOver,
      )
      return { kind: 'replied', reply: info.response }
    } catch (error) {
      if (body.refusal) {
        this.destroy()
        return { kind: 'withheld', error: body.refusal }
      }
      return { kind: 'failed', error: toSmtpError(error, 'message', body.isHandedOver) }
    }
  }

  /** Sends RSET after a failure: the server may still hold the envelope, and would refuse the next MAIL FROM. */
  async #reset(): Promise<void> {
    if (!this.isOpen) return
    try {
      await runSmtpCommand(this.#connection, 'message', (done) => this.#connection.reset(done))
    } catch {
      this.destroy() // The first error is the result; a connection that cannot be reset is replaced.
    }
  }

  async quit(): Promise<void> {
    if (!this.isOpen) return
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => this.destroy(), quitTimeoutMs)
    this.#connection.once('end', () => resolve(undefined))
    this.#connection.quit()
    await promise
    clearTimeout(timer)
  }

  destroy(): void {
    this.#connection.close()
  }
}

/** Nodemailer's socket listeners, by the names of its private fields. */
const libraryListeners = {
  data: '_onSocketData',
  timeout: '_onSocketTimeout',
  close: '_onSocketClose',
  end: '_onSocketEnd',
  error: '_onSocketError',
} as const

/**
 * Detaches the socket of an authenticated connection from nodemailer. Null if that is not possible, or if the server has
 * sent unexpected data: later replies could not be matched to commands.
 */
export function detachSocket(connection: SMTPConnection): Socket | null {
  const internals = connection as unknown as Record<string, unknown>
  const socket = connection._socket
  const listeners = Object.entries(libraryListeners).map(([event, field]) => [event, internals[field]] as const)
  const hasListeners = listeners.every(([, listener]) => typeof listener === 'function')
  const isSilent =
    internals['_remainder'] === '' &&
    Array.isArray(internals['_responseQueue']) &&
    internals['_responseQueue'].length === 0
  if (!socket || !hasListeners || !isSilent) return null
  for (const [event, listener] of listeners) socket.removeListener(event, listener as () => void)
  socket.removeListener('error', internals['_onConnectionSocketError'] as () => void)
  socket.setTimeout(0)
  return socket
}
