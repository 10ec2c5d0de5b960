import { bigint, doublePrecision, index, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytea, instant } from './columns.ts'
import { localTable, referenceTable, tenantTable } from './table.ts'

/** Keys of the ring that sealed values of this database, each with a sealed check value. */
export const vaultKeys = referenceTable('vault_keys', {
  id: text('id').primaryKey(),
  checkSealed: bytea('check_sealed').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
})

/** Jumps of the database's clock that were corrected. */
export const clockJumps = localTable('clock_jumps', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  jumpMs: doublePrecision('jump_ms').notNull(),
  noticedAt: instant('noticed_at').notNull().defaultNow(),
})

/** Calls by Idempotency-Key with their responses. */
export const idempotencyKeys = tenantTable(
  'idempotency_keys',
  {
    /** The nil uuid for calls without a workspace. */
    workspaceId: uuid('workspace_id').notNull(),
    /** Operation and caller; the keys of different callers are independent. */
    scope: text('scope').notNull(),
    key: text('key').notNull(),
    /** HMAC of the request: another request under the same key is refused. */
    requestHash: bytea('request_hash').notNull(),
    /** Id of the resource that the call creates: a take-over uses the same id, so that it is created once. */
    token: uuid('token').notNull(),
    startedAt: instant('started_at').notNull().defaultNow(),
    state: text('state').$type<'started' | 'answered'>().notNull(),
    /** HTTP status and body; sealed, because responses may contain secrets. */
    answerSealed: bytea('answer_sealed'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.scope, table.key] }),
    uniqueIndex('idempotency_keys_token').on(table.workspaceId, table.token),
    index('idempotency_keys_started').on(table.startedAt),
  ],
)
