import { idempotencyKeptHours as keptHours } from '../../../contract/core/limits.ts'
import type { Queryable } from './database.ts'
import type { Place, Vault } from '../vault/vault.ts'
import type { Scope, SystemScope } from '../../domain/auth/scope.ts'

/** A call with an Idempotency-Key. */
export interface RepeatableCall {
  /** Operation and caller; the keys of different callers are independent. */
  caller: string
  key: string
  /** Serialized parameters and body; stored as an HMAC only. */
  request: string
}

/** A stored response. */
export interface KeptAnswer {
  status: number
  body: unknown
}

/**
 * Result of a claim. `mine`: run the call now and create its resource under `resourceId`; `isRetry`: an earlier attempt may
 * have completed. `answered`: done. `other`: another request used this key. `busy`: in progress.
 */
export type ClaimResult =
  | { kind: 'mine'; resourceId: string; isRetry: boolean }
  | { kind: 'answered'; answer: KeptAnswer }
  | { kind: 'other' | 'busy' }

interface Row {
  id: string
  isSame: boolean
  answerSealed: Buffer | null
}

/** Longer than any call takes: its process is dead. */
const takeOverSeconds = 60

const placeOf = (id: string): Place => ({
  table: 'idempotency_keys',
  column: 'answer_sealed',
  row: id,
  workspace: '',
})

export type IdempotencyKeys = ReturnType<typeof createIdempotencyKeys>

/** Calls by Idempotency-Key with their responses; kept for 24 hours. */
export function createIdempotencyKeys(pool: Queryable, vault: Pick<Vault, 'seal' | 'open' | 'lookup'>) {
  return {
    /** Claims a call atomically: of concurrent attempts one gets it. `newId`: id for the resource that it creates. */
    async claim({ workspaceId }: Scope, { caller, key, request }: RepeatableCall, newId: string): Promise<ClaimResult> {
      const requestHash = vault.lookup(request)
      const claimed = await pool.query<{ id: string }>({
        name: 'claim-idempotency-key',
        text: claimSql,
        values: [caller, key, requestHash, newId, workspaceId],
      })
      // A take-over continues under the same id, so that the resource is created once.
      const [mine] = claimed.rows
      if (mine) return { kind: 'mine', resourceId: mine.id, isRetry: mine.id !== newId }
      const { rows } = await pool.query<Row>(
        `select token as id, request_hash = $3 as "isSame", answer_sealed as "answerSealed"
         from idempotency_keys where workspace_id = $4 and scope = $1 and key = $2`,
        [caller, key, requestHash, workspaceId],
      )
      const [row] = rows
      if (row && !row.isSame) return { kind: 'other' }
      if (!row?.answerSealed) return { kind: 'busy' }
      return { kind: 'answered', answer: JSON.parse(vault.open(row.answerSealed, placeOf(row.id))) as KeptAnswer }
    },

    /** Stores the response of a completed call. */
    async keep(
      { workspaceId }: Scope,
      { caller, key }: Pick<RepeatableCall, 'caller' | 'key'>,
      id: string,
      answer: KeptAnswer,
    ): Promise<void> {
      await pool.query({
        name: 'keep-idempotent-answer',
        text: `update idempotency_keys set state = 'answered', answer_sealed = $4
          where workspace_id = $5 and scope = $1 and key = $2 and token = $3`,
        values: [caller, key, id, vault.seal(JSON.stringify(answer), placeOf(id)), workspaceId],
      })
    },

    /** Deletes a call that had no effect. */
    async forget(
      { workspaceId }: Scope,
      { caller, key }: Pick<RepeatableCall, 'caller' | 'key'>,
      id: string,
    ): Promise<void> {
      await pool.query(
        `delete from idempotency_keys where workspace_id = $4 and scope = $1 and key = $2 and token = $3 and state = 'started'`,
        [caller, key, id, workspaceId],
      )
    },

    /** Lets the next attempt take over a call whose result is unknown. */
    async release(
      { workspaceId }: Scope,
      { caller, key }: Pick<RepeatableCall, 'caller' | 'key'>,
      id: string,
    ): Promise<void> {
      await pool.query(
        `update idempotency_keys set started_at = now() - interval '${takeOverSeconds} seconds'
         where workspace_id = $4 and scope = $1 and key = $2 and token = $3 and state = 'started'`,
        [caller, key, id, workspaceId],
      )
    },

    /** Deletes expired calls. To be called periodically. */
    async prune(_system: SystemScope): Promise<void> {
      await pool.query(`delete from idempotency_keys where started_at < now() - interval '${keptHours} hours'`)
    },
  }
}

const claimSql = `
  insert into idempotency_keys as known (workspace_id, scope, key, request_hash, token, state)
  values ($5, $1, $2, $3, $4, 'started')
  on conflict (workspace_id, scope, key) do update set
    request_hash = excluded.request_hash,
    token = case when known.started_at < now() - interval '${keptHours} hours' then excluded.token else known.token end,
    state = 'started', answer_sealed = null, started_at = now()
  where known.started_at < now() - interval '${keptHours} hours'
    or (known.state = 'started' and known.request_hash = excluded.request_hash
      and known.started_at <= now() - interval '${takeOverSeconds} seconds')
  returning token as id`
