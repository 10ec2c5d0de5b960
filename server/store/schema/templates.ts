import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  foreignKey,
  index,
  json,
  jsonb,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { ownerUserId, ownerWorkspaceId } from './accounts.ts'
import { jsonArray, instant } from './columns.ts'
import { tenantTable } from './table.ts'

/** 20,000 characters without tags and without the contents of style, script and title. */
const bodyTextSql = sql.raw(
  String.raw`lower(left(replace(replace(regexp_replace(body, '<(?:(?:style|script|title)\M[^>]*>[^<]*|[^>]*>)', ' ', 'gi'), '&nbsp;', ' '), '&amp;', '&'), 20000))`,
)

/** Reusable subjects and bodies. */
export const templates = tenantTable(
  'templates',
  {
    id: uuid('id').notNull(),
    workspaceId: ownerWorkspaceId(),
    /** Identifies the template in send calls; never changes and is unique, also among hidden templates. */
    key: text('key').notNull(),
    /** Display name; if it is empty, lists show the subject. */
    name: text('name').notNull().default(''),
    subject: text('subject').notNull(),
    body: text('body').notNull(),
    /** The beginning of the body's text, approximately, in lower case: what a search of the content reads. */
    bodyText: text('body_text').notNull().generatedAlwaysAs(bodyTextSql),
    /** `text`, `design` or `html`; the first two have a design, from which the server renders `body`. */
    mode: text('mode').notNull().default('html'),
    design: jsonb('design'),
    preheader: text('preheader').notNull().default(''),
    /** Grows with each save. */
    revision: bigint('revision', { mode: 'number' }).notNull().default(1),
    tags: text('tags').array().notNull(),
    /** The workspace's embeds show it without a session. */
    isPublic: boolean('is_public').notNull().default(false),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    /** When it was hidden; the row is deleted after 30 days. */
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    uniqueIndex('templates_key').on(table.workspaceId, table.key),
    index('templates_list')
      .on(table.workspaceId, table.createdAt, table.id)
      .where(sql`deleted_at is null`),
    index('templates_deleted')
      .on(table.deletedAt)
      .where(sql`deleted_at is not null`),
  ],
)

/** The last 50 saved states of each template, the current one included. */
export const templateVersions = tenantTable(
  'template_versions',
  {
    workspaceId: uuid('workspace_id').notNull(),
    templateId: uuid('template_id').notNull(),
    revision: bigint('revision', { mode: 'number' }).notNull(),
    name: text('name').notNull(),
    subject: text('subject').notNull(),
    preheader: text('preheader').notNull(),
    mode: text('mode').notNull(),
    design: jsonb('design'),
    body: text('body').notNull(),
    tags: text('tags').array().notNull(),
    /** Who saved it; null for an embed. */
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.templateId, table.revision] }),
    foreignKey({
      name: 'template_versions_template',
      columns: [table.workspaceId, table.templateId],
      foreignColumns: [templates.workspaceId, templates.id],
    }).onDelete('cascade'),
  ],
)

/** Blocks of designs that are kept under a name, to be inserted into others as copies. */
export const savedBlocks = tenantTable(
  'saved_blocks',
  {
    workspaceId: ownerWorkspaceId(),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    name: text('name').notNull(),
    block: jsonb('block').notNull(),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.id] })],
)

/** Unfinished texts of users, one of each kind. JSON with the order of its keys. */
export const drafts = tenantTable(
  'drafts',
  {
    workspaceId: ownerWorkspaceId(),
    userId: ownerUserId(),
    kind: text('kind').notNull(),
    revision: bigint('revision', { mode: 'number' }).notNull(),
    content: json('content').notNull(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    /** Versions replaced by saves that were not based on them, newest first. */
    replaced: jsonArray('replaced').notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.userId, table.kind] })],
)
