import { sql } from 'drizzle-orm'
import { boolean, index, integer, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { SmtpSecurity } from '../../../contract/mail/config.ts'
import type { ReadingState } from '../../../contract/inbox/inbox.ts'
import type { Provider } from '../../../contract/mail/config.limits.ts'
import { ownerWorkspaceId } from './accounts.ts'
import { bytea, instant } from './columns.ts'
import { tenantTable } from './table.ts'

/** Connected mailboxes, and the system mailbox for account mails (`provider` system). */
export const emailConfigs = tenantTable(
  'email_configs',
  {
    id: uuid('id').notNull(),
    workspaceId: ownerWorkspaceId(),
    emailAddress: text('email_address').notNull(),
    provider: text('provider').$type<Provider | 'system'>().notNull(),
    /** For provider `other` only; null for the sandbox, whose port changes at each start. */
    smtpHost: text('smtp_host'),
    smtpPort: integer('smtp_port'),
    smtpSecurity: text('smtp_security').$type<SmtpSecurity>(),
    /** Null once deleted, and for the system mailbox. */
    appPasswordSealed: bytea('app_password_sealed'),
    /** JSON of MailboxTokens; null for a mailbox with an app password. */
    oauthTokensSealed: bytea('oauth_tokens_sealed'),
    /** Incremented each time it is connected: a pause applies to the credentials of one version. */
    credentialsVersion: integer('credentials_version').notNull().default(1),
    secretKeySealed: bytea('secret_key_sealed'),
    /** HMAC of the secret key; `key_directory` finds the row by it. */
    secretKeyLookup: bytea('secret_key_lookup'),
    /** HMAC of the previous key, which is valid until `old_key_until`. */
    oldKeyLookup: bytea('old_key_lookup'),
    oldKeyUntil: instant('old_key_until'),
    status: text('status').$type<'active' | 'paused'>().notNull().default('active'),
    pauseReason: text('pause_reason'),
    /** When a temporary pause ends; null if the owner must resume it. */
    pausedUntil: instant('paused_until'),
    /** Limits in place of the provider's; null: the provider's limit. */
    limitPerMinute: integer('limit_per_minute'),
    limitPerDay: integer('limit_per_day'),
    limitConnections: integer('limit_connections'),
    /** For messages that name none of their own. */
    fromName: text('from_name'),
    replyTo: text('reply_to'),
    /** Whether replies and bounces are read; its owner turns it on. */
    isReading: boolean('is_reading').notNull().default(false),
    /** Null: by the provider table, or derived from the mail server. */
    imapHost: text('imap_host'),
    imapPort: integer('imap_port'),
    imapSecurity: text('imap_security').$type<'tls' | 'starttls' | 'none'>(),
    readingSince: instant('reading_since'),
    readingState: text('reading_state').$type<ReadingState>().notNull().default('off'),
    readingError: text('reading_error'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Deleted mailboxes are kept as the sender of old messages, without their secrets. */
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    // Finds a mailbox by its id alone.
    index('email_configs_id').on(table.id),
    uniqueIndex('email_configs_address')
      .on(table.workspaceId, table.emailAddress, table.provider)
      .where(sql`deleted_at is null`),
  ],
)
