import { diagnose, type Diagnosis } from '../../domain/smtp/mailbox-diagnosis.ts'
import { mailboxSentences } from '../../../contract/mail/mailbox-sentences.ts'
import { endpointOf, type MailboxAddressing, type SmtpPermissions } from './providers.ts'
import { SmtpError } from './smtp-error.ts'
import { openSession, type SmtpNetwork } from './smtp-session.ts'

/** A mailbox to connect. */
export interface MailboxToVerify extends MailboxAddressing {
  appPassword: string
  /** Whether `appPassword` is an OAuth access token. Default false. */
  isToken?: boolean
}

/** Result of a test sign-in, with the cause and advice if it failed. */
export type Verification = { ok: true } | ({ ok: false } & Diagnosis)

const verifyTimeoutMs = 20_000

/**
 * Signs in to the mailbox's mail server and disconnects, within 20 s. Does not throw for errors of the server or the
 * network.
 */
export async function verifyMailbox(
  mailbox: MailboxToVerify,
  permissions: SmtpPermissions,
  network: SmtpNetwork = {},
): Promise<Verification> {
  const endpoint = endpointOf(mailbox, permissions)
  if (!endpoint) return { ok: false, kind: 'unreachable', sentence: mailboxSentences.missingHost }
  try {
    const { emailAddress: user, appPassword: pass } = mailbox
    // The token is new: renewing it would not help.
    const login = mailbox.isToken === true ? { user, pass, renew: () => Promise.resolve(pass) } : { user, pass }
    const timeoutMs = network.connectTimeoutMs ?? verifyTimeoutMs
    const session = await openSession(endpoint, login, AbortSignal.timeout(timeoutMs), network)
    await session.quit()
    return { ok: true }
  } catch (error) {
    if (!(error instanceof SmtpError)) throw error
    const { provider, emailAddress, appPassword } = mailbox
    return { ok: false, ...diagnose({ provider, emailAddress, smtpFailure: error.failure, secrets: [appPassword] }) }
  }
}
