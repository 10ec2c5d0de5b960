import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { simpleParser, type AddressObject, type HeaderValue, type ParsedMail } from 'mailparser'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { isDatabaseUnavailable } from '../../domain/core/database-unavailable.ts'
import { serializeError } from '../../domain/core/serialize-error.ts'
import type { SenderLog } from '../queue/sender-ports.ts'

/** A mail as the sandbox takes it. */
export interface SandboxMail {
  from: string
  /** Envelope recipients. */
  to: string[]
  subject: string
  html: string | null
  text: string | null
  /** Decoded, names in lower case; the values of a repeated header are joined by commas. */
  headers: Record<string, string>
  raw: Buffer
}

interface Ports {
  inbox: {
    /** Committed when it resolves; `isRetry`: it may have been before, and is there once then. */
    insert: (mail: SandboxMail, isRetry: boolean) => Promise<void>
  }
  log: SenderLog
}

/** The SMTP server of the sandbox. */
export interface SandboxServer {
  /** On 127.0.0.1. */
  port: number
  /** Takes no more connections, and resolves when the open ones have ended, after 2 s at the latest. */
  close: () => Promise<void>
}

/** A mail of a megabyte of letters beyond ASCII, encoded, in HTML and in text. */
const mailMaxBytes = 16 * 1024 * 1024
const closeTimeoutMs = 2000
/** A database that is being started again is waited for: refused mails would come back after a minute only. */
const databaseWaitMs = 25_000
const databaseLookMs = 250

/**
 * Starts an SMTP server on a free port of this machine that lets everybody in and keeps what it gets: what it answered
 * with 250 is committed. Signing in is possible and never refused.
 */
export async function startSandboxServer({ inbox, log }: Ports): Promise<SandboxServer> {
  const closing = new AbortController()
  const keep = async (mail: SandboxMail) => {
    const giveUp = AbortSignal.any([closing.signal, AbortSignal.timeout(databaseWaitMs)])
    for (let isRetry = false; ; isRetry = true) {
      try {
        await inbox.insert(mail, isRetry)
        return
      } catch (error) {
        if (!isDatabaseUnavailable(error) || giveUp.aborted) throw error
      }
      await sleep(databaseLookMs)
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
            done(refusal(552, '5.3.4 The mail is larger than 16 MB'))
            return
          }
          await keep(await readMail(session, Buffer.concat(chunks)))
          done(null, '2.0.0 Kept in the sandbox')
        } catch (error) {
          log.warn({ err: serializeError(error) }, 'The sandbox could not keep a mail')
          done(refusal(451, '4.3.0 The sandbox could not keep the mail'))
        }
      })()
    },
  })
  server.on('error', (error) => log.warn({ err: serializeError(error) }, 'A connection to the sandbox broke'))
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

function refusal(responseCode: number, words: string): Error {
  return Object.assign(new Error(words), { responseCode })
}

async function readMail(session: SMTPServerSession, raw: Buffer): Promise<SandboxMail> {
  const { mailFrom, rcptTo } = session.envelope
  const mail = await simpleParser(raw, { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true })
  return {
    from: mailFrom === false ? '' : mailFrom.address,
    to: rcptTo.map(({ address }) => address),
    subject: mail.subject ?? '',
    html: mail.html === false ? null : mail.html,
    // The parser gives an empty text to a mail that is HTML alone.
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

/** What the parser has decoded to text; undefined for what it has taken apart, such as a content type. */
function decoded(value: HeaderValue | undefined): string | undefined {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string') ? value.join(', ') : undefined
  return isAddress(value) ? value.text : undefined
}

function isAddress(value: HeaderValue | undefined): value is AddressObject {
  return typeof value === 'object' && 'text' in value && typeof value.text === 'string'
}
