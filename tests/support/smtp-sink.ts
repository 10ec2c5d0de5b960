import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { simpleParser, type ParsedMail } from 'mailparser'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import type { TestCertificate } from './certificate.ts'

/** A mail that a sink accepted. */
export interface ReceivedMail {
  /** Envelope. */
  from: string
  to: string[]
  raw: Buffer
  /** The signed-in user. */
  user: string | null
  isSecure: boolean
  /** The same for mails of one connection. */
  connection: string
}

/** A reply such as `450 4.2.1 Busy`; undefined to continue; or close the connection at once. */
export type Answer = `${number} ${string}` | 'cut' | undefined

type Later<T> = T | Promise<T>

/** Deviations of a sink from accepting everything; each is called every time. */
export interface SinkScript {
  onConnect?: () => Later<Answer>
  onLogin?: (user: string, password: string) => Later<Answer>
  onSender?: (address: string) => Later<Answer>
  onRecipient?: (address: string) => Later<Answer>
  /** Called after the whole mail has arrived. `cut`: it is accepted, but the reply is never sent. */
  onMessage?: (mail: ReceivedMail) => Later<Answer>
  /** Called when the reply to a mail has been written to the socket. */
  afterReply?: (mail: ReceivedMail) => Answer
}

export interface SinkOptions extends SinkScript {
  /** Default none. */
  security?: 'none' | 'starttls' | 'tls'
  certificate?: TestCertificate
  /** Extensions that the server omits. */
  without?: ('PIPELINING' | 'SMTPUTF8' | 'AUTH' | 'STARTTLS')[]
  /** Default PLAIN and LOGIN. */
  authMethods?: readonly ('PLAIN' | 'LOGIN' | 'XOAUTH2')[]
  maxBytes?: number
  /** Default 0: any free one. */
  port?: number
}

export interface SmtpSink {
  readonly host: '127.0.0.1'
  readonly port: number
  /** Accepted mails, answered with 250, oldest first. */
  readonly mails: readonly ReceivedMail[]
  /** Sign-in attempts, with their results. */
  readonly logins: readonly { user: string; password: string; isSecure: boolean }[]
  /** Connections opened. */
  readonly connectionCount: number
  readonly openConnectionCount: number
  /** Largest number of concurrent connections. */
  readonly peakConnectionCount: number
  /** Closes every open connection, as a server does with idle ones. */
  hangUp(): void
  /** Recipients of the accepted mails, in order. */
  recipients(): string[]
  /** Removes and returns the mails. */
  parsed(): Promise<ParsedMail[]>
  /** Resolves when this number of mails has been accepted. */
  waitFor(count: number): Promise<void>
  /** Closes open connections and stops. */
  close(): Promise<void>
}

/** An SMTP server on a free port of this machine that accepts mail according to its script. */
export async function startSmtpSink(options: SinkOptions = {}): Promise<SmtpSink> {
  const mails: ReceivedMail[] = []
  const logins: { user: string; password: string; isSecure: boolean }[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  const sockets = new Map<string, Socket>()
  let connectionCount = 0
  let peakConnectionCount = 0

  const cut = (session: SMTPServerSession) => connectionOf(server, session)?.destroy()
  const answer = async (
    session: SMTPServerSession,
    given: Later<Answer> | undefined,
    done: (error?: Error) => void,
  ) => {
    const reply = await given
    if (reply === 'cut') cut(session)
    else done(reply === undefined ? undefined : toError(reply))
  }

  const server = new SMTPServer({
    ...transportOf(options),
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 1,
    maxAllowedUnauthenticatedCommands: false,
    ...(options.maxBytes === undefined ? {} : { size: options.maxBytes, rejectOversized: true }),
    onConnect(session, done) {
      connectionCount += 1
      void answer(session, options.onConnect?.(), done)
    },
    onAuth(auth, session, done) {
      const user = auth.username ?? ''
      const password = auth.password ?? auth.accessToken ?? ''
      logins.push({ user, password, isSecure: session.secure })
      void answer(session, options.onLogin?.(user, password), (error) => done(error, { user }))
    },
    onMailFrom: ({ address }, session, done) => void answer(session, options.onSender?.(address), done),
    onRcptTo: ({ address }, session, done) => void answer(session, options.onRecipient?.(address), done),
    onData(stream, session, done) {
      void take(stream).then(async (raw) => {
        const mail = describeMail(session, raw)
        await answer(session, options.onMessage?.(mail), (error) => {
          if (error) {
            done(error)
            return
          }
          mails.push(mail)
          done(null, '2.0.0 Taken')
          if (options.afterReply?.(mail) === 'cut') connectionOf(server, session)?.destroySoon()
          for (const waiter of waiting.filter(({ count }) => mails.length >= count)) waiter.resolve()
        })
      }, done)
    },
  })
  server.on('error', () => undefined) // Errors of closed connections arrive here.
  server.server.on('connection', (socket: Socket) => {
    const key = `${socket.remotePort ?? 0}`
    sockets.set(key, socket)
    peakConnectionCount = Math.max(peakConnectionCount, sockets.size)
    socket.once('close', () => sockets.delete(key))
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server.server, 'listening')

  return {
    host: '127.0.0.1',
    port: (server.server.address() as AddressInfo).port,
    mails,
    logins,
    get connectionCount() {
      return connectionCount
    },
    get openConnectionCount() {
      return sockets.size
    },
    get peakConnectionCount() {
      return peakConnectionCount
    },
    hangUp() {
      for (const socket of sockets.values()) socket.end()
    },
    recipients: () => mails.flatMap((mail) => mail.to),
    parsed: () => Promise.all(mails.map((mail) => simpleParser(mail.raw))),
    waitFor(count) {
      if (mails.length >= count) return Promise.resolve()
      return new Promise((resolve) => waiting.push({ count, resolve }))
    },
    close() {
      return new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets.values()) socket.destroy()
      })
    },
  }
}

function transportOf({ security = 'none', certificate, without = [], authMethods }: SinkOptions): SMTPServerOptions {
  const disabledCommands = without.filter((name) => name === 'AUTH' || name === 'STARTTLS')
  return {
    ...certificate,
    ...(authMethods && { authMethods: [...authMethods] }),
    secure: security === 'tls',
    disabledCommands: security === 'starttls' ? disabledCommands : [...disabledCommands, 'STARTTLS'],
    hidePIPELINING: without.includes('PIPELINING'),
    hideSMTPUTF8: without.includes('SMTPUTF8'),
    allowInsecureAuth: true,
  }
}

function toError(reply: string): Error {
  return Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) })
}

function describeMail(session: SMTPServerSession, raw: Buffer): ReceivedMail {
  const { mailFrom, rcptTo } = session.envelope
  return {
    from: mailFrom === false ? '' : mailFrom.address,
    to: rcptTo.map(({ address }) => address),
    raw,
    user: typeof session.user === 'string' ? session.user : null,
    isSecure: session.secure,
    connection: session.id,
  }
}

async function take(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function connectionOf(server: SMTPServer, session: SMTPServerSession): Socket | undefined {
  return [...server.connections].find(({ id }) => id === session.id)?._socket
}
