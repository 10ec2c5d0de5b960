import { sandboxAddress, type Provider } from '../../contract/mail/config.limits.ts'
import type { ImapEndpoint } from '../domain/inbox/reading.ts'

/** Servers that the operator allows beyond public addresses. */
export interface ImapPermissions {
  /** IMAP_ALLOW: hosts in lower case. */
  allow: readonly { host: string; port: number }[]
  /** The stand-in's port on this machine; null while the sandbox is off. */
  sandboxPort: number | null
}

/** The stored data that determines a mailbox's IMAP server. */
export interface ImapAddressing {
  provider: Provider | 'system'
  emailAddress: string
  /** Null: by the provider table, or derived from the mail server. */
  imap: { host: string; port: number; security: 'tls' | 'starttls' | 'none' } | null
  smtpHost: string | null
}

const known: Readonly<Record<Exclude<Provider, 'other'>, string>> = {
  gmail: 'imap.gmail.com',
  outlook: 'outlook.office365.com',
  yahoo: 'imap.mail.yahoo.com',
}

/** Mail servers whose IMAP host does not follow from their name. */
const byServer: Readonly<Record<string, string>> = {
  'mail.gmx.net': 'imap.gmx.net',
  'mail.gmx.com': 'imap.gmx.com',
  'smtp.mail.me.com': 'imap.mail.me.com',
  'smtp.office365.com': 'outlook.office365.com',
  'securesmtp.t-online.de': 'secureimap.t-online.de',
  'smtp.ionos.de': 'imap.ionos.de',
  'smtp.ionos.com': 'imap.ionos.com',
  'email-smtp.eu-west-1.amazonaws.com': '',
  'smtp.sendgrid.net': '',
  'smtp.mailgun.org': '',
  'smtp.postmarkapp.com': '',
}

const tlsPort = 993

/** The IMAP server of a mailbox; null where it is known to have none, or the sandbox is off. */
export function imapEndpointOf(mailbox: ImapAddressing, { allow, sandboxPort }: ImapPermissions): ImapEndpoint | null {
  const { provider, emailAddress, imap, smtpHost } = mailbox
  if (provider === 'system') return null
  if (provider === 'other' && emailAddress.toLowerCase() === sandboxAddress) {
    return sandboxPort === null ? null : { host: '127.0.0.1', port: sandboxPort, security: 'none', isTrusted: true }
  }
  if (provider !== 'other') return { host: known[provider], port: tlsPort, security: 'tls', isTrusted: false }
  const host = imap?.host ?? imapHostOf(smtpHost)
  if (host === null || host === '') return null
  const server = { host: host.toLowerCase(), port: imap?.port ?? tlsPort, security: imap?.security ?? ('tls' as const) }
  return { ...server, isTrusted: allow.some((peer) => peer.host === server.host && peer.port === server.port) }
}

function imapHostOf(smtpHost: string | null): string | null {
  if (smtpHost === null) return null
  const host = smtpHost.toLowerCase()
  return byServer[host] ?? host.replace(/^(?:smtp|smtps|send|outgoing)\./, 'imap.')
}

/** Names of junk and sent folders on servers that mark none. */
export const folderNames: Readonly<Record<'junk' | 'sent', ReadonlySet<string>>> = {
  junk: new Set([
    'junk',
    'spam',
    'junk e-mail',
    'junk email',
    'bulk mail',
    'bulk',
    '[gmail]/spam',
    'inbox.junk',
    'inbox.spam',
  ]),
  sent: new Set([
    'sent',
    'sent items',
    'sent mail',
    'sent messages',
    '[gmail]/sent mail',
    'inbox.sent',
    'inbox.sent items',
  ]),
}

/** Hosts of the provider table: only there are folders known by their names. */
export function isKnownHost(host: string): boolean {
  return Object.values(known).includes(host) || Object.values(byServer).includes(host)
}
