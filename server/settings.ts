import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { levels } from 'pino'
import type { SignInProvider } from '../contract/mail/config.ts'
import { isToken } from './domain/auth/token.ts'

/** `host:port` of a relay of the operator's own. */
export interface SmtpPeer {
  host: string
  port: number
}

/** Client id and secret of an application registered with a mail provider. */
export interface MailApplication {
  clientId: string
  clientSecret: string
  /** Null: the provider's own. */
  issuer: URL | null
}

/** All settings from the environment, read once; `docs/operating.md` lists each with unit and default. */
export interface Settings {
  port: number
  host: string
  /** Null: the address on which it listens. */
  publicUrl: string | null
  /** Origin of the public addresses of images; null: `publicUrl`. */
  imageOrigin: string | null
  dataDir: string
  databaseUrl: string | null
  /** The same database past a pooler, for migrations and for LISTEN; null: `databaseUrl` is not a pooler. */
  databaseDirectUrl: string | null
  secretKeyFile: string
  systemSmtpUrl: URL | null
  smtpAllow: readonly SmtpPeer[]
  /** IMAP servers that may have a private address. */
  imapAllow: readonly SmtpPeer[]
  /** Scores mails in the check before sending; null: none does. */
  spamFilter: URL | null
  /** Whether this process reads mailboxes. */
  readsInbox: boolean
  sandbox: boolean
  /** Addresses and networks of proxies whose X-Forwarded-For is trusted. */
  trustedProxies: readonly string[]
  /** Null: users sign in with email and password only. */
  google: { issuer: URL; clientId: string; clientSecret: string } | null
  workerCount: number
  /** Calls per second of one secret key or one user, in this process; null: without a limit. */
  callsPerSecond: number | null
  /** Networks whose opens and clicks are by machines; null: those that come with the product. */
  networksFile: string | null
  /** Months that deliveries are kept after the month of their acceptance; null: without a limit. */
  keepMonths: number | null
  /** Applications that the operator registered with mail providers; null: their mailboxes need app passwords. */
  mailApplications: Readonly<Record<SignInProvider, MailApplication | null>>
  /** The token for /metrics; null: it is available to this machine only. */
  metricsToken: string | null
  /** Where a worker serves /metrics; null: nowhere. A server has it on its own port. */
  metricsPort: number | null
  /** Another deployment that serves the hosted calls in our place, with the `read` key that it issued. */
  hosted: { url: URL; apiKey: string } | null
  logLevel: string
}

