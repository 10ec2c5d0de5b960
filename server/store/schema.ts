import {
  bigint,
  boolean,
  check,
  customType,
  date,
  doublePrecision,
  index,
  integer,
  json,
  jsonb,
  pgSequence,
  pgTable,
  primaryKey,
  smallint,
  sql,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from './core/drizzle.ts'
import type { Preferences, WorkspaceRole } from '../../contract/account/account.ts'
import type { CampaignStatus } from '../domain/campaigns/campaign.ts'
import type { ExtraHeader } from '../domain/messages/message.ts'
import type { SmtpSecurity } from '../../contract/mail/config.ts'
import type { EmbedAct } from '../../contract/embed/embed.ts'
import type { EmbedScope, EmbedWidget } from '../../contract/embed/embed-scopes.ts'
import type { AcceptableDocument, Provider } from '../../contract/core/limits.ts'
import type { MergeContext } from '../../contract/mail/merge-variables.ts'
import type { DeliveryState } from '../../contract/mail/message.ts'
import type { SuppressionReason } from '../../contract/audience/suppression.ts'
import type { ChangeKind, HostedKeyKind } from '../domain/auth/hosted.ts'
import type { AttemptKind } from '../domain/limits/attempt.ts'

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
const jsonArray = customType<{ data: unknown[] }>({ dataType: () => 'json[]' })
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
    preferences: jsonb('preferences').$type<Preferences>().notNull().default({}),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Since then nobody can sign in; the row and its workspace go after 30 days. */
    closedAt: instant('closed_at'),
    /** The address of a closed account. `email` is its id then, so that the address is free. */
    closedEmail: text('closed_email'),
  },
  (table) => [
    uniqueIndex('users_email').on(table.email),
    index('users_closed')
      .on(table.closedAt)
      .where(sql`closed_at is not null`),
  ],
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

/** What people are writing, one of each kind. JSON as it was saved, key by key. */
export const drafts = pgTable(
  'drafts',
  {
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind').notNull(),
    revision: bigint('revision', { mode: 'number' }).notNull(),
    content: json('content').notNull(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    /** Versions that a save replaced without having known them, the newest first. */
    replaced: jsonArray('replaced').notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.userId, table.kind] })],
)

