import { diagnose, type Diagnosis } from '../domain/mailbox-diagnosis.ts'
import { mailboxSentences } from '../domain/mailbox-sentences.ts'
import { endpointOf, type MailboxAddressing, type SmtpPermissions } from './providers.ts'
import { SmtpError } from './smtp-error.ts'
import { openSession, type SmtpNetwork } from './smtp-session.ts'

/** A mailbox as somebody wants to connect it. */
export interface MailboxToVerify extends MailboxAddressing {
  appPassword: string
}

const verifyTimeoutMs = 20_000

/**
 * Signs in to the mailbox's mail server and leaves again, within 20 s. Null when that worked, else what is the matter and
 * what to do. Never throws for anything that a mail server or a network does.
 */
export async function verifyMailbox(
  mailbox: MailboxToVerify,
  permissions: SmtpPermissions,
  network: SmtpNetwork = {},
): Promise<Diagnosis | null> {
  const endpoint = endpointOf(mailbox, permissions)
  if (!endpoint) return { kind: 'unreachable', sentence: mailboxSentences.missingHost }
  try {
    const login = { user: mailbox.emailAddress, pass: mailbox.appPassword }
    const timeoutMs = network.connectTimeoutMs ?? verifyTimeoutMs
    const session = await openSession(endpoint, login, AbortSignal.timeout(timeoutMs), network)
    await session.quit()
    return null
  } catch (error) {
    if (!(error instanceof SmtpError)) throw error
    const { provider, emailAddress, appPassword } = mailbox
    return diagnose({ provider, emailAddress, verdict: error.verdict, secrets: [appPassword] })
  }
}
