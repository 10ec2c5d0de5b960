import SMTPConnection from 'nodemailer/lib/smtp-connection'
import XOAuth2 from 'nodemailer/lib/xoauth2'
import { bearerRefused } from '../../domain/smtp/mailbox-diagnosis.ts'
import { runSmtpCommand } from './smtp-command.ts'
import { connect, type Lookup } from './connect.ts'
import { NodemailerSession, detachSocket } from './nodemailer-session.ts'
import { PipelinedSession } from './pipelined-session.ts'
import type { SmtpEndpoint } from './providers.ts'
import { createSmtpError, SmtpError, toSmtpError } from './smtp-error.ts'
import type { SmtpSession } from './smtp-job.ts'
import { parseExtensions, type SmtpExtensions } from './wire-bytes.ts'

export interface SmtpLogin {
  user: string
  /** A password; an access token (XOAUTH2) where there is a `renew`. */
  pass: string
  /** Returns a new access token after the mail server rejected this one. */
  renew?: () => Promise<string>
}

/** Connection options, for tests and unusual networks. */
export interface SmtpNetwork {
  lookup?: Lookup
  /** CA certificates, PEM, in place of the system's. */
  ca?: string
  /** The name in EHLO; by default this machine's name, if fully qualified. */
  clientName?: string
  /** Timeout for connecting and signing in. Default 30 s. */
  connectTimeoutMs?: number
  /** Timeout for each reply after that. Default 10 min, as after DATA (RFC 5321 §4.5.3.2.6). */
  replyTimeoutMs?: number
}

const connectTimeoutDefaultMs = 30_000
const replyTimeoutDefaultMs = 600_000

/** Connects, starts TLS and signs in. Throws SmtpError, also when `signal` aborts; the connection is closed then. */
export async function openSession(
  endpoint: SmtpEndpoint,
  login: SmtpLogin | null,
  signal: AbortSignal,
  network: SmtpNetwork = {},
): Promise<SmtpSession> {
  const timeoutMs = network.connectTimeoutMs ?? connectTimeoutDefaultMs
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const socket = await connect(endpoint, bounded, network.lookup)
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
  // Errors between commands close the connection; without a listener they would crash the process.
  connection.on('error', () => undefined)
  const onAbort = () => connection.close()
  bounded.addEventListener('abort', onAbort, { once: true })
  try {
    await runSmtpCommand(connection, 'connect', (done) => connection.connect(done))
    const ehloReply = connection.lastServerResponse || ''
    await signIn(connection, endpoint, login)
    return createSession(
      connection,
      parseExtensions(ehloReply),
      endpoint,
      network.replyTimeoutMs ?? replyTimeoutDefaultMs,
    )
  } catch (error) {
    connection.close()
    throw bounded.aborted ? toSmtpError(bounded.reason, 'connect', false) : error
  } finally {
    bounded.removeEventListener('abort', onAbort)
  }
}

/**
 * Uses our pipelined session for trusted relays with PIPELINING, where throughput matters. Mailbox providers have quotas
 * that make round trips irrelevant, and quirks that nodemailer handles.
 */
function createSession(
  connection: SMTPConnection,
  extensions: SmtpExtensions,
  endpoint: SmtpEndpoint,
  replyTimeoutMs: number,
): SmtpSession {
  const socket = endpoint.isTrusted && extensions.pipelining ? detachSocket(connection) : null
  return socket
    ? new PipelinedSession(socket, extensions, replyTimeoutMs)
    : new NodemailerSession(connection, extensions.unicode)
}

async function signIn(connection: SMTPConnection, endpoint: SmtpEndpoint, login: SmtpLogin | null): Promise<void> {
  const allowsPlaintext = endpoint.isTrusted && endpoint.security === 'none'
  if (!connection.secure && !allowsPlaintext) throw createSmtpError('connect', 'ETLS')
  if (login === null) return
  if (!connection.allowsAuth) {
    // Private relays often authenticate clients by their network alone.
    if (endpoint.isTrusted) return
    throw createSmtpError('connect', 'NO_LOGIN')
  }
  if (login.renew) await signInWithToken(connection, login.user, login.pass, login.renew)
  else
    await runSmtpCommand(connection, 'login', (done) => connection.login({ user: login.user, pass: login.pass }, done))
}

/** XOAUTH2. Nodemailer requests one new token if the server rejects the first. */
async function signInWithToken(
  connection: SMTPConnection,
  user: string,
  accessToken: string,
  renew: () => Promise<string>,
): Promise<void> {
  const oauth2 = new XOAuth2({
    user,
    accessToken,
    provisionCallback(_user, isRenewed, done) {
      const token = isRenewed ? renew() : Promise.resolve(accessToken)
      token.then(
        (given) => done(null, given),
        (error: unknown) => done(error as Error),
      )
    },
  })
  try {
    await runSmtpCommand(connection, 'login', (done) => connection.login({ user, oauth2 }, done))
  } catch (error) {
    if (!(error instanceof SmtpError) || error.failure.reply === null) throw error
    throw new SmtpError({ ...error.failure, systemCode: bearerRefused }, { cause: error })
  }
}
