import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { ownerWorkspaceId } from './accounts.ts'
import { blobs } from './blobs.ts'
import { bytea, instant } from './columns.ts'
import { tenantTable } from './table.ts'

/** Images of the media library, each file once. */
export const images = tenantTable(
  'images',
  {
    workspaceId: ownerWorkspaceId(),
    id: uuid('id').notNull(),
    /** Digest of the uploaded file, which itself is not kept; its first 128 bits are in the public address. */
    sha256: bytea('sha256').notNull(),
    name: text('name').notNull(),
    alt: text('alt').notNull().default(''),
    /** Pixels of the largest rendition. */
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull(),
    /** When it left the library; its address keeps answering. */
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    unique('images_file').on(table.workspaceId, table.sha256),
    index('images_list')
      .on(table.workspaceId, table.createdAt, table.id)
      .where(sql`deleted_at is null`),
  ],
)

/** What the public address serves, by width. */
export const imageRenditions = tenantTable(
  'image_renditions',
  {
    workspaceId: uuid('workspace_id').notNull(),
    /** Of the image. */
    sha256: bytea('sha256').notNull(),
    width: integer('width').notNull(),
    format: text('format').$type<'jpeg' | 'png' | 'gif'>().notNull(),
    renditionSha256: bytea('rendition_sha256').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.sha256, table.width, table.format] }),
    foreignKey({
      name: 'image_renditions_image',
      columns: [table.workspaceId, table.sha256],
      foreignColumns: [images.workspaceId, images.sha256],
    }).onDelete('cascade'),
    foreignKey({
      name: 'image_renditions_blob',
      columns: [table.workspaceId, table.renditionSha256],
      foreignColumns: [blobs.workspaceId, blobs.sha256],
    }).onDelete('cascade'),
    index('image_renditions_blob_index').on(table.workspaceId, table.renditionSha256),
  ],
)
