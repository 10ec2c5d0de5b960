import {
  bigint,
  boolean,
  customType,
  date,
  index,
  integer,
  jsonb,
  pgSequence,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'
import type { WorkspaceRole } from '../../contract/account.ts'
import type { SmtpSecurity } from '../../contract/config.ts'
import type { Provider } from '../../contract/limits.ts'
import type { MergeContext } from '../../contract/merge-variables.ts'
import type { DeliveryState } from '../../contract/message.ts'
import type { AttemptKind } from '../domain/attempt.ts'

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** Whose rows they are: every row that belongs to somebody names its workspace. */
export const workspaces = pgTable('workspaces', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  postalAddress: text('postal_address'),
  plan: text('plan').notNull().default('trial'),
  trialEndsAt: instant('trial_ends_at'),
  createdAt: instant('created_at').notNull().defaultNow(),
})

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    /** In lower case: the key under which an address is one address. */
    email: text('email').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    /** Argon2id; null for an account that signs in elsewhere only. */
    passwordHash: text('password_hash'),
    referralSource: text('referral_source'),
    emailConfirmedAt: instant('email_confirmed_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('users_email').on(table.email)],
)

export const members = pgTable(
  'members',
  {
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role').$type<WorkspaceRole>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.userId] }), index('members_user').on(table.userId)],
)

/** Sign-ins. The token itself is nowhere; its SHA-256 is. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    tokenHash: bytea('token_hash').notNull(),
    userAgent: text('user_agent'),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [uniqueIndex('sessions_token_hash').on(table.tokenHash), index('sessions_user').on(table.userId)],
)

/** Who a person is at an OpenID provider. */
export const identities = pgTable(
  'identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.issuer, table.subject] }), index('identities_user').on(table.userId)],
)

/** What somebody tried too often, such as signing in; counted in rows, so that limits hold across processes. */
export const attempts = pgTable(
  'attempts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind').$type<AttemptKind>().notNull(),
    /** HMAC of the address, network or device it counts for. */
    subject: bytea('subject').notNull(),
    at: instant('at').notNull().defaultNow(),
  },
  (table) => [index('attempts_subject').on(table.kind, table.subject, table.at), index('attempts_at').on(table.at)],
)

/**
 * Tokens that were mailed to an account, and codes that its browser brings to /login. A used one stays, so that a
 * repeated confirmation is known.
 */
export const accountTokens = pgTable(
  'account_tokens',
  {
    tokenHash: bytea('token_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text('purpose').$type<'confirm' | 'reset' | 'sign_in'>().notNull(),
    /** For `sign_in`: hash of what the browser it works in keeps. */
    browserHash: bytea('browser_hash'),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [index('account_tokens_user').on(table.userId)],
)

/** Which keys of the ring have sealed something here, each with a sealed check value. */
export const vaultKeys = pgTable('vault_keys', {
  id: text('id').primaryKey(),
  checkSealed: bytea('check_sealed').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
})

/** Connected mailboxes, and the one that account mails leave from (`provider` system). */
export const emailConfigs = pgTable(
  'email_configs',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    emailAddress: text('email_address').notNull(),
    provider: text('provider').$type<Provider | 'system'>().notNull(),
    /** For provider `other` only; null for the sandbox, whose port changes with each start. */
    smtpHost: text('smtp_host'),
    smtpPort: integer('smtp_port'),
    smtpSecurity: text('smtp_security').$type<SmtpSecurity>(),
    /** Null once deleted, and for the system mailbox. */
    appPasswordSealed: bytea('app_password_sealed'),
    secretKeySealed: bytea('secret_key_sealed'),
    /** HMAC of the secret key, to find the row by. */
    secretKeyLookup: bytea('secret_key_lookup'),
    status: text('status').$type<'active' | 'paused'>().notNull().default('active'),
    pauseReason: text('pause_reason'),
    /** When a pause ends by itself; null for one that waits for its owner. */
    pausedUntil: instant('paused_until'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Deleted configurations stay as the sender of old messages, without their secrets. */
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    uniqueIndex('email_configs_secret_key').on(table.secretKeyLookup),
    uniqueIndex('email_configs_address')
      .on(table.workspaceId, table.emailAddress, table.provider)
      .where(sql`deleted_at is null`),
  ],
)

/** What was accepted once for all of its recipients. */
export const messages = pgTable(
  'messages',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    configId: uuid('config_id')
      .notNull()
      .references(() => emailConfigs.id),
    fromAddress: text('from_address').notNull(),
    subject: text('subject').notNull(),
    content: text('content').notNull(),
    isHtml: boolean('is_html').notNull(),
    context: jsonb('context').$type<MergeContext>().notNull(),
    /** Context of account mails, whose links hold tokens. */
    contextSealed: bytea('context_sealed'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [index('messages_workspace').on(table.workspaceId, table.createdAt)],
)

/** Drawn from by deliveries; a partitioned table has no identity column before PostgreSQL 17. */
export const deliveryIds = pgSequence('delivery_ids')

/** One recipient of one message. Partitioned by month, so that old months are dropped, not deleted. */
export const deliveries = pgTable(
  'deliveries',
  {
    month: date('month', { mode: 'string' }).notNull(),
    id: bigint('id', { mode: 'number' })
      .notNull()
      .default(sql`nextval('delivery_ids')`),
    workspaceId: uuid('workspace_id').notNull(),
    messageId: uuid('message_id').notNull(),
    configId: uuid('config_id').notNull(),
    recipient: text('recipient').notNull(),
    /** What this recipient has of its own, over the message's context. */
    context: jsonb('context').$type<MergeContext>(),
    state: text('state').$type<DeliveryState>().notNull().default('queued'),
    attempts: smallint('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at').notNull().defaultNow(),
    /** The sender that holds it, and the claim that fences its settling. */
    leaseOwner: uuid('lease_owner'),
    leaseToken: uuid('lease_token'),
    leasedAt: instant('leased_at'),
    /** What the mail server said last, code first. */
    reply: text('reply'),
    createdAt: instant('created_at').notNull().defaultNow(),
    settledAt: instant('settled_at'),
  },
  (table) => [
    primaryKey({ columns: [table.month, table.id] }),
    index('deliveries_due')
      .on(table.configId, table.nextAttemptAt, table.id)
      .where(sql`state in ('queued', 'deferred')`),
    index('deliveries_message').on(table.messageId, table.id),
    index('deliveries_leased')
      .on(table.leaseOwner)
      .where(sql`state = 'sending'`),
  ],
)

/** Mails that the sandbox received: a development part, empty in production. */
export const sandboxMessages = pgTable(
  'sandbox_messages',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    receivedAt: instant('received_at').notNull().defaultNow(),
    fromAddress: text('from_address').notNull(),
    recipients: text('recipients').array().notNull(),
    subject: text('subject').notNull(),
    html: text('html'),
    text: text('text'),
    headers: jsonb('headers').$type<Record<string, string>>().notNull(),
    raw: bytea('raw').notNull(),
  },
  (table) => [index('sandbox_messages_recipients').using('gin', table.recipients)],
)
