import { sql } from 'drizzle-orm'
import {
  bigint,
  foreignKey,
  index,
  integer,
  jsonb,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { FieldType } from '../../../contract/audience/segment-rule.ts'
import type { FieldValue } from '../../domain/contacts/field-value.ts'
import { workspaces } from './accounts.ts'
import { bytea, instant } from './columns.ts'
import { tenantTable } from './table.ts'

const workspaceId = () => uuid('workspace_id').notNull()
const ownWorkspaceId = () => workspaceId().references(() => workspaces.id, { onDelete: 'cascade' })
const nameKeySql = (field: number) => sql.raw(`lower((fields ->> '${field}') collate "C")`)
const identity = () => bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity()

/** Custom fields of contacts. A number is never used again, so that values of a deleted field stay hidden. */
export const contactFields = tenantTable(
  'contact_fields',
  {
    workspaceId: ownWorkspaceId(),
    no: smallint('no').notNull(),
    /** Name as merge variable: lower case letters, digits and `_`. */
    key: text('key').notNull(),
    label: text('label').notNull(),
    type: text('type').$type<FieldType>().notNull(),
    choices: text('choices').array().notNull().default([]),
    createdAt: instant('created_at').notNull(),
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.no] }),
    uniqueIndex('contact_fields_key')
      .on(table.workspaceId, table.key)
      .where(sql`deleted_at is null`),
  ],
)

/** Without a foreign key to the workspace, which would be checked for each row of an import (see deleteAccount). */
export const contacts = tenantTable(
  'contacts',
  {
    workspaceId: workspaceId(),
    id: identity(),
    email: text('email').notNull(),
    /** Equal for two spellings of one mailbox. */
    emailKey: text('email_key').notNull(),
    /** Mirrors the reason of the address's suppression, which decides. */
    status: text('status')
      .$type<'active' | 'unsubscribed' | 'bounced' | 'complained' | 'manual'>()
      .notNull()
      .default('active'),
    /** Values by field number. */
    fields: jsonb('fields').$type<Record<string, FieldValue>>().notNull().default({}),
    /** First and last name in lower case, in columns: an index of an expression is never read without the row. */
    firstNameKey: text('first_name_key').generatedAlwaysAs(nameKeySql(1)),
    lastNameKey: text('last_name_key').generatedAlwaysAs(nameKeySql(2)),
    timezone: text('timezone'),
    locale: text('locale'),
    tracking: text('tracking'),
    frequency: text('frequency'),
    /** No campaign is sent to the contact until then. */
    pausedUntil: instant('paused_until'),
    source: text('source').notNull(),
    importId: bigint('import_id', { mode: 'number' }),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    lastSentAt: instant('last_sent_at'),
    lastOpenAt: instant('last_open_at'),
    lastClickAt: instant('last_click_at'),
    lastReplyAt: instant('last_reply_at'),
    sentCount: integer('sent_count').notNull().default(0),
    /** Hashes of the last five addresses before this one. */
    oldAddressHashes: bytea('old_address_hashes').array().notNull().default([]),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    // It includes the id (migration 0014), so that a search by address reads no row.
    uniqueIndex('contacts_email').on(table.workspaceId, table.emailKey),
    index('contacts_domain').on(table.workspaceId, sql`split_part(email_key, '@', 2)`, table.id),
    index('contacts_first_name').on(table.workspaceId, table.firstNameKey, table.id),
    index('contacts_last_name').on(table.workspaceId, table.lastNameKey, table.id),
    // The sort by last activity, in the words of its statement.
    index('contacts_activity').on(
      table.workspaceId,
      sql`coalesce(greatest(last_reply_at, last_click_at, last_open_at, last_sent_at), '-infinity')`,
      table.id,
    ),
  ],
)

/** Proof of consent: by contact, or one row for all contacts of an import. */
export const consents = tenantTable(
  'consents',
  {
    workspaceId: ownWorkspaceId(),
    id: identity(),
    kind: text('kind').$type<'form' | 'import' | 'api' | 'manual' | 'preferences'>().notNull(),
    contactId: bigint('contact_id', { mode: 'number' }),
    importId: bigint('import_id', { mode: 'number' }),
    text: text('text').notNull(),
    createdBy: uuid('created_by'),
    at: instant('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    foreignKey({
      columns: [table.workspaceId, table.contactId],
      foreignColumns: [contacts.workspaceId, contacts.id],
    }).onDelete('cascade'),
    index('consents_contact').on(table.workspaceId, table.contactId),
    uniqueIndex('consents_import')
      .on(table.workspaceId, table.importId)
      .where(sql`import_id is not null`),
  ],
)

/**
 * Contacts whose live segments are to be evaluated, a row for each change: writers of one contact do not wait for each other,
 * and no change is lost to an evaluation that began before it.
 */
export const contactTouches = tenantTable(
  'contact_touches',
  { workspaceId: workspaceId(), id: identity(), contactId: bigint('contact_id', { mode: 'number' }).notNull() },
  (table) => [primaryKey({ columns: [table.workspaceId, table.id] })],
)

/** Salted hashes of erased addresses, to which nothing is sent again. */
export const erasedAddresses = tenantTable(
  'erased_addresses',
  {
    workspaceId: ownWorkspaceId(),
    addressHash: bytea('address_hash').notNull(),
    reason: text('reason').notNull(),
    at: instant('at').notNull(),
    /** Hashes of the person's earlier addresses, until these are removed from mails too. */
    oldAddressHashes: bytea('old_address_hashes').array().notNull().default([]),
    /** When the address was removed from the mails sent to it; null before. */
    removedAt: instant('removed_at'),
    /** Until then a process removes it. */
    leaseUntil: instant('lease_until'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.addressHash] }),
    // Few rows, however many addresses are erased.
    index('erased_addresses_pending')
      .on(table.workspaceId, table.at)
      .where(sql`removed_at is null`),
  ],
)

/** Actions on many contacts. */
export const bulkActions = tenantTable(
  'bulk_actions',
  {
    workspaceId: ownWorkspaceId(),
    id: identity(),
    kind: text('kind').notNull(),
    filter: jsonb('filter').notNull(),
    state: text('state').$type<'running' | 'done' | 'undoing' | 'undone' | 'failed'>().notNull(),
    done: integer('done').notNull().default(0),
    total: integer('total').notNull(),
    /** Last contact that is done. */
    afterId: bigint('after_id', { mode: 'number' }).notNull().default(0),
    leaseOwner: text('lease_owner'),
    leaseUntil: instant('lease_until'),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    uniqueIndex('bulk_actions_running')
      .on(table.workspaceId)
      .where(sql`state in ('running', 'undoing')`),
  ],
)

/** What a bulk action changed, for Undo. */
export const bulkActionChanges = tenantTable(
  'bulk_action_changes',
  {
    workspaceId: workspaceId(),
    actionId: bigint('action_id', { mode: 'number' }).notNull(),
    contactId: bigint('contact_id', { mode: 'number' }).notNull(),
    before: jsonb('before').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.actionId, table.contactId] }),
    foreignKey({
      columns: [table.workspaceId, table.actionId],
      foreignColumns: [bulkActions.workspaceId, bulkActions.id],
    }).onDelete('cascade'),
  ],
)
