import { sandboxAddress, type Provider } from '../../../contract/mail/config.limits.ts'
import type { SmtpServer } from '../../domain/mailboxes/mailbox.ts'
import { isPersonalMicrosoft } from '../../domain/smtp/mailbox-diagnosis.ts'

/** The SMTP server of a mailbox. */
export interface SmtpEndpoint extends SmtpServer {
  /** Configured by the operator (or the sandbox): may have a private address, another port and no TLS. */
  isTrusted: boolean
}

/** Limits for a mail server. */
export interface MailboxLimits {
  /** Concurrent connections. */
  connectionCount: number
  /** Messages per connection. */
  messagesPerConnectionCount: number
  /** Messages per minute; null: no known limit. */
  perMinuteCount: number | null
  /** Messages per rolling 24 hours, below the provider's limit; null: set by the owner. */
  perDayCount: number | null
}

interface MailServer extends SmtpServer, MailboxLimits {}

type KnownProvider = Exclude<Provider, 'other'>

const microsoft = { port: 587, security: 'starttls', connectionCount: 3, messagesPerConnectionCount: 100 } as const
const google = { host: 'smtp.gmail.com', port: 465, security: 'tls', messagesPerConnectionCount: 80 } as const

/**
 * Mail servers by provider, and by kind of account where that matters (engine.md, Mailboxes in reality). The limits stay
 * below the providers' own: Gmail 500 a day and Workspace 2,000; Outlook about 300, Microsoft 365 10,000 and 30 a minute;
 * Yahoo about 500.
 */
export const mailServers = {
  gmail: {
    personal: { ...google, connectionCount: 3, perMinuteCount: null, perDayCount: 450 },
    work: { ...google, connectionCount: 3, perMinuteCount: null, perDayCount: 1800 },
  },
  outlook: {
    personal: { ...microsoft, host: 'smtp-mail.outlook.com', connectionCount: 1, perMinuteCount: 30, perDayCount: 270 },
    work: { ...microsoft, host: 'smtp.office365.com', perMinuteCount: 30, perDayCount: 9000 },
  },
  yahoo: { personal: yahoo(), work: yahoo() },
} as const satisfies Record<KnownProvider, Record<'personal' | 'work', MailServer>>

function yahoo() {
  return {
    host: 'smtp.mail.yahoo.com',
    port: 465,
    security: 'tls',
    connectionCount: 2,
    messagesPerConnectionCount: 50,
    perMinuteCount: null,
    perDayCount: 400,
  } as const
}

const ownLimits: MailboxLimits = {
  connectionCount: 3,
  messagesPerConnectionCount: 500,
  perMinuteCount: null,
  perDayCount: null,
}

/** The stored data that determines a mailbox's mail server. */
export interface MailboxAddressing {
  provider: Provider | 'system'
  emailAddress: string
  /** For provider `other` only; null if the provider table or the sandbox determines it. */
  server: SmtpServer | null
}

/** Servers that the operator allows beyond public addresses and mail ports. */
export interface SmtpPermissions {
  /** SMTP_ALLOW: hosts in lower case. */
  allow: readonly { host: string; port: number }[]
  /** The sandbox's port on this machine; null if it is disabled. */
  sandboxPort: number | null
  /** Whether another process may run the sandbox and send mails to it. Default false. */
  isSandboxElsewhere?: boolean
}

const gmailDomains = /@(?:gmail|googlemail)\.com$/i

/**
 * The SMTP server of a mailbox. Null if provider `other` has none, or for the sandbox's address while the sandbox is
 * disabled.
 */
export function endpointOf(mailbox: MailboxAddressing, permissions: SmtpPermissions): SmtpEndpoint | null {
  const { provider, emailAddress } = mailbox
  if (provider !== 'other' && provider !== 'system') {
    const { host, port, security } = serverOf(provider, emailAddress)
    return { host, port, security, isTrusted: false }
  }
  if (emailAddress.toLowerCase() === sandboxAddress) return sandboxEndpoint(permissions.sandboxPort)
  if (mailbox.server === null) return null
  const { port, security } = mailbox.server
  const host = normalizeHost(mailbox.server.host)
  return { host, port, security, isTrusted: permissions.allow.some((peer) => peer.host === host && peer.port === port) }
}

/** The sandbox; null if it is disabled. */
export function sandboxEndpoint(port: number | null): SmtpEndpoint | null {
  return port === null ? null : { host: '127.0.0.1', port, security: 'none', isTrusted: true }
}

function normalizeHost(host: string): string {
  return host
    .trim()
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

/** The default limits of a mailbox. */
export function limitsOf(mailbox: Pick<MailboxAddressing, 'provider' | 'emailAddress'>): MailboxLimits {
  const { provider, emailAddress } = mailbox
  return provider === 'other' || provider === 'system' ? ownLimits : serverOf(provider, emailAddress)
}

function serverOf(provider: KnownProvider, emailAddress: string): MailServer {
  const isPersonal = provider === 'gmail' ? gmailDomains.test(emailAddress) : isPersonalMicrosoft(emailAddress)
  return mailServers[provider][isPersonal ? 'personal' : 'work']
}
