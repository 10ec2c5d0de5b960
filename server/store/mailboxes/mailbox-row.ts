import type { Provider } from '../../../contract/mail/config.limits.ts'
import type { MailboxRow, MailboxSecrets } from '../../domain/mailboxes/mailbox.ts'
import { mailboxSentences } from '../../../contract/mail/mailbox-sentences.ts'
import type { MailboxTokens } from '../../domain/mailboxes/mailbox-tokens.ts'
import { selectList } from '../core/sql.ts'
import type { emailConfigs } from '../schema/mailboxes.ts'
import { VaultError, type Place, type Vault } from '../vault/vault.ts'

export type MailboxRecord = Omit<
  typeof emailConfigs.$inferSelect,
  'secretKeyLookup' | 'oldKeyLookup' | 'oldKeyUntil' | 'deletedAt'
>

/** Select list of a `MailboxRecord`. */
export const mailboxRecordColumns = selectList<MailboxRecord>(
  ['id', 'workspaceId', 'emailAddress', 'provider', 'smtpHost', 'smtpPort', 'smtpSecurity', 'appPasswordSealed'],
  ['oauthTokensSealed', 'credentialsVersion', 'secretKeySealed', 'status', 'pauseReason', 'pausedUntil'],
  ['limitPerMinute', 'limitPerDay', 'limitConnections', 'createdAt'],
)

/** The place to which a sealed value of a mailbox is bound. */
export const mailboxPlace = (column: string, row: string, workspace: string): Place => ({
  table: 'email_configs',
  column,
  row,
  workspace,
})

/** Reads rows of mailboxes: opens their secrets and compares their pauses with the clock. */
export function createMailboxRows(vault: Pick<Vault, 'open' | 'seal'>, clock: () => Date) {
  const open = (row: MailboxRecord, column: string, sealed: Buffer | null) =>
    sealed === null ? null : vault.open(sealed, mailboxPlace(column, row.id, row.workspaceId))

  const isPaused = (row: Pick<MailboxRecord, 'status' | 'pausedUntil'>) =>
    row.status === 'paused' && (row.pausedUntil === null || row.pausedUntil > clock())

  const openTokens = (row: MailboxRecord): MailboxTokens | null => {
    const text = open(row, 'oauth_tokens', row.oauthTokensSealed)
    return text === null ? null : (JSON.parse(text) as MailboxTokens)
  }

  /** A mailbox for its owner; one whose secrets cannot be decrypted is shown as paused. */
  const toMailboxRow = (row: MailboxRecord): MailboxRow => {
    const shown = {
      id: row.id,
      emailAddress: row.emailAddress,
      provider: row.provider as Provider,
      createdAt: row.createdAt,
    }
    try {
      const secretKey = open(row, 'secret_key', row.secretKeySealed)
      return isPaused(row)
        ? { ...shown, secretKey, status: 'paused', pauseReason: row.pauseReason }
        : { ...shown, secretKey, status: 'active', pauseReason: null }
    } catch (error) {
      if (!(error instanceof VaultError)) throw error
      return { ...shown, secretKey: null, status: 'paused', pauseReason: mailboxSentences.sealed }
    }
  }

  const toSecrets = (row: MailboxRecord): MailboxSecrets => {
    const { smtpHost: host, smtpPort: port, smtpSecurity: security } = row
    return {
      mailboxId: row.id,
      workspaceId: row.workspaceId,
      emailAddress: row.emailAddress,
      provider: row.provider,
      server: host !== null && port !== null && security !== null ? { host, port, security } : null,
      appPassword: open(row, 'app_password', row.appPasswordSealed),
      tokens: openTokens(row),
      credentialsVersion: row.credentialsVersion,
      // In the format of the list of due mailboxes.
      ownerLimits: [row.limitPerMinute, row.limitPerDay, row.limitConnections].map((limit) => limit ?? 0).join('/'),
    }
  }

  const sealTokens = (tokens: MailboxTokens, id: string, workspaceId: string) =>
    vault.seal(JSON.stringify(tokens), mailboxPlace('oauth_tokens', id, workspaceId))

  return { isPaused, openTokens, sealTokens, toMailboxRow, toSecrets }
}
