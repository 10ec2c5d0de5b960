import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { simpleParser, type AddressObject, type HeaderValue, type ParsedMail } from 'mailparser'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { isDatabaseUnavailable } from '../../domain/core/database-unavailable.ts'
import { serializeError } from '../../domain/core/serialize-error.ts'
import type { SenderLog } from '../queue/sender-ports.ts'

/** A mail that the sandbox received. */
export interface SandboxMail {
  from: string
  /** Envelope recipients. */
  to: string[]
  subject: string
  html: string | null
  text: string | null
  /** Decoded, names in lower case; values of repeated headers are joined by commas. */
  headers: Record<string, string>
  raw: Buffer
}

interface Ports {
  inbox: {
    /** Commits the mail. `isRetry`: an earlier attempt may have been committed; the mail is stored once. */
    insert: (mail: SandboxMail, isRetry: boolean) => Promise<void>
  }
  log: SenderLog
}

/** The SMTP server of the sandbox. */
export interface SandboxServer {
  /** On 127.0.0.1. */
  port: number
  /** Accepts no more connections; resolves when the open ones have ended, after 2 s at the latest. */
  close: () => Promise<void>
}

/** Enough for a megabyte of non-ASCII text, encoded, as HTML and as plain text, and for 18 MB of files in base64. */
const mailMaxBytes = 42 * 1024 * 1024
const closeTimeoutMs = 2000
/** How long to wait for a restarting database: senders retry refused mails only after a minute. */
const databaseWaitMs = 25_000
const databasePollMs = 250

/**
 * Starts an SMTP server on a free port of 127.0.0.1 that accepts any login and stores every mail: a reply of 250 means
 * that it is committed.
 */
export async function startSandboxServer({ inbox, log }: Ports): Promise<SandboxServer> {
  const closing = new AbortController()
  const store = async (mail: SandboxMail) => {
    const giveUp = AbortSignal.any([closing.signal, AbortSignal.timeout(databaseWaitMs)])
    for (let isRetry = false; ; isRetry = true) {
      try {
        await inbox.insert(mail, isRetry)
        return
      } catch (error) {
        if (!isDatabaseUnavailable(error) || giveUp.aborted) throw error
      }
      await sleep(databasePollMs)
    }
  }
  const server = new SMTPServer({
    banner: 'Sendwright sandbox',
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    maxAllowedUnauthenticatedCommands: false,
    size: mailMaxBytes,
    closeTimeout: closeTimeoutMs,
    logger: false,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? '' }),
    onData(stream, session, done) {
      void (async () => {
        try {
          const chunks: Buffer[] = []
          for await (const chunk of stream) chunks.push(chunk as Buffer)
          if (stream.sizeExceeded) {
            done(refusal(552, '5.3.4 The mail is larger than 42 MB'))
            return
          }
          await store(await readMail(session, Buffer.concat(chunks)))
          done(null, '2.0.0 Stored in the sandbox')
        } catch (error) {
          log.warn({ err: serializeError(error) }, 'The sandbox could not store a mail')
          done(refusal(451, '4.3.0 The sandbox could not store the mail'))
        }
      })()
    },
  })
  server.on('error', (error) => log.warn({ err: serializeError(error) }, 'A connection to the sandbox failed'))
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => {
      closing.abort()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

function refusal(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode })
}

async function readMail(session: SMTPServerSession, raw: Buffer): Promise<SandboxMail> {
  const { mailFrom, rcptTo } = session.envelope
  const mail = await simpleParser(raw, { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true })
  return {
    from: mailFrom === false ? '' : mailFrom.address,
    to: rcptTo.map(({ address }) => address),
    subject: mail.subject ?? '',
    html: mail.html === false ? null : mail.html,
    // The parser returns an empty text for an HTML-only mail.
    text: mail.text === '' && mail.html !== false ? null : (mail.text ?? null),
    headers: readHeaders(mail),
    raw,
  }
}

function readHeaders({ headers, headerLines }: ParsedMail): Record<string, string> {
  const read = new Map<string, string>()
  for (const { key, line } of headerLines) {
    const written = line.slice(line.indexOf(':') + 1).replace(/\r?\n/g, '')
    const value = decoded(headers.get(key)) ?? written.trim()
    const before = read.get(key)
    read.set(key, before === undefined || before === value ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(read)
}

/** A header value that the parser decoded as text; undefined for structured headers such as Content-Type. */
function decoded(value: HeaderValue | undefined): string | undefined {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string') ? value.join(', ') : undefined
  return isAddress(value) ? value.text : undefined
}

function isAddress(value: HeaderValue | undefined): value is AddressObject {
  return typeof value === 'object' && 'text' in value && typeof value.text === 'string'
}
