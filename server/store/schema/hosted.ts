import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { ChangeKind, HostedKeyKind } from '../../domain/auth/hosted.ts'
import { bytea, instant } from './columns.ts'
import { localTable } from './table.ts'

/** API keys of the hosted data backend, by their SHA-256. */
export const hostedKeys = localTable(
  'hosted_keys',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    kind: text('kind').$type<HostedKeyKind>().notNull(),
    keyHash: bytea('key_hash').notNull(),
    /** Allowed collections; null for all. */
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
export const hostedUsers = localTable(
  'hosted_users',
  {
    id: uuid('id').primaryKey(),
    /** In lower case, so that it is unique. */
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('hosted_users_email').on(table.email)],
)

/** Sessions of hosted users, by the token's SHA-256. */
export const hostedTokens = localTable(
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

/** Size and number of changes of each collection; written by the trigger on its documents. */
export const hostedCollections = localTable('hosted_collections', {
  name: text('name').primaryKey(),
  documentCount: bigint('document_count', { mode: 'number' }).notNull(),
  /** Bytes of the documents' `data` as text. */
  octets: bigint('octets', { mode: 'number' }).notNull(),
  lastChange: bigint('last_change', { mode: 'number' }).notNull(),
})

export const hostedDocuments = localTable(
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
    // Without a pending list, which every read would scan.
    index('hosted_documents_data').using('gin', table.data.op('jsonb_path_ops')).with({ fastupdate: false }),
  ],
)

/** Changes of documents, kept for a time so that realtime readers can resume. */
export const hostedChanges = localTable(
  'hosted_changes',
  {
    collection: text('collection').notNull(),
    /** Number of the change within its collection, in commit order without gaps. */
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

/** Documents that were seeded, with version and hash: a seed is inserted once. */
export const hostedSeeds = localTable(
  'hosted_seeds',
  {
    collection: text('collection').notNull(),
    id: text('id').notNull(),
    version: text('version').notNull(),
    /** Hash of `data` as seeded; a document with another hash was changed by the operator. */
    dataHash: bytea('data_hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.collection, table.id] })],
)
