import { sql } from 'drizzle-orm'
import { bigint, boolean, foreignKey, index, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { MemberState } from '../../../contract/audience/segment-rule.ts'
import { workspaces } from './accounts.ts'
import { contacts } from './contacts.ts'
import { instant } from './columns.ts'
import { tenantTable } from './table.ts'

export const lists = tenantTable(
  'lists',
  {
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    /** Contacts see it and can join and leave it. */
    isPublic: boolean('is_public').notNull().default(false),
    doubleOptIn: boolean('double_opt_in').notNull().default(false),
    createdAt: instant('created_at').notNull(),
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    uniqueIndex('lists_name')
      .on(table.workspaceId, sql`lower(name)`)
      .where(sql`deleted_at is null`),
  ],
)

export const listMembers = tenantTable(
  'list_members',
  {
    workspaceId: uuid('workspace_id').notNull(),
    listId: bigint('list_id', { mode: 'number' }).notNull(),
    contactId: bigint('contact_id', { mode: 'number' }).notNull(),
    state: text('state').$type<MemberState>().notNull(),
    /** When the state began. */
    at: instant('at').notNull(),
    consentId: bigint('consent_id', { mode: 'number' }),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.listId, table.contactId] }),
    foreignKey({
      columns: [table.workspaceId, table.listId],
      foreignColumns: [lists.workspaceId, lists.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.workspaceId, table.contactId],
      foreignColumns: [contacts.workspaceId, contacts.id],
    }).onDelete('cascade'),
    index('list_members_contact').on(table.workspaceId, table.contactId),
  ],
)
