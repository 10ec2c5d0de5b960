import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach } from 'vitest'
import type { SmtpVerdict } from '../../server/domain/smtp/smtp-outcome.ts'
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
  /** A TCP server that speaks as told: SMTP servers at their worst. */
  rawServer: (speak: (socket: Socket) => void) => Promise<{ port: number; heard: () => string }>
  /** Opens a session and signs in with `login`, or as given. */
  sessionTo: (endpoint: SmtpEndpoint, network?: SmtpNetwork, as?: SmtpLogin | null) => Promise<TestSession>
}

/** A session that is told mail by mail what to send. */
export interface TestSession extends Pick<SmtpSession, 'isOpen' | 'usedCount' | 'quit' | 'destroy'> {
  /** Gives the server's reply; rejects with SmtpError, with what `begin` threw, or where the mail was left untouched. */
  send: (envelope: SmtpEnvelope, mail: Buffer, begin: () => void) => Promise<string>
}

/** Speaks over a session mail by mail. */
export function speakOver(session: SmtpSession): TestSession {
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

/** Whether a mail can go out as it stands. */
function isReady(text: string): boolean {
  return text.endsWith('\r\n') && !/^\./m.test(text) && !/[\r\n]/.test(text.replaceAll('\r\n', ''))
}

/** To be called at the top of a test file: what it starts ends with each test. */
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
    async rawServer(speak) {
      const sockets: Socket[] = []
      let heard = ''
      const server = createServer((socket) => {
        sockets.push(socket)
        socket.on('error', () => undefined)
        socket.on('data', (chunk) => (heard += chunk.toString('latin1')))
        speak(socket)
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      undo.push(() => {
        for (const socket of sockets) socket.destroy()
        server.close()
      })
      return { port: (server.address() as AddressInfo).port, heard: () => heard }
    },
    async sessionTo(endpoint, network = {}, as = login) {
      const session = speakOver(await openSession(endpoint, as, never, network))
      undo.push(() => session.destroy())
      return session
    },
  }
}

/** A server on this machine, as one that the operator has named. */
export function endpointOf(sink: { port: number }, given: Partial<SmtpEndpoint> = {}): SmtpEndpoint {
  return { host: '127.0.0.1', port: sink.port, security: 'none', isTrusted: true, ...given }
}

/** The verdict of the SmtpError that this must end with. */
export async function verdictOf(work: Promise<unknown>): Promise<SmtpVerdict> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof SmtpError)) throw new Error('No SmtpError was thrown', { cause: error })
  return error.verdict
}
