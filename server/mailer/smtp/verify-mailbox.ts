import { diagnose, type Diagnosis } from '../../domain/smtp/mailbox-diagnosis.ts'
import { mailboxSentences } from '../../domain/smtp/mailbox-messages.ts'
import { endpointOf, type MailboxAddressing, type SmtpPermissions } from './providers.ts'
import { SmtpError } from './smtp-error.ts'
import { openSession, type SmtpNetwork } from './smtp-session.ts'

/** A mailbox as somebody wants to connect it. */
export interface MailboxToVerify extends MailboxAddressing {
  appPassword: string
  /** Whether that is an access token of the provider's. Default false. */
  isToken?: boolean
}

/** Whether a sign-in worked, else why not and what to do. */
export type Verification = { ok: true } | ({ ok: false } & Diagnosis)

const verifyTimeoutMs = 20_000

/**
 * Signs in to the mailbox's mail server and leaves again, within 20 s. Never throws for anything that a mail server or a
 * network does.
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
    // Given this moment: another one would be no better.
    const login = mailbox.isToken === true ? { user, pass, renew: () => Promise.resolve(pass) } : { user, pass }
    const timeoutMs = network.connectTimeoutMs ?? verifyTimeoutMs
    const session = await openSession(endpoint, login, AbortSignal.timeout(timeoutMs), network)
    await session.quit()
    return { ok: true }
  } catch (error) {
    if (!(error instanceof SmtpError)) throw error
    const { provider, emailAddress, appPassword } = mailbox
    return { ok: false, ...diagnose({ provider, emailAddress, verdict: error.verdict, secrets: [appPassword] }) }
  }
}
