import { index, jsonb, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { ownerWorkspaceId } from './accounts.ts'
import { bytea, instant } from './columns.ts'
import { tenantTable } from './table.ts'

/** Checks of messages before they are sent, kept for 30 days. */
export const deliverabilityChecks = tenantTable(
  'deliverability_checks',
  {
    workspaceId: ownerWorkspaceId(),
    id: uuid('id').notNull(),
    ownerKind: text('owner_kind').$type<'draft' | 'template' | 'campaign' | 'message'>().notNull(),
    ownerId: text('owner_id').notNull(),
    /** Of the checked content: another one makes the result outdated. */
    contentHash: bytea('content_hash').notNull(),
    configId: uuid('config_id'),
    state: text('state').$type<'running' | 'done'>().notNull(),
    /** State and findings of each part. */
    findings: jsonb('findings').notNull(),
    /** 0 to 100; null until the check is done. */
    score: smallint('score'),
    startedAt: instant('started_at').notNull(),
    finishedAt: instant('finished_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    index('deliverability_checks_age').on(table.startedAt),
  ],
)
