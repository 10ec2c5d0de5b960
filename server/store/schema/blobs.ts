import { foreignKey, integer, primaryKey, text, uuid, bigint } from 'drizzle-orm/pg-core'
import { workspaces } from './accounts.ts'
import { bytea, instant } from './columns.ts'
import { tenantTable } from './table.ts'

/** Files of a workspace, each content once. */
export const blobs = tenantTable(
  'blobs',
  {
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    sha256: bytea('sha256').notNull(),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    contentType: text('content_type').notNull(),
    chunkCount: integer('chunk_count').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.sha256] })],
)

/** Bytes of a file in pieces of 1 MiB, numbered from 0. */
export const blobChunks = tenantTable(
  'blob_chunks',
  {
    workspaceId: uuid('workspace_id').notNull(),
    sha256: bytea('sha256').notNull(),
    no: integer('no').notNull(),
    bytes: bytea('bytes').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.sha256, table.no] }),
    foreignKey({
      columns: [table.workspaceId, table.sha256],
      foreignColumns: [blobs.workspaceId, blobs.sha256],
    }).onDelete('cascade'),
  ],
)