/** Which version of which document a person accepted, and when. */
export const acceptances = pgTable(
  'acceptances',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    document: text('document').$type<AcceptableDocument>().notNull(),
    /** Day of the version. */
    documentDate: date('document_date', { mode: 'string' }).notNull(),
    acceptedAt: instant('accepted_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.document, table.documentDate] })],
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

/**
 * What the browser of a sign-up brings to ask for another confirmation mail. An address that has an account already gets
 * a row too, so that the answers cannot be told apart.
 */
export const pendingAccounts = pgTable(
  'pending_accounts',
  {
    handleHash: bytea('handle_hash').primaryKey(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('pending_accounts_user').on(table.userId), index('pending_accounts_expiry').on(table.expiresAt)],
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
    /** JSON of MailboxTokens; null for one with an app password. */
    oauthTokensSealed: bytea('oauth_tokens_sealed'),
    /** Counts how often it was connected: what is found out about a password holds for the one of that time only. */
    credentialsVersion: integer('credentials_version').notNull().default(1),
    secretKeySealed: bytea('secret_key_sealed'),
    /** HMAC of the secret key, to find the row by. */
    secretKeyLookup: bytea('secret_key_lookup'),
    /** Of the key before this one, which works until then. */
    oldKeyLookup: bytea('old_key_lookup'),
    oldKeyUntil: instant('old_key_until'),
    status: text('status').$type<'active' | 'paused'>().notNull().default('active'),
    pauseReason: text('pause_reason'),
    /** When a pause ends by itself; null for one that waits for its owner. */
    pausedUntil: instant('paused_until'),
    /** What to keep under in place of the provider table's limits; null: as the table says. */
    limitPerMinute: integer('limit_per_minute'),
    limitPerDay: integer('limit_per_day'),
    limitConnections: integer('limit_connections'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Deleted configurations stay as the sender of old messages, without their secrets. */
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    uniqueIndex('email_configs_secret_key').on(table.secretKeyLookup),
    uniqueIndex('email_configs_old_key')
      .on(table.oldKeyLookup)
      .where(sql`old_key_lookup is not null`),
    uniqueIndex('email_configs_address')
      .on(table.workspaceId, table.emailAddress, table.provider)
      .where(sql`deleted_at is null`),
  ],
)

/** Reusable subjects and bodies. */
export const templates = pgTable(
  'templates',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** Names it in send calls; never changes, and is not given again while the row is there. */
    key: text('key').notNull(),
    /** For people; empty: lists show the subject. */
    name: text('name').notNull().default(''),
    subject: text('subject').notNull(),
    body: text('body').notNull(),
    tags: text('tags').array().notNull(),
    /** Shown to anybody by the workspace's embeds. */
    isPublic: boolean('is_public').notNull().default(false),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    /** Hidden since; the row goes after 30 days. */
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    uniqueIndex('templates_key').on(table.workspaceId, table.key),
    index('templates_list')
      .on(table.workspaceId, table.createdAt, table.id)
      .where(sql`deleted_at is null`),
    index('templates_deleted')
      .on(table.deletedAt)
      .where(sql`deleted_at is not null`),
  ],
)

/**
 * Sends to many. The engine asks one thing of a campaign: whether it is `sending`; in every other state its deliveries stay
 * in the queue.
 */
export const campaigns = pgTable(
  'campaigns',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    status: text('status').$type<CampaignStatus>().notNull().default('draft'),
    name: text('name').notNull().default(''),
    subject: text('subject').notNull().default(''),
    /** HTML as it was written; what is sent, with its footer, stands in its messages. */
    body: text('body').notNull().default(''),
    context: jsonb('context').$type<MergeContext>().notNull().default({}),
    /** Mailboxes that share it, in the order given; one message for each. */
    mailboxIds: uuid('config_ids').array().notNull().default([]),
    templateId: uuid('template_id'),
    /** Why it failed. */
    statusReason: text('status_reason'),
    scheduledAt: instant('scheduled_at'),
    timezone: text('timezone'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /**
     * Set while a composer prepares the campaign and its sender has not confirmed: lists and statistics leave it out, and
     * it is deleted after a day. Null once it is confirmed, and for campaigns that calls make.
     */
    stagedAt: instant('staged_at'),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
    /** Recipients by state, once it has ended and nothing of it moves any more; null while they have to be counted. */
    counts: jsonb('counts').$type<Partial<Record<DeliveryState, number>>>(),
    /** Hidden since. It stays as what its mails belong to. */
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    // What the clock looks at: few, however many have ended.
    index('campaigns_moving')
      .on(table.status)
      .where(sql`status in ('scheduled', 'sending', 'cancelled', 'failed') and counts is null`),
    index('campaigns_workspace').on(table.workspaceId, table.createdAt),
    // Claims ask for these only, however many have ended.
    index('campaigns_sending')
      .on(table.workspaceId)
      .where(sql`status = 'sending'`),
  ],
)

/** Who is in a campaign, so that each address is there once however often it is streamed in. */
export const campaignRecipients = pgTable(
  'campaign_recipients',
  {
    campaignId: uuid('campaign_id')
      .notNull()
      .references(() => campaigns.id, { onDelete: 'cascade' }),
    /** The first 16 bytes of the SHA-256 of the address's key. */
    addressHash: bytea('address_hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.campaignId, table.addressHash] })],
)

/** Addresses that nothing of a workspace is sent to. */
export const suppressions = pgTable(
  'suppressions',
  {
    id: uuid('id').notNull().defaultRandom(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** In lower case: the key under which an address is one address. */
    email: text('email').notNull(),
    reason: text('reason').$type<SuppressionReason>().notNull(),
    /** What the mail server said. */
    detail: text('detail'),
    campaignId: uuid('campaign_id'),
    /** Since when it is known: of one that was taken off and put back, the first time. */
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Since when the row stands as it does. */
    changedAt: instant('changed_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.email] }),
    uniqueIndex('suppressions_id').on(table.id),
    index('suppressions_list').on(table.workspaceId, table.createdAt, table.id),
    index('suppressions_changed').on(table.workspaceId, table.changedAt),
  ],
)

/** What was accepted once for all of its recipients. */
export const messages = pgTable(
  'messages',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id').notNull(),
    /** Of the same workspace. Whoever writes messages holds these rows meanwhile, once for all (docs/decisions/0033). */
    mailboxId: uuid('config_id').notNull(),
    fromAddress: text('from_address').notNull(),
    subject: text('subject').notNull(),
    content: text('content').notNull(),
    isHtml: boolean('is_html').notNull(),
    context: jsonb('context').$type<MergeContext>().notNull(),
    /** Context of account mails, whose links hold tokens. */
    contextSealed: bytea('context_sealed'),
    /** Header lines of its own, in order; values may hold merge variables. */
    extraHeaders: jsonb('extra_headers').$type<readonly ExtraHeader[]>(),
    /** Null for what a send call accepted. */
    campaignId: uuid('campaign_id').references(() => campaigns.id),
    /** A mail that its sender tries out: statistics and lists leave it out. */
    isTest: boolean('is_test').notNull().default(false),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('messages_workspace').on(table.workspaceId, table.createdAt),
    // Few; statistics subtract them.
    index('messages_tests')
      .on(table.workspaceId, table.createdAt)
      .where(sql`is_test`),
    index('messages_campaign')
      .on(table.campaignId)
      .where(sql`campaign_id is not null`),
  ],
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
    mailboxId: uuid('config_id').notNull(),
    /** Null for what a send call accepted. */
    campaignId: uuid('campaign_id'),
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
    // Within a mailbox by campaign, so that a claim passes over a paused one at no cost.
    index('deliveries_due')
      .on(table.mailboxId, table.campaignId, table.nextAttemptAt, table.id)
      .where(sql`state in ('queued', 'deferred')`),
    index('deliveries_message').on(table.messageId, table.id),
    // What went wrong last with a mailbox; few are ever in it.
    index('deliveries_trouble')
      .on(table.mailboxId, table.id)
      .where(sql`state in ('failed', 'deferred')`),
    index('deliveries_leased')
      .on(table.mailboxId, table.leaseOwner)
      .where(sql`state = 'sending'`),
  ],
)

const deliveryCountColumns = {
  workspaceId: uuid('workspace_id').notNull(),
  /** Begin of a quarter of an hour, by which time zones differ: when it was settled, or accepted where it still waits. */
  quarterAt: instant('quarter_at').notNull(),
  sent: integer('sent').notNull(),
  failed: integer('failed').notNull(),
  waiting: integer('waiting').notNull(),
}

/** How many deliveries of a workspace stand where, for charts. Counts once `deliveryCountChanges` is added. */
export const deliveryCounts = pgTable('delivery_counts', deliveryCountColumns, (table) => [
  primaryKey({ columns: [table.workspaceId, table.quarterAt] }),
])

/**
 * What each statement on `deliveries` has changed of the counts, written by its trigger in its own transaction: rows that
 * nobody waits for, added to `deliveryCounts` now and then.
 */
export const deliveryCountChanges = pgTable('delivery_count_changes', deliveryCountColumns)

/**
 * How much a mailbox has handed to its mail server, in buckets: of a second for what counts by the minute, of five minutes
 * for what counts by the day. A bucket counts until its youngest mail is out of the window.
 */
export const mailboxUsage = pgTable(
  'mailbox_usage',
  {
    mailboxId: uuid('config_id').notNull(),
    bucketSeconds: smallint('bucket_seconds').notNull(),
    bucketAt: instant('bucket_at').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.mailboxId, table.bucketSeconds, table.bucketAt] })],
)

/** How far the database's clock has jumped, each time that a process has noticed and made up for it. */
export const clockJumps = pgTable('clock_jumps', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  jumpMs: doublePrecision('jump_ms').notNull(),
  noticedAt: instant('noticed_at').notNull().defaultNow(),
})

