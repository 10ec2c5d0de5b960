import type { Socket } from 'node:net'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection'
import { runSmtpCommand } from './smtp-command.ts'
import { MessageBody } from './message-body.ts'
import { toSmtpError } from './smtp-error.ts'
import type { SmtpJob, SmtpResult, SmtpSession } from './smtp-job.ts'

const quitTimeoutMs = 2000

/** A connection that nodemailer speaks on: one mail after the other. */
export class NodemailerSession implements SmtpSession {
  readonly buffers = null
  usedCount = 0
  busyCount = 0
  readonly #connection: SMTPConnection
  /** Whether the server takes addresses beyond ASCII (RFC 6531). */
  readonly #takesUnicode: boolean
  #isServing = false
  #next: () => SmtpJob | null = () => null
  #onIdle: () => void = () => undefined

  constructor(connection: SMTPConnection, takesUnicode: boolean) {
    this.#connection = connection
    this.#takesUnicode = takesUnicode
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
      if (result.kind === 'failed') await this.#startAfresh()
      this.busyCount = 0
      job.end(result)
    }
    this.#isServing = false
    this.#onIdle()
  }

  async #send({ envelope, mail, begin }: SmtpJob): Promise<SmtpResult> {
    const { from, to } = envelope
    if (!this.#takesUnicode && /[^\p{ASCII}]/u.test(from + to)) {
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

  /** After a refusal the server may still hold the sender's address: the next MAIL FROM would be out of step. */
  async #startAfresh(): Promise<void> {
    if (!this.isOpen) return
    try {
      await runSmtpCommand(this.#connection, 'message', (done) => this.#connection.reset(done))
    } catch {
      this.destroy() // The refusal is what counts; a connection that cannot be reset is made anew.
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

/** What the library hangs onto a socket, by the names of its own fields. */
const libraryListeners = {
  data: '_onSocketData',
  timeout: '_onSocketTimeout',
  close: '_onSocketClose',
  end: '_onSocketEnd',
  error: '_onSocketError',
} as const

/**
 * Takes the socket of a signed-in connection out of the library's hands. Null where that cannot be done, or where the server
 * has said more than it was asked: whoever goes on speaking must know what the next reply answers.
 */
export function detachSocket(connection: SMTPConnection): Socket | null {
  const inside = connection as unknown as Record<string, unknown>
  const socket = connection._socket
  const listeners = Object.entries(libraryListeners).map(([event, field]) => [event, inside[field]] as const)
  const isKnown = listeners.every(([, listener]) => typeof listener === 'function')
  const isSilent =
    inside['_remainder'] === '' && Array.isArray(inside['_responseQueue']) && inside['_responseQueue'].length === 0
  if (!socket || !isKnown || !isSilent) return null
  for (const [event, listener] of listeners) socket.removeListener(event, listener as () => void)
  socket.removeListener('error', inside['_onConnectionSocketError'] as () => void)
  socket.setTimeout(0)
  return socket
}
