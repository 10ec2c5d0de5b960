import { addressProblems, parseAddress } from '../../../contract/core/address.ts'
import { sandboxAddress, type Provider } from '../../../contract/mail/config.limits.ts'
import type { NewConfig, SmtpSecurity } from '../../../contract/mail/config.ts'
import { AppError, type ValidationItem } from '../../../contract/core/errors.ts'
import { serverMessages } from '../../../contract/core/server-messages.ts'
import { appPasswordProblems, readAppPassword } from '../../domain/mailboxes/app-password.ts'
import type { Attempts } from '../../domain/limits/attempt.ts'
import type { MailboxRow, SmtpServer } from '../../domain/mailboxes/mailbox.ts'
import { takeAll } from '../limits/take-attempts.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'

/** A login to try. */
export interface MailboxLogin {
  emailAddress: string
  provider: Provider
  /** Null where the provider table or the sandbox decides. */
  server: SmtpServer | null
  appPassword: string
}

/** Result of a login; `sentence` explains a failure. */
export type MailboxCheck = { ok: true } | { ok: false; kind: 'refused' | 'unreachable'; sentence: string }

interface Ports {
  /** Connects, secures, logs in and leaves; never throws for what a mail server does. */
  verifyMailbox: (
    login: MailboxLogin,
  ) => Promise<{ ok: true } | { ok: false; kind: 'refused' | 'unreachable'; sentence: string }>
  /** The mail server that an address's domain publishes; null if it publishes none. */
  discoverServer: (emailAddress: string) => Promise<{ server: SmtpServer; isSure: boolean } | null>
  attempts: Pick<Attempts, 'take' | 'giveBack'>
  mailboxes: Pick<MailboxStore, 'save'>
  isSandboxOn: boolean
  newId: () => string
  newSecretKey: () => string
}

const securityOfPort: Readonly<Record<number, SmtpSecurity>> = { 465: 'tls', 587: 'starttls' }
const defaultPort = 587

/**
 * Connects a mailbox: logs in to its mail server, and saves the mailbox only after success.
 * Throws `validation`, `mailbox_refused`, `mailbox_unreachable`; `too_many_attempts` before the login, because unlimited
 * logins would verify stolen app passwords.
 */
export function createConnectMailbox(ports: Ports) {
  return async (scope: Scope, config: NewConfig): Promise<MailboxRow> => {
    const { needsServer, ...login } = readLogin(config, ports.isSandboxOn)
    const taken = await takeAll(ports.attempts, [
      ['mailbox-workspace', scope.workspaceId],
      ['mailbox-address', login.emailAddress],
    ])
    if (needsServer) login.server = await findServer(ports, login.emailAddress)
    const check = await ports.verifyMailbox(login)
    if (!check.ok) {
      throw new AppError(check.kind === 'refused' ? 'mailbox_refused' : 'mailbox_unreachable', {
        detail: check.sentence,
      })
    }
    await Promise.all(taken.map((id) => ports.attempts.giveBack(id)))
    return ports.mailboxes.save(scope, { ...login, id: ports.newId(), secretKey: ports.newSecretKey() })
  }
}

async function findServer({ discoverServer }: Ports, emailAddress: string): Promise<SmtpServer> {
  const found = await discoverServer(emailAddress)
  if (found?.isSure === true) return found.server
  const msg =
    found === null
      ? serverMessages.smtp_host_missing
      : `The address’s domain names ${found.server.host}, a host elsewhere. If that is your mail provider, fill it in as “Mail server”.`
  throw new AppError('validation', { items: [{ loc: ['body', 'smtp_host'], msg, type: 'missing' }] })
}

/** `needsServer`: neither the request nor the provider table nor the sandbox names one. */
function readLogin(config: NewConfig, isSandboxOn: boolean): MailboxLogin & { needsServer: boolean } {
  const items: ValidationItem[] = []
  const address = parseAddress(config.email_address)
  if (!address.ok) {
    const msg = `Email address ${addressProblems[address.problem]}`
    items.push({ loc: ['body', 'email_address'], msg, type: `address_${address.problem}` })
  }
  const password = readAppPassword(config.provider, config.app_password)
  if (!password.ok) {
    const msg = appPasswordProblems[password.problem]
    items.push({ loc: ['body', 'app_password'], msg, type: `app_password_${password.problem}` })
  }
  const isSandbox = isSandboxOn && address.ok && address.key === sandboxAddress && config.provider === 'other'
  const isOther = config.provider === 'other' && !isSandbox
  if (!address.ok || !password.ok || items.length > 0) throw new AppError('validation', { items })
  const port = config.smtp_port ?? defaultPort
  const server =
    isOther && config.smtp_host !== undefined
      ? { host: config.smtp_host.trim(), port, security: config.smtp_security ?? securityOfPort[port] ?? 'starttls' }
      : null
  const needsServer = isOther && server === null
  return { emailAddress: address.key, provider: config.provider, server, appPassword: password.value, needsServer }
}
