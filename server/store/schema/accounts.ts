import { sql } from 'drizzle-orm'
import { date, index, jsonb, primaryKey, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Preferences, WorkspaceRole } from '../../../contract/account/account.ts'
import type { AcceptableDocument } from '../../../contract/account/account.limits.ts'
import type { TrackingMode } from '../../../contract/results/tracking-mode.ts'
import { bytea, instant } from './columns.ts'
import { localTable, referenceTable, tenantTable } from './table.ts'

/** Tenants: every row of tenant data has a workspace. */
export const workspaces = tenantTable('workspaces', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  postalAddress: text('postal_address'),
  plan: text('plan').notNull().default('trial'),
  /** No longer written or read. It stays while processes of the previous release can run, which write it. */
  trialEndsAt: instant('trial_ends_at'),
  /** Zone of its days, an IANA name. */
  timezone: text('timezone').notNull().default('UTC'),
  /** Salt of the hashes of erased addresses. */
  addressSalt: bytea('address_salt')
    .notNull()
    .default(sql`uuid_send(gen_random_uuid())`),
  /** What opens and clicks of its campaigns are recorded for. */
  tracking: text('tracking').$type<TrackingMode>().notNull().default('off'),
  /** The same for mails of send calls that do not say. */
  apiTracking: text('api_tracking').$type<TrackingMode>().notNull().default('off'),
  /** Events are deleted after so many months. */
  eventsKeepMonths: smallint('events_keep_months').notNull().default(13),
  createdAt: instant('created_at').notNull().defaultNow(),
})

export const users = referenceTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    /** In lower case, so that it is unique. */
    email: text('email').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    /** Argon2id; null for an account without a password. */
    passwordHash: text('password_hash'),
    referralSource: text('referral_source'),
    emailConfirmedAt: instant('email_confirmed_at'),
    preferences: jsonb('preferences').$type<Preferences>().notNull().default({}),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Sign-in is refused from then on; the row and its workspace are deleted after 30 days. */
    closedAt: instant('closed_at'),
    /** The address of a closed account; `email` holds the account's id, so that the address can be used again. */
    closedEmail: text('closed_email'),
  },
  (table) => [
    uniqueIndex('users_email').on(table.email),
    index('users_closed')
      .on(table.closedAt)
      .where(sql`closed_at is not null`),
  ],
)

/** The column of rows that are deleted with their workspace. */
export const ownerWorkspaceId = () =>
  uuid('workspace_id')
    .notNull()
    .references(() => workspaces.id, { onDelete: 'cascade' })

/** The column of rows that are deleted with their user. */
export const ownerUserId = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

export const members = tenantTable(
  'members',
  {
    workspaceId: ownerWorkspaceId(),
    userId: ownerUserId(),
    role: text('role').$type<WorkspaceRole>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.userId] }), index('members_user').on(table.userId)],
)

/** Accepted versions of documents. */
export const acceptances = localTable(
  'acceptances',
  {
    userId: ownerUserId(),
    document: text('document').$type<AcceptableDocument>().notNull(),
    /** Day of the version. */
    documentDate: date('document_date', { mode: 'string' }).notNull(),
    acceptedAt: instant('accepted_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.document, table.documentDate] })],
)

/** Sign-in sessions, by the SHA-256 of their token. */
export const sessions = localTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: ownerUserId(),
    tokenHash: bytea('token_hash').notNull(),
    userAgent: text('user_agent'),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [uniqueIndex('sessions_token_hash').on(table.tokenHash), index('sessions_user').on(table.userId)],
)

/** Identities of users at OpenID providers. */
export const identities = localTable(
  'identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: ownerUserId(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.issuer, table.subject] }), index('identities_user').on(table.userId)],
)

/**
 * Tokens mailed to accounts, and sign-in codes for /login. Used ones are kept, so that a repeated confirmation
 * succeeds.
 */
export const accountTokens = localTable(
  'account_tokens',
  {
    tokenHash: bytea('token_hash').primaryKey(),
    userId: ownerUserId(),
    purpose: text('purpose').$type<'confirm' | 'reset' | 'sign_in'>().notNull(),
    /** For `sign_in`: hash of the cookie of the browser that may use it. */
    browserHash: bytea('browser_hash'),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [index('account_tokens_user').on(table.userId)],
)

/**
 * Handles with which the browser of a sign-up requests another confirmation mail. An address that has an account gets a
 * row too, so that the responses are equal.
 */
export const pendingAccounts = localTable(
  'pending_accounts',
  {
    handleHash: bytea('handle_hash').primaryKey(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('pending_accounts_user').on(table.userId), index('pending_accounts_expiry').on(table.expiresAt)],
)
