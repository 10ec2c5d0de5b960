import { index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { SuppressionReason } from '../../../contract/audience/suppression.ts'
import { workspaces } from './accounts.ts'
import { instant } from './columns.ts'

/** Addresses that nothing of a workspace is sent to. */
export const suppressions = pgTable(
  'suppressions',
  {
    id: uuid('id').notNull(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** In lower case: the key under which an address is one address. */
    email: text('email').notNull(),
    reason: text('reason').$type<SuppressionReason>().notNull(),
    /** What the mail server said. */
    detail: text('detail'),
    campaignId: uuid('campaign_id'),
    /** Since when it is known: of one that was taken off and put back, the first time. */
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Since when the row stands as it does. */
    changedAt: instant('changed_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.email] }),
    uniqueIndex('suppressions_id').on(table.workspaceId, table.id),
    index('suppressions_list').on(table.workspaceId, table.createdAt, table.id),
    index('suppressions_changed').on(table.workspaceId, table.changedAt),
  ],
)
