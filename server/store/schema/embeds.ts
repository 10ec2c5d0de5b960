import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
  foreignKey,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import type { EmbedAct } from '../../../contract/embed/embed.ts'
import type { EmbedScope, EmbedWidget } from '../../../contract/embed/embed-scopes.ts'
import { ownerUserId, ownerWorkspaceId } from './accounts.ts'
import { bytea, instant } from './columns.ts'
import { localTable, tenantTable } from './table.ts'

/** Widgets on customers' pages: allowed origins, mailboxes and quotas. */
export const embeds = tenantTable(
  'embeds',
  {
    /** pk_…: public, grants nothing alone. */
    id: text('id').notNull(),
    workspaceId: ownerWorkspaceId(),
    name: text('name').notNull(),
    /** In the form of the Origin header. */
    allowedOrigins: text('allowed_origins').array().notNull(),
    widgets: text('widgets').array().$type<EmbedWidget[]>().notNull(),
    /** Null for all mailboxes of the workspace, later ones too. */
    mailboxIds: uuid('config_ids').array(),
    messagesPerSession: integer('messages_per_session').notNull(),
    recipientsPerSession: integer('recipients_per_session').notNull(),
    recipientsPerDay: integer('recipients_per_day').notNull(),
    popupSignIn: boolean('popup_sign_in').notNull(),
    status: text('status').$type<'active' | 'paused'>().notNull().default('active'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    index('embeds_workspace').on(table.workspaceId, table.createdAt),
    index('embeds_origins').using('gin', table.allowedOrigins),
  ],
)

/** The key of rows that are deleted with their embed. */
const ofEmbed = (...columns: [AnyPgColumn, AnyPgColumn]) =>
  foreignKey({ columns, foreignColumns: [embeds.workspaceId, embeds.id] }).onDelete('cascade')

/** Sessions of pages, by the SHA-256 of their token. */
export const embedSessions = localTable(
  'embed_sessions',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id').notNull(),
    embedId: text('embed_id').notNull(),
    tokenHash: bytea('token_hash').notNull(),
    origin: text('origin').notNull(),
    /** Opened by the dashboard, whose origin need not be allowed. */
    isPreview: boolean('is_preview').notNull(),
    scopes: text('scopes').array().$type<EmbedScope[]>().notNull(),
    /** Null for all mailboxes of the embed. */
    mailboxIds: uuid('config_ids').array(),
    userRef: text('user_ref'),
    openedBy: text('opened_by').$type<'key' | 'token' | 'consent'>().notNull(),
    /** User of the access token or consent; null for a secret key. */
    userId: uuid('user_id'),
    /** Mailbox of the secret key; null otherwise. */
    keyMailboxId: uuid('key_config_id'),
    messagesLimit: integer('messages_limit').notNull(),
    recipientsLimit: integer('recipients_limit').notNull(),
    messageCount: integer('message_count').notNull().default(0),
    recipientCount: integer('recipient_count').notNull().default(0),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    /** When it was ended before it expired. */
    endedAt: instant('ended_at'),
  },
  (table) => [
    ofEmbed(table.workspaceId, table.embedId),
    // Referenced by `embed_audit`.
    uniqueIndex('embed_sessions_id').on(table.workspaceId, table.id),
    uniqueIndex('embed_sessions_token_hash').on(table.tokenHash),
    index('embed_sessions_list').on(table.embedId, table.createdAt, table.id),
    index('embed_sessions_expires').on(table.expiresAt),
    // Live sessions by user and by key.
    index('embed_sessions_user')
      .on(table.userId)
      .where(sql`ended_at is null`),
    index('embed_sessions_key')
      .on(table.keyMailboxId)
      .where(sql`ended_at is null`),
  ],
)

/** Single-use codes of consents. */
export const embedCodes = localTable(
  'embed_codes',
  {
    codeHash: bytea('code_hash').primaryKey(),
    workspaceId: uuid('workspace_id').notNull(),
    embedId: text('embed_id').notNull(),
    userId: ownerUserId(),
    origin: text('origin').notNull(),
    scopes: text('scopes').array().$type<EmbedScope[]>().notNull(),
    /** SHA-256 of the verifier (RFC 7636 §4.2). */
    challenge: text('challenge').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [ofEmbed(table.workspaceId, table.embedId), index('embed_codes_expires').on(table.expiresAt)],
)

/** Recipients of an embed by day, UTC. */
export const embedUsage = tenantTable(
  'embed_usage',
  {
    workspaceId: uuid('workspace_id').notNull(),
    embedId: text('embed_id').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    recipientCount: integer('recipient_count').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.embedId, table.day] }),
    ofEmbed(table.workspaceId, table.embedId),
  ],
)

/** Audit rows of embed sessions. */
export const embedAudit = tenantTable(
  'embed_audit',
  {
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    workspaceId: uuid('workspace_id').notNull(),
    embedId: text('embed_id').notNull(),
    sessionId: uuid('session_id').notNull(),
    act: text('act').$type<EmbedAct>().notNull(),
    /** The message; it may have been refused after this row was written. */
    messageId: uuid('message_id'),
    recipientCount: integer('recipient_count').notNull().default(0),
    at: instant('at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    ofEmbed(table.workspaceId, table.embedId),
    foreignKey({
      columns: [table.workspaceId, table.sessionId],
      foreignColumns: [embedSessions.workspaceId, embedSessions.id],
    }).onDelete('cascade'),
    index('embed_audit_list').on(table.embedId, table.id),
    index('embed_audit_session').on(table.sessionId),
    index('embed_audit_message')
      .on(table.messageId)
      .where(sql`message_id is not null`),
  ],
)