/** A setting or an environment that prevents the start; the message contains the remedy. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

const callsPerSecond = { from: 0, to: 1_000_000, fallback: 100 }
const metricsPort = { from: 0, to: 65535, fallback: 0 }
const keepMonths = { from: 1, to: 1200, fallback: 1200 }

type Environment = Readonly<Record<string, string | undefined>>

const loopbackHosts = new Set(['127.0.0.1', '::1', '[::1]', 'localhost'])

/** Whether a host name or address is this machine's own. */
export function isLoopbackHost(host: string): boolean {
  return loopbackHosts.has(host) || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/**
 * Reads the settings from the environment. Relative paths are resolved against `cwd`.
 * Throws StartError with one sentence that names the setting and the remedy.
 */
export function readSettings(environment: Environment, cwd: string, isTerminal: boolean): Settings {
  const read = (name: string) => {
    const value = environment[name]?.trim()
    return value === undefined || value === '' ? null : value
  }
  const port = readNumber('PORT', read('PORT'), { from: 0, to: 65535, fallback: 4000 })
  const host = read('HOST') ?? '127.0.0.1'
  const isProduction = read('NODE_ENV') === 'production'
  const dataDir = resolve(cwd, read('DATA_DIR') ?? 'data')
  const publicUrl = readOrigin('PUBLIC_URL', read('PUBLIC_URL'))
  return {
    port,
    host,
    publicUrl,
    imageOrigin: readOrigin('IMAGE_ORIGIN', read('IMAGE_ORIGIN')),
    dataDir,
    databaseUrl: readDatabaseUrl('DATABASE_URL', read('DATABASE_URL')),
    databaseDirectUrl: readDatabaseUrl('DATABASE_DIRECT_URL', read('DATABASE_DIRECT_URL')),
    secretKeyFile: resolve(cwd, read('SECRET_KEY_FILE') ?? resolve(dataDir, 'secret.key')),
    systemSmtpUrl: readSystemSmtpUrl(read('SYSTEM_SMTP_URL')),
    smtpAllow: readPeers('SMTP_ALLOW', read('SMTP_ALLOW'), 'relay.internal:25'),
    imapAllow: readPeers('IMAP_ALLOW', read('IMAP_ALLOW'), 'mail.internal:143'),
    spamFilter: readSpamFilter(read('SPAMD_URL')),
    readsInbox: readSwitch('INBOX', read('INBOX')),
    sandbox: readSandbox(read('SANDBOX'), { host, publicUrl, isProduction }),
    trustedProxies: readNetworks(read('TRUSTED_PROXIES')),
    google: readGoogle(read),
    workerCount: readNumber('WORKERS', read('WORKERS'), { from: 0, to: 1, fallback: 1 }),
    hosted: readHosted(read('HOSTED_API_URL'), read('HOSTED_API_KEY')),
    callsPerSecond: readNumber('CALLS_PER_SECOND', read('CALLS_PER_SECOND'), callsPerSecond) || null,
    networksFile: read('NETWORKS_FILE') && resolve(cwd, read('NETWORKS_FILE') ?? ''),
    keepMonths: read('KEEP_MONTHS') === null ? null : readNumber('KEEP_MONTHS', read('KEEP_MONTHS'), keepMonths),
    mailApplications: {
      gmail: readApplication('GOOGLE_MAIL', read),
      outlook: readApplication('MICROSOFT_MAIL', read),
    },
    metricsToken: readMetricsToken(read('METRICS_TOKEN')),
    metricsPort: read('METRICS_PORT') === null ? null : readNumber('METRICS_PORT', read('METRICS_PORT'), metricsPort),
    logLevel: readLogLevel(read('LOG_LEVEL'), isTerminal && !isProduction),
  }
}

function readNumber(name: string, text: string | null, range: { from: number; to: number; fallback: number }): number {
  if (text === null) return range.fallback
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= range.from && value <= range.to) return value
  throw new StartError(
    `${name} is “${text}”; set it to a whole number from ${range.from} to ${range.to}, or leave it out.`,
  )
}

function readSpamFilter(text: string | null): URL | null {
  if (text === null) return null
  const url = URL.parse(text)
  if (url !== null && /^(?:spamd|http):$/.test(url.protocol) && url.hostname !== '') return url
  throw new StartError(
    `SPAMD_URL is “${text}”; set it to spamd://host:783 for SpamAssassin or http://host:11333 for rspamd, or leave it out.`,
  )
}

function readOrigin(name: string, text: string | null): string | null {
  if (text === null) return null
  const url = URL.parse(text)
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search !== '' ||
    url.username !== ''
  ) {
    throw new StartError(
      `${name} is “${text}”; set it to the address people open, such as https://mail.example.com, without a path.`,
    )
  }
  return url.origin
}

function readDatabaseUrl(name: string, text: string | null): string | null {
  if (text === null) return null
  const url = URL.parse(text)
  if (url !== null && /^postgres(ql)?:$/.test(url.protocol)) return text
  // The value may contain a password: the message must not.
  throw new StartError(`${name} is not a PostgreSQL address; write it as postgres://user:password@host:5432/database.`)
}

function readHosted(address: string | null, apiKey: string | null): { url: URL; apiKey: string } | null {
  if (address === null && apiKey === null) return null
  if (address === null)
    throw new StartError('HOSTED_API_KEY is set without HOSTED_API_URL; set that too, or omit this.')
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new StartError('HOSTED_API_URL is not an address; write it as https://sendwright.example.com.')
  }
  // Every page of ours calls with it.
  if (apiKey === null || !isToken('hosted_read', apiKey)) {
    throw new StartError(
      'HOSTED_API_KEY is not a read key; set it to one that the other deployment’s operator created, hr_….',
    )
  }
  return { url, apiKey }
}

function readSystemSmtpUrl(text: string | null): URL | null {
  if (text === null) return null
  const url = URL.parse(text)
  if (url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '') return url
  throw new StartError(
    'SYSTEM_SMTP_URL is not an SMTP address; write it as smtps://user:password@smtp.example.com:465?from=you@example.com.',
  )
}

