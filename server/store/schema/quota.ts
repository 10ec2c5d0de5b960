import { integer, primaryKey, smallint, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { tenantTable } from './table.ts'

/**
 * Sent mails of a mailbox, in buckets of one second for the limit per minute and of five minutes for the limit per day.
 * A bucket counts until its newest mail is outside the window.
 */
export const mailboxUsage = tenantTable(
  'mailbox_usage',
  {
    workspaceId: uuid('workspace_id').notNull(),
    mailboxId: uuid('config_id').notNull(),
    bucketSeconds: smallint('bucket_seconds').notNull(),
    bucketAt: instant('bucket_at').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.mailboxId, table.bucketSeconds, table.bucketAt] })],
)

/** Connection slots of mailboxes; a slot that is not renewed expires. */
export const mailboxSlots = tenantTable(
  'mailbox_slots',
  {
    workspaceId: uuid('workspace_id').notNull(),
    mailboxId: uuid('config_id').notNull(),
    /** The sender that holds the slots. */
    holder: uuid('holder').notNull(),
    count: smallint('count').notNull(),
    renewedAt: instant('renewed_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.mailboxId, table.holder] })],
)
