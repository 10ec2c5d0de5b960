import { bigint, date, foreignKey, index, primaryKey, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { ownerWorkspaceId } from '../accounts.ts'
import { instant } from '../columns.ts'
import { contacts } from '../contacts.ts'
import { messages } from '../messages.ts'
import { localTable, tenantTable } from '../table.ts'

/** Links of messages whose clicks are counted; numbers are unique within a campaign. */
export const trackedLinks = tenantTable(
  'tracked_links',
  {
    workspaceId: uuid('workspace_id').notNull(),
    messageId: uuid('message_id').notNull(),
    no: smallint('no').notNull(),
    url: text('url').notNull(),
    /** Text of the link. */
    label: text('label'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.messageId, table.no] }),
    foreignKey({
      columns: [table.workspaceId, table.messageId],
      foreignColumns: [messages.workspaceId, messages.id],
    }).onDelete('cascade'),
  ],
)

/** Hosts of the workspace's own links. */
export const trackingDomains = tenantTable(
  'tracking_domains',
  {
    workspaceId: ownerWorkspaceId(),
    id: uuid('id').notNull(),
    host: text('host').notNull(),
    state: text('state').$type<'pending' | 'active' | 'failing'>().notNull().default('pending'),
    createdAt: instant('created_at').notNull().defaultNow(),
    checkedAt: instant('checked_at'),
    failingSince: instant('failing_since'),
    /** Why the last check failed. */
    error: text('error'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    uniqueIndex('tracking_domains_host').on(table.workspaceId, table.host),
    index('tracking_domains_due').on(table.checkedAt),
  ],
)

/** The claim of one workspace on a domain, in the whole deployment. */
export const verifiedDomains = localTable('verified_domains', {
  domain: text('domain').primaryKey(),
  workspaceId: ownerWorkspaceId(),
  token: text('token').notNull(),
  /** Null until its DNS record was found. */
  verifiedAt: instant('verified_at'),
  checkedAt: instant('checked_at'),
})

/** Campaigns reserved for contacts that want one a week. */
export const frequencyUse = tenantTable(
  'frequency_use',
  {
    workspaceId: ownerWorkspaceId(),
    contactId: bigint('contact_id', { mode: 'number' }).notNull(),
    /** Its Monday, in the workspace's time zone. */
    week: date('week', { mode: 'string' }).notNull(),
    count: smallint('count').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.contactId, table.week] }),
    foreignKey({
      columns: [table.workspaceId, table.contactId],
      foreignColumns: [contacts.workspaceId, contacts.id],
    }).onDelete('cascade'),
  ],
)