/** Connections that senders may open to a mailbox's server; what is not renewed is free again. */
export const mailboxSlots = pgTable(
  'mailbox_slots',
  {
    mailboxId: uuid('config_id').notNull(),
    /** A sender's run of one mailbox. */
    holder: uuid('holder').notNull(),
    count: smallint('count').notNull(),
    renewedAt: instant('renewed_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.mailboxId, table.holder] })],
)

/** Calls that may be repeated, by their Idempotency-Key, with what was answered. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** Who called what: keys of others are other keys. */
    scope: text('scope').notNull(),
    key: text('key').notNull(),
    /** HMAC of the call: another one under the same key is refused. */
    requestHash: bytea('request_hash').notNull(),
    /** Names what the call makes: whoever takes it over makes it under the same, so that it comes about once. */
    token: uuid('token').notNull(),
    startedAt: instant('started_at').notNull().defaultNow(),
    state: text('state').$type<'started' | 'answered'>().notNull(),
    /** HTTP status and body; sealed, for answers may hold secrets. */
    answerSealed: bytea('answer_sealed'),
  },
  (table) => [
    primaryKey({ columns: [table.scope, table.key] }),
    uniqueIndex('idempotency_keys_token').on(table.token),
    index('idempotency_keys_started').on(table.startedAt),
  ],
)

