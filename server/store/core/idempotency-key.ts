import { idempotencyKeptHours as keptHours } from '../../../contract/core/limits.ts'
import type { Queryable } from './database.ts'
import type { Place, Vault } from '../vault/vault.ts'

/** A call with an Idempotency-Key. */
export interface RepeatableCall {
  /** Operation and caller; keys of different callers are independent. */
  scope: string
  /** Null for calls without a workspace. */
  workspaceId: string | null
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

/** Stands for no workspace in a key. */
const noWorkspace = '00000000-0000-0000-0000-000000000000'
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
    async claim({ scope, workspaceId, key, request }: RepeatableCall, newId: string): Promise<ClaimResult> {
      const requestHash = vault.lookup(request)
      const claimed = await pool.query<{ id: string }>({
        name: 'claim-idempotency-key',
        text: claimText,
        values: [scope, key, requestHash, newId, workspaceId ?? noWorkspace],
      })
      // A take-over continues under the same id, so that the resource is created once.
      const [mine] = claimed.rows
      if (mine) return { kind: 'mine', resourceId: mine.id, isRetry: mine.id !== newId }
      const { rows } = await pool.query<Row>(
        `select token as id, request_hash = $3 as "isSame", answer_sealed as "answerSealed"
         from idempotency_keys where workspace_id = $4 and scope = $1 and key = $2`,
        [scope, key, requestHash, workspaceId ?? noWorkspace],
      )
      const [row] = rows
      if (row && !row.isSame) return { kind: 'other' }
      if (!row?.answerSealed) return { kind: 'busy' }
      return { kind: 'answered', answer: JSON.parse(vault.open(row.answerSealed, placeOf(row.id))) as KeptAnswer }
    },

    /** Stores the response of a completed call. */
    async keep({ scope, workspaceId, key }: RepeatableCall, id: string, answer: KeptAnswer): Promise<void> {
      await pool.query({
        name: 'keep-idempotent-answer',
        text: `update idempotency_keys set state = 'answered', answer_sealed = $4
          where workspace_id = $5 and scope = $1 and key = $2 and token = $3`,
        values: [scope, key, id, vault.seal(JSON.stringify(answer), placeOf(id)), workspaceId ?? noWorkspace],
      })
    },

    /** Deletes a call that had no effect. */
    async forget({ scope, workspaceId, key }: RepeatableCall, id: string): Promise<void> {
      await pool.query(
        `delete from idempotency_keys where workspace_id = $4 and scope = $1 and key = $2 and token = $3 and state = 'started'`,
        [scope, key, id, workspaceId ?? noWorkspace],
      )
    },

    /** Lets the next attempt take over a call whose result is unknown. */
    async release({ scope, workspaceId, key }: RepeatableCall, id: string): Promise<void> {
      await pool.query(
        `update idempotency_keys set started_at = now() - interval '${takeOverSeconds} seconds'
         where workspace_id = $4 and scope = $1 and key = $2 and token = $3 and state = 'started'`,
        [scope, key, id, workspaceId ?? noWorkspace],
      )
    },

    /** Deletes expired calls. To be called periodically. */
    async prune(): Promise<void> {
      await pool.query(`delete from idempotency_keys where started_at < now() - interval '${keptHours} hours'`)
    },
  }
}

const claimText = `
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
