import { sql } from 'drizzle-orm'
import { date, index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Preferences, WorkspaceRole } from '../../../contract/account/account.ts'
import type { AcceptableDocument } from '../../../contract/account/account.limits.ts'
import { bytea, instant } from './columns.ts'

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
