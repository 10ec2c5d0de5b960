import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach } from 'vitest'
import type { SmtpFailure } from '../../server/domain/smtp/smtp-outcome.ts'
import type { SmtpEndpoint } from '../../server/mailer/smtp/providers.ts'
import { SmtpError } from '../../server/mailer/smtp/smtp-error.ts'
import type { SmtpEnvelope, SmtpJob, SmtpSession } from '../../server/mailer/smtp/smtp-job.ts'
import { openSession, type SmtpLogin, type SmtpNetwork } from '../../server/mailer/smtp/smtp-session.ts'
import { startSmtpSink, type SinkOptions, type SmtpSink } from './smtp-sink.ts'

export const login: SmtpLogin = { user: 'ann@example.com', pass: 'hunter22' }
export const never = new AbortController().signal

/** Servers and connections of one test. */
export interface SmtpClient {
  sinkWith: (options?: SinkOptions) => Promise<SmtpSink>
  /** A scripted TCP server, for faulty SMTP servers. */
  rawServer: (converse: (socket: Socket) => void) => Promise<{ port: number; received: () => string }>
  /** Opens a session and signs in with `login`, or as given. */
  sessionTo: (endpoint: SmtpEndpoint, network?: SmtpNetwork, as?: SmtpLogin | null) => Promise<TestSession>
}

/** A session that sends one mail per call. */
export interface TestSession extends Pick<SmtpSession, 'isOpen' | 'usedCount' | 'quit' | 'destroy'> {
  /** Returns the server's reply; rejects with SmtpError, with the error of `begin`, or for a mail that was not started. */
  send: (envelope: SmtpEnvelope, mail: Buffer, begin: () => void) => Promise<string>
}

/** Sends mails one by one over a session. */
export function startSession(session: SmtpSession): TestSession {
  const jobs: SmtpJob[] = []
  session.serve(
    () => jobs.shift() ?? null,
    () => undefined,
  )
  return {
    get isOpen() {
      return session.isOpen
    },
    get usedCount() {
      return session.usedCount
    },
    quit: () => session.quit(),
    destroy: () => session.destroy(),
    send(envelope, bytes, begin) {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      const isWireReady = isReady(bytes.toString('latin1'))
      jobs.push({
        envelope,
        mail: { bytes, isWireReady },
        begin,
        end(result) {
          if (result.kind === 'replied') resolve(result.reply)
          else reject(result.kind === 'not_started' ? new Error('not started') : result.error)
        },
      })
      session.wake()
      return promise
    },
  }
}

/** Whether a mail can be sent. */
function isReady(text: string): boolean {
  return text.endsWith('\r\n') && !/^\./m.test(text) && !/[\r\n]/.test(text.replaceAll('\r\n', ''))
}

/** Call at the top of a test file: closes all it has started after each test. */
export function useSmtpClient(): SmtpClient {
  const undo: (() => unknown)[] = []
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step()
  })
  return {
    async sinkWith(options = {}) {
      const sink = await startSmtpSink(options)
      undo.push(() => sink.close())
      return sink
    },
    async rawServer(onSocket) {
      const sockets: Socket[] = []
      let received = ''
      const server = createServer((socket) => {
        sockets.push(socket)
        socket.on('error', () => undefined)
        socket.on('data', (chunk) => (received += chunk.toString('latin1')))
        onSocket(socket)
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      undo.push(() => {
        for (const socket of sockets) socket.destroy()
        server.close()
      })
      return { port: (server.address() as AddressInfo).port, received: () => received }
    },
    async sessionTo(endpoint, network = {}, as = login) {
      const session = startSession(await openSession(endpoint, as, never, network))
      undo.push(() => session.destroy())
      return session
    },
  }
}

/** A server on this machine, as if named by the operator. */
export function endpointOf(sink: { port: number }, given: Partial<SmtpEndpoint> = {}): SmtpEndpoint {
  return { host: '127.0.0.1', port: sink.port, security: 'none', isTrusted: true, ...given }
}

/** The result of the SmtpError that this must end with. */
export async function failureOf(work: Promise<unknown>): Promise<SmtpFailure> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof SmtpError)) throw new Error('No SmtpError was thrown', { cause: error })
  return error.failure
}
