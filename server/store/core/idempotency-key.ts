import { idempotencyKeptHours as keptHours } from '../../../contract/core/limits.ts'
import type { Queryable } from './database.ts'
import type { Place, Vault } from '../vault/vault.ts'

/** A call that may be repeated: who makes it, under which key, and what it says. */
export interface RepeatableCall {
  /** Who calls what: keys of others are other keys. */
  scope: string
  key: string
  /** All that the call says, in words of its own; kept as an HMAC only. */
  request: string
}

/** What was answered. */
export interface KeptAnswer {
  status: number
  body: unknown
}

/**
 * How a call stands. `mine`: to be done now, making what it makes under `id`; `isAgain`: it may have been done before. `answered`: done. `other`: another call has
 * this key. `busy`: it is being done.
 */
export type Standing =
  { kind: 'mine'; id: string; isAgain: boolean } | { kind: 'answered'; answer: KeptAnswer } | { kind: 'other' | 'busy' }

interface Row {
  id: string
  isSame: boolean
  answerSealed: Buffer | null
}

/** No call takes as long: who began it is gone. */
const takeOverSeconds = 60

const placeOf = (id: string): Place => ({
  table: 'idempotency_keys',
  column: 'answer_sealed',
  row: id,
  workspace: '',
})

/** Calls by their Idempotency-Key, with what was answered; kept for 24 hours. */
export function createIdempotencyKeys(pool: Queryable, vault: Pick<Vault, 'seal' | 'open' | 'lookup'>) {
  return {
    /** Claims a call, or tells how it stands. Of any number that ask at a time, one gets it. `newId` for what it makes. */
    async claim({ scope, key, request }: RepeatableCall, newId: string): Promise<Standing> {
      const requestHash = vault.lookup(request)
      const claimed = await pool.query<{ id: string }>({
        name: 'claim-idempotency-key',
        text: claimText,
        values: [scope, key, requestHash, newId],
      })
      // Whoever takes over what another has left makes the same thing, under the same id: it comes about once.
      const [mine] = claimed.rows
      if (mine) return { kind: 'mine', id: mine.id, isAgain: mine.id !== newId }
      const { rows } = await pool.query<Row>(
        `select token as id, request_hash = $3 as "isSame", answer_sealed as "answerSealed"
         from idempotency_keys where scope = $1 and key = $2`,
        [scope, key, requestHash],
      )
      const [row] = rows
      if (row && !row.isSame) return { kind: 'other' }
      if (!row?.answerSealed) return { kind: 'busy' }
      return { kind: 'answered', answer: JSON.parse(vault.open(row.answerSealed, placeOf(row.id))) as KeptAnswer }
    },

    /** Keeps the answer of a call that is done. */
    async keep({ scope, key }: RepeatableCall, id: string, answer: KeptAnswer): Promise<void> {
      await pool.query({
        name: 'keep-idempotent-answer',
        text: `update idempotency_keys set state = 'answered', answer_sealed = $4
          where scope = $1 and key = $2 and token = $3`,
        values: [scope, key, id, vault.seal(JSON.stringify(answer), placeOf(id))],
      })
    },

    /** Forgets a call that did nothing. */
    async forget({ scope, key }: RepeatableCall, id: string): Promise<void> {
      await pool.query(
        `delete from idempotency_keys where scope = $1 and key = $2 and token = $3 and state = 'started'`,
        [scope, key, id],
      )
    },

    /** Lets the next one take over a call of which nobody knows whether it did something. */
    async release({ scope, key }: RepeatableCall, id: string): Promise<void> {
      await pool.query(
        `update idempotency_keys set started_at = now() - interval '${takeOverSeconds} seconds'
         where scope = $1 and key = $2 and token = $3 and state = 'started'`,
        [scope, key, id],
      )
    },

    /** Removes what is kept no longer. To be called now and then. */
    async prune(): Promise<void> {
      await pool.query(`delete from idempotency_keys where started_at < now() - interval '${keptHours} hours'`)
    },
  }
}

const claimText = `
  insert into idempotency_keys as known (scope, key, request_hash, token, state) values ($1, $2, $3, $4, 'started')
  on conflict (scope, key) do update set
    request_hash = excluded.request_hash,
    token = case when known.started_at < now() - interval '${keptHours} hours' then excluded.token else known.token end,
    state = 'started', answer_sealed = null, started_at = now()
  where known.started_at < now() - interval '${keptHours} hours'
    or (known.state = 'started' and known.request_hash = excluded.request_hash
      and known.started_at <= now() - interval '${takeOverSeconds} seconds')
  returning token as id`
