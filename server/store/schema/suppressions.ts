import { index, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { SuppressionReason } from '../../../contract/audience/suppression.ts'
import { ownerWorkspaceId } from './accounts.ts'
import { instant } from './columns.ts'
import { tenantTable } from './table.ts'

/** Addresses that a workspace does not send to. */
export const suppressions = tenantTable(
  'suppressions',
  {
    id: uuid('id').notNull(),
    workspaceId: ownerWorkspaceId(),
    /** In lower case, so that it is unique. */
    email: text('email').notNull(),
    reason: text('reason').$type<SuppressionReason>().notNull(),
    /** The mail server's reply. */
    detail: text('detail'),
    campaignId: uuid('campaign_id'),
    /** When the address was first suppressed; kept if it is removed and imported again. */
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Last change of the row. */
    changedAt: instant('changed_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.email] }),
    uniqueIndex('suppressions_id').on(table.workspaceId, table.id),
    index('suppressions_list').on(table.workspaceId, table.createdAt, table.id),
    index('suppressions_changed').on(table.workspaceId, table.changedAt),
  ],
)
