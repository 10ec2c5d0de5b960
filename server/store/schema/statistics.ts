import { integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

const deliveryCountColumns = {
  workspaceId: uuid('workspace_id').notNull(),
  mailboxId: uuid('config_id').notNull(),
  /** Begin of a quarter of an hour, by which time zones differ: when it was settled, or accepted where it still waits. */
  quarterAt: instant('quarter_at').notNull(),
  sent: integer('sent').notNull(),
  failed: integer('failed').notNull(),
  waiting: integer('waiting').notNull(),
}

/** How many deliveries of a workspace stand where, for charts. Counts once `deliveryCountChanges` is added. */
export const deliveryCounts = pgTable('delivery_counts', deliveryCountColumns, (table) => [
  primaryKey({ columns: [table.workspaceId, table.mailboxId, table.quarterAt] }),
])

/**
 * What each statement on `deliveries` has changed of the counts, written by its trigger in its own transaction: rows that
 * nobody waits for, added to `deliveryCounts` now and then.
 */
export const deliveryCountChanges = pgTable('delivery_count_changes', deliveryCountColumns)
