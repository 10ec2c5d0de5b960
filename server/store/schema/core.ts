import { bigint, doublePrecision, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytea, instant } from './columns.ts'

/** Which keys of the ring have sealed something here, each with a sealed check value. */
export const vaultKeys = pgTable('vault_keys', {
  id: text('id').primaryKey(),
  checkSealed: bytea('check_sealed').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
})

/** How far the database's clock has jumped, each time that a process has noticed and made up for it. */
export const clockJumps = pgTable('clock_jumps', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  jumpMs: doublePrecision('jump_ms').notNull(),
  noticedAt: instant('noticed_at').notNull().defaultNow(),
})

/** Calls that may be repeated, by their Idempotency-Key, with what was answered. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** The nil uuid for calls without a workspace. */
    workspaceId: uuid('workspace_id').notNull(),
    /** Who called what: keys of others are other keys. */
    scope: text('scope').notNull(),
    key: text('key').notNull(),
    /** HMAC of the call: another one under the same key is refused. */
    requestHash: bytea('request_hash').notNull(),
    /** Names what the call makes: whoever takes it over makes it under the same, so that it comes about once. */
    token: uuid('token').notNull(),
    startedAt: instant('started_at').notNull().defaultNow(),
    state: text('state').$type<'started' | 'answered'>().notNull(),
    /** HTTP status and body; sealed, for answers may hold secrets. */
    answerSealed: bytea('answer_sealed'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.scope, table.key] }),
    uniqueIndex('idempotency_keys_token').on(table.workspaceId, table.token),
    index('idempotency_keys_started').on(table.startedAt),
  ],
)