/** Widgets in other people's pages: where they may stand, what they may use, how much they may send. */
export const embeds = pgTable(
  'embeds',
  {
    /** pk_…: stands in pages and holds no power. */
    id: text('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** As browsers send them. */
    allowedOrigins: text('allowed_origins').array().notNull(),
    widgets: text('widgets').array().$type<EmbedWidget[]>().notNull(),
    /** Null for all of the workspace, those connected later too. */
    mailboxIds: uuid('config_ids').array(),
    messagesPerSession: integer('messages_per_session').notNull(),
    recipientsPerSession: integer('recipients_per_session').notNull(),
    recipientsPerDay: integer('recipients_per_day').notNull(),
    popupSignIn: boolean('popup_sign_in').notNull(),
    status: text('status').$type<'active' | 'paused'>().notNull().default('active'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('embeds_workspace').on(table.workspaceId, table.createdAt),
    index('embeds_origins').using('gin', table.allowedOrigins),
  ],
)

/** What pages may do for a while. The token itself is nowhere; its SHA-256 is. */
export const embedSessions = pgTable(
  'embed_sessions',
  {
    id: uuid('id').primaryKey(),
    embedId: text('embed_id')
      .notNull()
      .references(() => embeds.id, { onDelete: 'cascade' }),
    tokenHash: bytea('token_hash').notNull(),
    origin: text('origin').notNull(),
    /** Of the dashboard's own page, whose origin no embed has to name. */
    isPreview: boolean('is_preview').notNull(),
    scopes: text('scopes').array().$type<EmbedScope[]>().notNull(),
    /** Null for all that the embed may use. */
    mailboxIds: uuid('config_ids').array(),
    userRef: text('user_ref'),
    openedBy: text('opened_by').$type<'key' | 'token' | 'consent'>().notNull(),
    /** Whose access token or consent; null for a secret key. */
    userId: uuid('user_id'),
    /** Whose secret key; null otherwise. */
    keyMailboxId: uuid('key_config_id'),
    messagesLimit: integer('messages_limit').notNull(),
    recipientsLimit: integer('recipients_limit').notNull(),
    messageCount: integer('message_count').notNull().default(0),
    recipientCount: integer('recipient_count').notNull().default(0),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    /** When it was ended before its time. */
    endedAt: instant('ended_at'),
  },
  (table) => [
    uniqueIndex('embed_sessions_token_hash').on(table.tokenHash),
    index('embed_sessions_list').on(table.embedId, table.createdAt, table.id),
    index('embed_sessions_expires').on(table.expiresAt),
    // What ends with a person or with a key: few, for the rest has ended.
    index('embed_sessions_user')
      .on(table.userId)
      .where(sql`ended_at is null`),
    index('embed_sessions_key')
      .on(table.keyMailboxId)
      .where(sql`ended_at is null`),
  ],
)

/** Codes that a consent gives; each works once. */
export const embedCodes = pgTable(
  'embed_codes',
  {
    codeHash: bytea('code_hash').primaryKey(),
    embedId: text('embed_id')
      .notNull()
      .references(() => embeds.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    origin: text('origin').notNull(),
    scopes: text('scopes').array().$type<EmbedScope[]>().notNull(),
    /** SHA-256 of the verifier (RFC 7636 §4.2). */
    challenge: text('challenge').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [index('embed_codes_expires').on(table.expiresAt)],
)

/** How many recipients an embed wrote to on a day, UTC. */
export const embedUsage = pgTable(
  'embed_usage',
  {
    embedId: text('embed_id')
      .notNull()
      .references(() => embeds.id, { onDelete: 'cascade' }),
    day: date('day', { mode: 'string' }).notNull(),
    recipientCount: integer('recipient_count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.embedId, table.day] })],
)

/** What embed sessions did. */
export const embedAudit = pgTable(
  'embed_audit',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    embedId: text('embed_id')
      .notNull()
      .references(() => embeds.id, { onDelete: 'cascade' }),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => embedSessions.id, { onDelete: 'cascade' }),
    act: text('act').$type<EmbedAct>().notNull(),
    /** The message that it is about; it may have been refused after this was written. */
    messageId: uuid('message_id'),
    recipientCount: integer('recipient_count').notNull().default(0),
    at: instant('at').notNull().defaultNow(),
  },
  (table) => [
    index('embed_audit_list').on(table.embedId, table.id),
    index('embed_audit_session').on(table.sessionId),
    index('embed_audit_message')
      .on(table.messageId)
      .where(sql`message_id is not null`),
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

/** API keys of the hosted data backend. The key itself is nowhere; its SHA-256 is. */
export const hostedKeys = pgTable(
  'hosted_keys',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    kind: text('kind').$type<HostedKeyKind>().notNull(),
    keyHash: bytea('key_hash').notNull(),
    /** Which collections it opens; null for all. */
    collections: text('collections').array(),
    createdAt: instant('created_at').notNull().defaultNow(),
    revokedAt: instant('revoked_at'),
  },
  (table) => [
    uniqueIndex('hosted_keys_hash').on(table.keyHash),
    check('hosted_keys_kind', sql`kind in ('read', 'write')`),
  ],
)

/** Users of the hosted data backend, apart from product accounts. */
export const hostedUsers = pgTable(
  'hosted_users',
  {
    id: uuid('id').primaryKey(),
    /** In lower case: the key under which an address is one address. */
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('hosted_users_email').on(table.email)],
)

/** Sign-ins of hosted users, by the token's SHA-256. */
export const hostedTokens = pgTable(
  'hosted_tokens',
  {
    tokenHash: bytea('token_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => hostedUsers.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('hosted_tokens_user').on(table.userId)],
)

/** Attempts to sign in or up, by the SHA-256 of who tries what: counted in rows, so that they hold across processes. */
export const hostedAttempts = pgTable('hosted_attempts', {
  key: bytea('key').primaryKey(),
  count: integer('count').notNull(),
  startedAt: instant('started_at').notNull().defaultNow(),
})

/** What a collection holds and how many changes it has seen; written by the trigger on its documents. */
export const hostedCollections = pgTable('hosted_collections', {
  name: text('name').primaryKey(),
  documentCount: bigint('document_count', { mode: 'number' }).notNull(),
  /** Of the documents' `data` as text. */
  octets: bigint('octets', { mode: 'number' }).notNull(),
  lastChange: bigint('last_change', { mode: 'number' }).notNull(),
})

export const hostedDocuments = pgTable(
  'hosted_documents',
  {
    collection: text('collection').notNull(),
    id: text('id').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.collection, table.id] }),
    index('hosted_documents_order').on(table.collection, table.createdAt, table.id),
    // Without its list of pending entries, which every read would have to walk.
    index('hosted_documents_data').using('gin', table.data.op('jsonb_path_ops')).with({ fastupdate: false }),
  ],
)

/** What happened to documents, kept for a while so that realtime readers can take up where they were. */
export const hostedChanges = pgTable(
  'hosted_changes',
  {
    collection: text('collection').notNull(),
    /** Counts the collection's changes in the order of their commits, without a gap. */
    id: bigint('id', { mode: 'number' }).notNull(),
    kind: text('kind').$type<ChangeKind>().notNull(),
    documentId: text('document_id').notNull(),
    /** Null for a deleted document. */
    data: jsonb('data').$type<Record<string, unknown>>(),
    octets: integer('octets').notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    at: instant('at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.collection, table.id] }), index('hosted_changes_at').on(table.at)],
)

/** Which documents were shipped with us, in which version, and how they read then: a seed is never planted twice. */
export const hostedSeeds = pgTable(
  'hosted_seeds',
  {
    collection: text('collection').notNull(),
    id: text('id').notNull(),
    version: text('version').notNull(),
    /** Of `data` as it was planted; a document that reads otherwise has been changed by its operator. */
    dataHash: bytea('data_hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.collection, table.id] })],
)
