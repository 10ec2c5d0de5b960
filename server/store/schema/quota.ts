import { integer, pgTable, primaryKey, smallint, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/**
 * How much a mailbox has handed to its mail server, in buckets: of a second for what counts by the minute, of five minutes
 * for what counts by the day. A bucket counts until its youngest mail is out of the window.
 */
export const mailboxUsage = pgTable(
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

/** Connections that senders may open to a mailbox's server; what is not renewed is free again. */
export const mailboxSlots = pgTable(
  'mailbox_slots',
  {
    workspaceId: uuid('workspace_id').notNull(),
    mailboxId: uuid('config_id').notNull(),
    /** A sender's run of one mailbox. */
    holder: uuid('holder').notNull(),
    count: smallint('count').notNull(),
    renewedAt: instant('renewed_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.mailboxId, table.holder] })],
)
