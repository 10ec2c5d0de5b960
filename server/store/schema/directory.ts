import { index, text, uuid, integer } from 'drizzle-orm/pg-core'
import { bytea } from './columns.ts'
import { localTable } from './table.ts'

/** Every workspace and the shard group that holds its rows. */
export const workspaceDirectory = localTable('workspace_directory', {
  workspaceId: uuid('workspace_id').primaryKey(),
  /** A short number for keys outside the database. */
  no: integer('no').notNull().generatedAlwaysAsIdentity().unique(),
  shardGroup: integer('shard_group').notNull().default(0),
  state: text('state').$type<'active' | 'moving'>().notNull().default('active'),
})

/** Finds the workspace of a secret key by its HMAC, and of an embed by the SHA-256 of its id. */
export const keyDirectory = localTable(
  'key_directory',
  {
    lookupHash: bytea('lookup_hash').primaryKey(),
    workspaceId: uuid('workspace_id').notNull(),
    kind: text('kind').$type<'secret_key' | 'old_key' | 'embed'>().notNull(),
    /** Id of the mailbox or embed, as text. */
    objectId: text('object_id').notNull(),
  },
  (table) => [index('key_directory_object').on(table.workspaceId, table.objectId)],
)
