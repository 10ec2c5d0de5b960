import { bigint, boolean, foreignKey, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { workspaces } from './accounts.ts'
import { bytea, instant } from './columns.ts'
import { tenantTable } from './table.ts'

/** Imports of contacts from a file, with their progress. */
export const imports = tenantTable(
  'imports',
  {
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    fileSha256: bytea('file_sha256').notNull(),
    fileName: text('file_name').notNull(),
    fileSizeBytes: bigint('file_size_bytes', { mode: 'number' }).notNull(),
    /** Null until the file is complete. */
    encoding: text('encoding'),
    delimiter: text('delimiter'),
    hasHeader: boolean('has_header'),
    mapping: jsonb('mapping'),
    listId: bigint('list_id', { mode: 'number' }),
    consentId: bigint('consent_id', { mode: 'number' }),
    /** Source and wording of the consent, until the start writes its row. */
    consentText: text('consent_text'),
    mode: text('mode').$type<'add' | 'add_and_update'>().notNull().default('add_and_update'),
    state: text('state')
      .$type<
        | 'uploading'
        | 'mapping'
        | 'checking'
        | 'checked'
        | 'running'
        | 'done'
        | 'cancelled'
        | 'failed'
        | 'undoing'
        | 'undone'
      >()
      .notNull(),
    /** SHA-256 of the choices that were checked: a start with other ones is refused. */
    checkedSha256: bytea('checked_sha256'),
    byteOffset: bigint('byte_offset', { mode: 'number' }).notNull().default(0),
    line: bigint('line', { mode: 'number' }).notNull().default(0),
    added: integer('added').notNull().default(0),
    updated: integer('updated').notNull().default(0),
    unchanged: integer('unchanged').notNull().default(0),
    refused: integer('refused').notNull().default(0),
    suppressed: integer('suppressed').notNull().default(0),
    repeated: integer('repeated').notNull().default(0),
    empty: integer('empty').notNull().default(0),
    /** Contacts that taking it back could not restore. */
    kept: integer('kept').notNull().default(0),
    leaseOwner: text('lease_owner'),
    leaseUntil: instant('lease_until'),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull(),
    finishedAt: instant('finished_at'),
    error: text('error'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    index('imports_list').on(table.workspaceId, table.createdAt.desc()),
  ],
)

/** What an import changed, for taking it back within 30 days. */
export const importOverwrites = tenantTable(
  'import_overwrites',
  {
    workspaceId: uuid('workspace_id').notNull(),
    importId: bigint('import_id', { mode: 'number' }).notNull(),
    contactId: bigint('contact_id', { mode: 'number' }).notNull(),
    /** The values before and after; null for a new contact. */
    before: jsonb('before'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.importId, table.contactId] }),
    foreignKey({
      columns: [table.workspaceId, table.importId],
      foreignColumns: [imports.workspaceId, imports.id],
    }).onDelete('cascade'),
  ],
)

/** Rows that an import refused, kept for 30 days. */
export const importRefusals = tenantTable(
  'import_refusals',
  {
    workspaceId: uuid('workspace_id').notNull(),
    importId: bigint('import_id', { mode: 'number' }).notNull(),
    line: bigint('line', { mode: 'number' }).notNull(),
    reason: text('reason').notNull(),
    cells: text('cells').array().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.importId, table.line] }),
    foreignKey({
      columns: [table.workspaceId, table.importId],
      foreignColumns: [imports.workspaceId, imports.id],
    }).onDelete('cascade'),
  ],
)

/** Log of exports; their files are streamed and not kept. */
export const exportLog = tenantTable(
  'exports',
  {
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    kind: text('kind').notNull(),
    filter: jsonb('filter').notNull(),
    state: text('state').$type<'running' | 'done' | 'failed'>().notNull(),
    rowCount: integer('row_count'),
    requestedBy: uuid('requested_by'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.id] })],
)
