import { sandboxAddress } from '../../../contract/mail/config.limits.ts'
import type { MailboxSecrets, SmtpServer } from '../../domain/mailboxes/mailbox.ts'
import { endpointOf, limitsOf, sandboxEndpoint, type SmtpPermissions } from '../smtp/providers.ts'
import type { SenderMailbox } from './sender-ports.ts'
import type { SmtpLogin } from '../smtp/smtp-session.ts'

/** The SMTP server for account mails. */
export interface SystemSmtp {
  server: SmtpServer
  /** Null for a server without authentication. */
  login: SmtpLogin | null
}

/**
 * Parses SYSTEM_SMTP_URL. `smtps:` means implicit TLS, by default on port 465. `smtp:` means STARTTLS, by default on port
 * 587; without a password and on any other port it is unencrypted, as for relays in a private network.
 */
export function parseSystemSmtp(url: URL): SystemSmtp {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const user = decodeURIComponent(url.username)
  const login = user === '' ? null : { user, pass: decodeURIComponent(url.password) }
  if (url.protocol === 'smtps:') return { server: { host, port: Number(url.port || 465), security: 'tls' }, login }
  const port = Number(url.port || 587)
  return { server: { host, port, security: port === 587 || login ? 'starttls' : 'none' }, login }
}

/**
 * Resolves a mailbox's server, login and limits for the sender. Account mails go to the sandbox if SYSTEM_SMTP_URL is not
 * set.
 */
export function resolveMailbox(
  secrets: MailboxSecrets,
  permissions: SmtpPermissions,
  systemSmtp: SystemSmtp | null,
): SenderMailbox {
  const { workspaceId, provider, emailAddress, appPassword, credentialsVersion, ownerLimits } = secrets
  const isForSandbox = provider === 'system' ? systemSmtp === null : isSandbox(secrets)
  const isElsewhere = isForSandbox && permissions.sandboxPort === null && permissions.isSandboxElsewhere === true
  const limits = limitsOf(secrets)
  const mailbox = { workspaceId, provider, emailAddress, credentialsVersion, limits, ownerLimits, isElsewhere }
  if (provider !== 'system') {
    const login = appPassword === null ? null : { user: emailAddress, pass: appPassword }
    return { ...mailbox, login, endpoint: endpointOf(secrets, permissions) }
  }
  // A server that the operator has configured is trusted.
  if (systemSmtp) return { ...mailbox, login: systemSmtp.login, endpoint: { ...systemSmtp.server, isTrusted: true } }
  return { ...mailbox, login: null, endpoint: sandboxEndpoint(permissions.sandboxPort) }
}

function isSandbox({ provider, emailAddress }: MailboxSecrets): boolean {
  return provider === 'other' && emailAddress.toLowerCase() === sandboxAddress
}
