import { sandboxAddress } from '../../../contract/core/limits.ts'
import type { MailboxSecrets, SmtpServer } from '../../domain/mailboxes/mailbox.ts'
import { endpointOf, limitsOf, sandboxEndpoint, type SmtpPermissions } from '../smtp/providers.ts'
import type { SenderMailbox } from './sender-ports.ts'
import type { SmtpLogin } from '../smtp/smtp-session.ts'

/** Where account mails are handed in. */
export interface SystemSmtp {
  server: SmtpServer
  /** Null for a server that wants none. */
  login: SmtpLogin | null
}

/**
 * Reads SYSTEM_SMTP_URL. `smtps:` is TLS from the first byte, by default on port 465. `smtp:` is STARTTLS, by default on
 * port 587; without a password and on any other port it may stay in clear, as relays in one's own network do.
 */
export function parseSystemSmtp(url: URL): SystemSmtp {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const user = decodeURIComponent(url.username)
  const login = user === '' ? null : { user, pass: decodeURIComponent(url.password) }
  if (url.protocol === 'smtps:') return { server: { host, port: Number(url.port || 465), security: 'tls' }, login }
  const port = Number(url.port || 587)
  return { server: { host, port, security: port === 587 || login ? 'starttls' : 'none' }, login }
}

/** Makes a mailbox ready for the sender. Account mails go to the sandbox where no server is named for them. */
export function resolveMailbox(
  secrets: MailboxSecrets,
  permissions: SmtpPermissions,
  systemSmtp: SystemSmtp | null,
): SenderMailbox {
  const { provider, emailAddress, appPassword, credentialsVersion, ownerLimits } = secrets
  const isForSandbox = provider === 'system' ? systemSmtp === null : isSandbox(secrets)
  const isElsewhere = isForSandbox && permissions.sandboxPort === null && permissions.isSandboxElsewhere === true
  const mailbox = { provider, emailAddress, credentialsVersion, limits: limitsOf(secrets), ownerLimits, isElsewhere }
  if (provider !== 'system') {
    const login = appPassword === null ? null : { user: emailAddress, pass: appPassword }
    return { ...mailbox, login, endpoint: endpointOf(secrets, permissions) }
  }
  // The operator has named it, which is what makes a server trusted.
  if (systemSmtp) return { ...mailbox, login: systemSmtp.login, endpoint: { ...systemSmtp.server, isTrusted: true } }
  return { ...mailbox, login: null, endpoint: sandboxEndpoint(permissions.sandboxPort) }
}

function isSandbox({ provider, emailAddress }: MailboxSecrets): boolean {
  return provider === 'other' && emailAddress.toLowerCase() === sandboxAddress
}