function readPeers(name: string, text: string | null, example: string): SmtpPeer[] {
  if (text === null) return []
  return text.split(/[\s,]+/).map((entry) => {
    const match = /^(\[[0-9a-f:]+\]|[a-z0-9.-]+):(\d{1,5})$/i.exec(entry)
    const port = Number(match?.[2])
    if (match?.[1] === undefined || port < 1 || port > 65535) {
      throw new StartError(
        `${name} contains “${entry}”; write host:port pairs with commas between them, such as ${example}.`,
      )
    }
    return { host: match[1].replace(/^\[|\]$/g, '').toLowerCase(), port }
  })
}

function readSwitch(name: string, text: string | null): boolean {
  if (text === null || text === 'on') return true
  if (text === 'off') return false
  throw new StartError(`${name} is “${text}”; set it to on or off.`)
}

function readApplication(name: string, read: (name: string) => string | null): MailApplication | null {
  const [clientId, clientSecret, text] = [
    read(`${name}_CLIENT_ID`),
    read(`${name}_CLIENT_SECRET`),
    read(`${name}_ISSUER`),
  ]
  const issuer = text === null ? null : URL.parse(text)
  const isSafe = issuer?.protocol === 'https:' || (issuer?.protocol === 'http:' && isLoopbackHost(issuer.hostname))
  if (text !== null && !isSafe) {
    throw new StartError(`${name}_ISSUER is “${text}”; set it to an https address, or omit it.`)
  }
  if (clientId === null && clientSecret === null) return null
  if (clientId === null || clientSecret === null) {
    const missing = clientId === null ? 'ID' : 'SECRET'
    throw new StartError(`${name}_CLIENT_${missing} is missing; set both ${name}_CLIENT_ID and _SECRET, or neither.`)
  }
  return { clientId, clientSecret, issuer }
}

function readMetricsToken(text: string | null): string | null {
  if (text === null || /^[\w-]{16,}$/.test(text)) return text
  // The value is a secret: the message must not contain it.
  throw new StartError(
    'METRICS_TOKEN is too short or contains other characters; set it to 16 or more of A–Z a–z 0–9 _ -.',
  )
}

function readNetworks(text: string | null): string[] {
  if (text === null) return []
  return text.split(/[\s,]+/).map((entry) => {
    const [address = '', prefix = '0', ...more] = entry.split('/')
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    if (more.length > 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) {
      throw new StartError(
        `TRUSTED_PROXIES contains “${entry}”; write addresses or networks with commas between them, such as 10.0.0.0/8.`,
      )
    }
    return entry
  })
}

function readGoogle(read: (name: string) => string | null): Settings['google'] {
  const [clientId, clientSecret] = [read('GOOGLE_CLIENT_ID'), read('GOOGLE_CLIENT_SECRET')]
  const text = read('GOOGLE_ISSUER') ?? 'https://accounts.google.com'
  const issuer = URL.parse(text)
  if (
    issuer === null ||
    !(issuer.protocol === 'https:' || (issuer.protocol === 'http:' && isLoopbackHost(issuer.hostname)))
  ) {
    throw new StartError(`GOOGLE_ISSUER is “${text}”; set it to an https address, or omit it.`)
  }
  if (clientId === null && clientSecret === null) return null
  if (clientId === null || clientSecret === null) {
    const missing = clientId === null ? 'GOOGLE_CLIENT_ID' : 'GOOGLE_CLIENT_SECRET'
    throw new StartError(`${missing} is missing; set both GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET, or neither.`)
  }
  return { issuer, clientId, clientSecret }
}

function readSandbox(
  text: string | null,
  at: { host: string; publicUrl: string | null; isProduction: boolean },
): boolean {
  const isLocal = isLoopbackHost(at.host) && (at.publicUrl === null || isLoopbackHost(new URL(at.publicUrl).hostname))
  if (text === null) return isLocal && !at.isProduction
  if (text === 'off') return false
  if (text !== 'on') throw new StartError(`SANDBOX is “${text}”; set it to on or off.`)
  if (isLocal) return true
  throw new StartError(
    'SANDBOX is on while HOST or PUBLIC_URL is not this machine’s own; omit SANDBOX, or serve on 127.0.0.1.',
  )
}

function readLogLevel(text: string | null, isQuiet: boolean): string {
  if (text === null) return isQuiet ? 'warn' : 'info'
  if (text in levels.values || text === 'silent') return text
  throw new StartError(`LOG_LEVEL is “${text}”; set it to ${Object.keys(levels.values).join(', ')} or silent.`)
}
