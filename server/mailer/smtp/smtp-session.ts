import SMTPConnection from 'nodemailer/lib/smtp-connection'
import XOAuth2 from 'nodemailer/lib/xoauth2'
import { bearerRefused } from '../../domain/smtp/mailbox-diagnosis.ts'
import { runSmtpCommand } from './smtp-command.ts'
import { dial, type Lookup } from './connect.ts'
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
  /** Gives another access token, where the mail server did not take this one. */
  renew?: () => Promise<string>
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

const connectTimeoutDefaultMs = 30_000
const replyTimeoutDefaultMs = 600_000

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
    await runSmtpCommand(connection, 'connect', (done) => connection.connect(done))
    const offers = connection.lastServerResponse || ''
    await signIn(connection, endpoint, login)
    return createSession(connection, parseExtensions(offers), endpoint, network.replyTimeoutMs ?? replyTimeoutDefaultMs)
  } catch (error) {
    connection.close()
    throw bounded.aborted ? toSmtpError(bounded.reason, 'connect', false) : error
  } finally {
    bounded.removeEventListener('abort', onAbort)
  }
}

/**
 * Relays that the operator has named are where volume is: on those that take pipelining our own sender speaks. Providers of
 * mailboxes have quotas that no round trip matters for, and quirks that the library knows.
 */
function createSession(
  connection: SMTPConnection,
  offers: SmtpExtensions,
  endpoint: SmtpEndpoint,
  replyTimeoutMs: number,
): SmtpSession {
  const socket = endpoint.isTrusted && offers.pipelining ? detachSocket(connection) : null
  return socket
    ? new PipelinedSession(socket, offers, replyTimeoutMs)
    : new NodemailerSession(connection, offers.unicode)
}

async function signIn(connection: SMTPConnection, endpoint: SmtpEndpoint, login: SmtpLogin | null): Promise<void> {
  const mayBeClear = endpoint.isTrusted && endpoint.security === 'none'
  if (!connection.secure && !mayBeClear) throw createSmtpError('connect', 'ETLS')
  if (login === null) return
  if (!connection.allowsAuth) {
    // An operator's own relay often knows its clients by their network alone.
    if (endpoint.isTrusted) return
    throw createSmtpError('connect', 'NO_LOGIN')
  }
  if (login.renew) await signInWithToken(connection, login.user, login.pass, login.renew)
  else
    await runSmtpCommand(connection, 'login', (done) => connection.login({ user: login.user, pass: login.pass }, done))
}

/** XOAUTH2. The library asks for another token once where the server answers the first with a challenge. */
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
    if (!(error instanceof SmtpError) || error.verdict.reply === null) throw error
    throw new SmtpError({ ...error.verdict, systemCode: bearerRefused }, { cause: error })
  }
}
