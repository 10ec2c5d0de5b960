import type { Pool } from 'pg'
import type { Settings } from '../../server/settings.ts'
import type { Database } from '../../server/store/core/database.ts'
import { isFresh } from '../../server/domain/mailboxes/mailbox-tokens.ts'
import { diagnose } from '../../server/domain/smtp/mailbox-diagnosis.ts'
import { parseSystemSmtp, resolveMailbox } from '../../server/mailer/queue/mailbox.ts'
import { SmtpError } from '../../server/mailer/smtp/smtp-error.ts'
import { openSession, type SmtpNetwork } from '../../server/mailer/smtp/smtp-session.ts'
import type { SenderMailbox } from '../../server/mailer/queue/sender-ports.ts'
import { createMailboxStore } from '../../server/store/mailboxes/mailbox.ts'
import { VaultError } from '../../server/store/vault/vault.ts'
import { openVault } from '../../server/store/vault/vault-keys.ts'
import { warn, fail, ok, type Finding } from './finding.ts'
import { authorize } from '../../server/domain/auth/authorize.ts'
import type { MailboxKey } from '../../server/domain/messages/delivery.ts'

const timeoutMs = 20_000

/** Signs in to the mailbox of account mails. */
export async function checkSystemMailbox(settings: Settings): Promise<Finding> {
  if (settings.systemSmtpUrl === null) {
    if (settings.sandbox) return ok('accounts', 'Account mails go to the sandbox.')
    return fail('accounts', 'Account mails cannot be sent: set SYSTEM_SMTP_URL.')
  }
  const { server, login } = parseSystemSmtp(settings.systemSmtpUrl)
  const endpoint = { ...server, isTrusted: true }
  const sentence = await trySignIn({ provider: 'system', emailAddress: login?.user ?? '', endpoint, login })
  return sentence === null
    ? ok('accounts', `${server.host} takes account mails.`)
    : fail('accounts', `SYSTEM_SMTP_URL: ${sentence}`)
}

/** Signs in to a connected mailbox with its stored credentials, in every workspace that has it. */
export async function checkMailbox(
  database: Database,
  settings: Settings,
  address: string,
  network: SmtpNetwork = {},
  nowMs = Date.now(),
): Promise<Finding[]> {
  const keys = await findMailboxes(database.pool, address)
  if (keys.length === 0) return [fail('mailbox', `No mailbox ${address} is connected.`)]
  const mailboxes = createMailboxStore(
    database,
    await openVault(database.pool, settings.secretKeyFile),
    () => new Date(),
  )
  const permissions = { allow: settings.smtpAllow, sandboxPort: null }
  const findings: Finding[] = []
  for (const { workspaceId, mailboxId } of keys) {
    try {
      const secrets = await mailboxes.findSecrets(
        authorize({ kind: 'operator', command: 'doctor' }, 'mailboxes:read', workspaceId),
        mailboxId,
      )
      if (secrets === null) continue
      const mailbox = resolveMailbox(secrets, permissions, null)
      const { tokens } = secrets
      if (!tokens) findings.push(await judge(mailbox, address, network))
      else if (isFresh(tokens, nowMs)) {
        const { accessToken: pass } = tokens
        const login = { user: secrets.emailAddress, pass, renew: () => Promise.resolve(pass) }
        findings.push(await judge({ ...mailbox, login }, address, network))
      } else {
        // A refresh token is valid once: using it here would invalidate the sender's.
        findings.push(warn('mailbox', `${address}: its access token has ended; it is renewed with the next mail.`))
      }
    } catch (error) {
      if (!(error instanceof VaultError)) throw error
      findings.push(fail('mailbox', `${address}: its secrets do not open with this key file. Connect it again.`))
    }
  }
  return findings
}

async function judge(mailbox: SenderMailbox, address: string, network: SmtpNetwork): Promise<Finding> {
  const { provider, emailAddress, endpoint, login } = mailbox
  if (endpoint === null) return warn('mailbox', `${address} is the sandbox’s: only its server can try it.`)
  const sentence = await trySignIn({ provider, emailAddress, endpoint, login }, network)
  if (sentence === null) return ok('mailbox', `${address}: ${endpoint.host} takes its sign-in.`)
  return fail('mailbox', `${address}: ${sentence}`)
}

type Tried = Pick<SenderMailbox, 'provider' | 'emailAddress' | 'login'> & {
  endpoint: NonNullable<SenderMailbox['endpoint']>
}

/** The reason why a sign-in fails; null if it succeeds. */
async function trySignIn(mailbox: Tried, network: SmtpNetwork = {}): Promise<string | null> {
  const { provider, emailAddress, endpoint, login } = mailbox
  try {
    const session = await openSession(endpoint, login, AbortSignal.timeout(timeoutMs), network)
    await session.quit()
    return null
  } catch (error) {
    if (!(error instanceof SmtpError)) throw error
    const secrets = login === null ? [] : [login.pass]
    return diagnose({ provider, emailAddress, smtpFailure: error.failure, secrets }).sentence
  }
}

async function findMailboxes(pool: Pool, address: string): Promise<MailboxKey[]> {
  const { rows } = await pool.query<MailboxKey>(
    `select workspace_id as "workspaceId", id as "mailboxId" from email_configs
     where lower(email_address) = lower($1) and deleted_at is null order by created_at`,
    [address],
  )
  return rows
}
