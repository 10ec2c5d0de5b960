import { bigint, foreignKey, index, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { ownerWorkspaceId } from './accounts.ts'
import { blobs } from './blobs.ts'
import { bytea, instant } from './columns.ts'
import { tenantTable } from './table.ts'

/** Uploaded files that calls name by their id; kept for 7 days. */
export const uploads = tenantTable(
  'uploads',
  {
    workspaceId: ownerWorkspaceId(),
    id: uuid('id').notNull(),
    sha256: bytea('sha256').notNull(),
    filename: text('filename').notNull(),
    contentType: text('content_type').notNull(),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    foreignKey({
      name: 'uploads_blob',
      columns: [table.workspaceId, table.sha256],
      foreignColumns: [blobs.workspaceId, blobs.sha256],
    }).onDelete('cascade'),
    index('uploads_blob_index').on(table.workspaceId, table.sha256),
    index('uploads_expiry').on(table.expiresAt),
  ],
)

/** Files of messages, campaigns, templates and drafts, in their order. */
export const attachments = tenantTable(
  'attachments',
  {
    workspaceId: ownerWorkspaceId(),
    ownerKind: text('owner_kind')
      .$type<'draft' | 'template' | 'campaign' | 'variant' | 'sequence_mail' | 'message'>()
      .notNull(),
    /** The owner's id; `<user id>:<kind>` of a draft. */
    ownerId: text('owner_id').notNull(),
    position: smallint('position').notNull(),
    sha256: bytea('sha256').notNull(),
    filename: text('filename').notNull(),
    contentType: text('content_type').notNull(),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    /** Content-ID of an image that the body shows; null for a file of its own. */
    inlineId: text('inline_id'),
    /** When the row was written: what has no owner an hour later is deleted. */
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.ownerKind, table.ownerId, table.position] }),
    foreignKey({
      name: 'attachments_blob',
      columns: [table.workspaceId, table.sha256],
      foreignColumns: [blobs.workspaceId, blobs.sha256],
    }).onDelete('cascade'),
    index('attachments_blob_index').on(table.workspaceId, table.sha256),
  ],
)
