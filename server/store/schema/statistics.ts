import { integer, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { tenantTable } from './table.ts'

const deliveryCountColumns = {
  workspaceId: uuid('workspace_id').notNull(),
  mailboxId: uuid('config_id').notNull(),
  /**
   * Start of the quarter of an hour, because time zones differ by quarters: of the outcome, or of the acceptance while
   * it is pending.
   */
  quarterAt: instant('quarter_at').notNull(),
  sent: integer('sent').notNull(),
  failed: integer('failed').notNull(),
  waiting: integer('waiting').notNull(),
}

/** Deliveries of workspaces by state, for charts; complete together with `deliveryCountChanges`. */
export const deliveryCounts = tenantTable('delivery_counts', deliveryCountColumns, (table) => [
  primaryKey({ columns: [table.workspaceId, table.mailboxId, table.quarterAt] }),
])

/**
 * Changes of the counts by each statement on `deliveries`, written by its trigger in the same transaction: separate
 * rows, so that statements do not wait for each other. Added to `deliveryCounts` periodically.
 */
export const deliveryCountChanges = tenantTable('delivery_count_changes', deliveryCountColumns)
