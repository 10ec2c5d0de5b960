import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { SegmentRule } from '../../../contract/audience/segment-rule.ts'
import { workspaces } from './accounts.ts'
import { contacts } from './contacts.ts'
import { instant } from './columns.ts'
import { tenantTable } from './table.ts'

export const segments = tenantTable(
  'segments',
  {
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    name: text('name').notNull(),
    rule: jsonb('rule').$type<SegmentRule>().notNull(),
    /** Grows with each change of the rule. */
    ruleVersion: integer('rule_version').notNull().default(1),
    /** Its members are kept in `segment_members`. */
    isLive: boolean('is_live').notNull().default(false),
    evaluatedAt: instant('evaluated_at'),
    /** When the members of a live segment are compared with all contacts next. */
    nextEvaluationAt: instant('next_evaluation_at'),
    memberCount: integer('member_count'),
    /** Duration of the last evaluation. */
    costMs: integer('cost_ms'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    uniqueIndex('segments_name')
      .on(table.workspaceId, sql`lower(name)`)
      .where(sql`deleted_at is null`),
    index('segments_live')
      .on(table.workspaceId, table.id)
      .where(sql`is_live and deleted_at is null`),
  ],
)

/** Contacts of live segments. */
export const segmentMembers = tenantTable(
  'segment_members',
  {
    workspaceId: uuid('workspace_id').notNull(),
    segmentId: bigint('segment_id', { mode: 'number' }).notNull(),
    contactId: bigint('contact_id', { mode: 'number' }).notNull(),
    since: instant('since').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.segmentId, table.contactId] }),
    foreignKey({
      columns: [table.workspaceId, table.segmentId],
      foreignColumns: [segments.workspaceId, segments.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.workspaceId, table.contactId],
      foreignColumns: [contacts.workspaceId, contacts.id],
    }).onDelete('cascade'),
    index('segment_members_contact').on(table.workspaceId, table.contactId),
  ],
)
