import SMTPConnection, { type SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection'
import type { SmtpPhase } from '../domain/smtp-outcome.ts'
import { dial, type Lookup } from './dial.ts'
import { MessageBody } from './message-body.ts'
import type { SmtpEndpoint } from './providers.ts'
import { obstacle, toSmtpError } from './smtp-error.ts'

export interface SmtpLogin {
  user: string
  pass: string
}

/** How connections are made; each is optional outside of tests and odd networks. */
export interface SmtpNetwork {
  lookup?: Lookup
  /** Certificates of authorities, PEM, in place of the system's. */
  ca?: string
  /** What we call ourselves in EHLO; by default this machine's name, if it has a full one. */
  clientName?: string
  /** Longest wait from the first packet to the end of the sign-in. Default 30 s. */
  connectTimeoutMs?: number
  /** Longest silence after that. Default 10 min, as long as a server may ponder a message (RFC 5321 §4.5.3.2.6). */
  replyTimeoutMs?: number
}

export interface SmtpEnvelope {
  from: string
  to: string
}

/** A signed-in connection. One message at a time. */
export interface SmtpSession {
  readonly isOpen: boolean
  /** Messages that this connection was given. */
  readonly usedCount: number
  /**
   * Sends one mail to one recipient and gives the server's final reply. `beforeBody` runs after the server has asked for
   * the message and before its first byte leaves; if it throws, nothing is sent, the connection is gone, and the same
   * error is thrown. Otherwise throws SmtpError; the session may be used again while it `isOpen`.
   */
  send(envelope: SmtpEnvelope, mail: Buffer, beforeBody: () => void): Promise<string>
  /** Says goodbye; resolves when the connection is gone, after 2 s at the latest. */
  quit(): Promise<void>
  /** Cuts the connection at once; what is in flight fails. */
  destroy(): void
}

const connectTimeoutDefaultMs = 30_000
const replyTimeoutDefaultMs = 600_000
const quitTimeoutMs = 2000

/** Connects, secures and signs in. Throws SmtpError; when `signal` aborts, its verdict says so and nothing stays open. */
export async function openSession(
  endpoint: SmtpEndpoint,
  login: SmtpLogin | null,
  signal: AbortSignal,
  network: SmtpNetwork = {},
): Promise<SmtpSession> {
  const timeoutMs = network.connectTimeoutMs ?? connectTimeoutDefaultMs
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const socket = await dial(endpoint, bounded, network.lookup)
  const connection = new SMTPConnection({
    connection: socket,
    host: endpoint.host,
    port: endpoint.port,
    secure: endpoint.security === 'tls',
    requireTLS: endpoint.security === 'starttls',
    ignoreTLS: endpoint.security === 'none',
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: network.replyTimeoutMs ?? replyTimeoutDefaultMs,
    socketCloseTimeout: 0,
    logger: false,
    ...(network.clientName === undefined ? {} : { name: network.clientName }),
    ...(network.ca === undefined ? {} : { tls: { ca: network.ca } }),
  })
  // An error between two commands shows as a closed connection; without a listener it would end the process.
  connection.on('error', () => undefined)
  const onAbort = () => connection.close()
  bounded.addEventListener('abort', onAbort, { once: true })
  try {
    await converse(connection, 'connect', (done) => connection.connect(done))
    const offers = connection.lastServerResponse || ''
    await signIn(connection, endpoint, login)
    return new Session(connection, offers)
  } catch (error) {
    connection.close()
    throw bounded.aborted ? toSmtpError(bounded.reason, 'connect', false) : error
  } finally {
    bounded.removeEventListener('abort', onAbort)
  }
}

async function signIn(connection: SMTPConnection, endpoint: SmtpEndpoint, login: SmtpLogin | null): Promise<void> {
  const mayBeClear = endpoint.isTrusted && endpoint.security === 'none'
  if (!connection.secure && !mayBeClear) throw obstacle('connect', 'ETLS')
  if (login === null) return
  if (!connection.allowsAuth) {
    // An operator's own relay often knows its clients by their network alone.
    if (endpoint.isTrusted) return
    throw obstacle('connect', 'NO_LOGIN')
  }
  await converse(connection, 'login', (done) => connection.login({ user: login.user, pass: login.pass }, done))
}

class Session implements SmtpSession {
  usedCount = 0
  readonly #connection: SMTPConnection
  /** Whether the server takes addresses beyond ASCII (RFC 6531). */
  readonly #takesUnicode: boolean

  /** `offers`: the server's answer to EHLO. */
  constructor(connection: SMTPConnection, offers: string) {
    this.#connection = connection
    this.#takesUnicode = /[ -]SMTPUTF8\b/i.test(offers)
  }

  get isOpen(): boolean {
    return !this.#connection.destroyed
  }

  async send(envelope: SmtpEnvelope, mail: Buffer, beforeBody: () => void): Promise<string> {
    if (!this.#takesUnicode && /[^\p{ASCII}]/u.test(envelope.from + envelope.to)) {
      throw toSmtpError({ code: 'EENVELOPE', originalCode: 'NO_SMTPUTF8' }, 'message', false)
    }
    this.usedCount += 1
    const body = new MessageBody(mail, beforeBody)
    try {
      const info = await converse<SMTPConnectionSendInfo>(
        this.#connection,
        'message',
        (done) => this.#connection.send({ from: envelope.from, to: [envelope.to], size: mail.length }, body, done),
        () => body.isHandedOver,
      )
      return info.response
    } catch (error) {
      if (body.refusal) {
        this.destroy()
        throw body.refusal
      }
      await this.#startAfresh()
      throw error
    }
  }

  /** After a refusal the server may still hold the sender's address: the next MAIL FROM would be out of step. */
  async #startAfresh(): Promise<void> {
    if (!this.isOpen) return
    try {
      await converse(this.#connection, 'message', (done) => this.#connection.reset(done))
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

type Done<T> = (error?: Error | null, result?: T) => void

/** Runs one command of the library, which calls back only when a reply comes: a connection that ends first ends this too. */
async function converse<T>(
  connection: SMTPConnection,
  phase: SmtpPhase,
  start: (done: Done<T>) => void,
  isHandedOver = () => false,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const onError = (error: Error) => reject(toSmtpError(error, phase, isHandedOver()))
  // A 421 closes the connection first and calls back with its reply right after: let it.
  const onEnd = () => {
    queueMicrotask(() => onError(Object.assign(new Error('Connection closed'), { code: 'ECONNECTION' })))
  }
  connection.once('error', onError)
  connection.once('end', onEnd)
  try {
    start((error, result) => {
      if (error) onError(error)
      else resolve(result as T)
    })
    return await promise
  } finally {
    connection.off('error', onError)
    connection.off('end', onEnd)
  }
}
