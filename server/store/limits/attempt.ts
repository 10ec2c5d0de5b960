import { attemptLimits, type AttemptKind, type Attempts, type Taken } from '../../domain/limits/attempt.ts'
import { inTransaction, type Database } from '../core/database.ts'
import type { Vault } from '../vault/vault.ts'

/** Limited attempts, stored in the database: the limits hold across processes and restarts. */
export function createAttemptStore({ pool }: Pick<Database, 'pool'>, vault: Pick<Vault, 'lookup'>): Attempts {
  const keyOf = (kind: AttemptKind, subject: string) => vault.lookup(`attempt\n${kind}\n${subject}`)

  return {
    async take(kind, subject): Promise<Taken> {
      const { count, windowMs } = attemptLimits[kind]
      const key = keyOf(kind, subject)
      return inTransaction(pool, async ({ client }) => {
        // Without the lock, two concurrent attempts could both take the last place.
        await client.query({ name: 'attempt-lock', text: lockSql, values: [key.toString('hex')] })
        const { rows } = await client.query<{ id: number | null; wait_ms: number }>({
          name: 'attempt-take',
          text: takeSql,
          values: [kind, key, windowMs / 1000, count],
        })
        const [{ id, wait_ms: waitMs } = { id: null, wait_ms: windowMs }] = rows
        return id === null ? { ok: false, retryAfterMs: Math.max(1000, waitMs) } : { ok: true, id }
      })
    },

    async giveBack(id) {
      await pool.query('delete from attempts where id = $1', [id])
    },

    async clear(kind, subject) {
      await pool.query('delete from attempts where kind = $1 and subject = $2', [kind, keyOf(kind, subject)])
    },
  }
}

const lockSql = 'select pg_advisory_xact_lock(hashtextextended($1, 0))'

/** Counts the attempts of the window, adds one if the limit is not reached, and deletes some that are older than any window. */
const takeSql = `
  with swept as (
    delete from attempts where id in (
      select id from attempts where at < now() - interval '1 day' order by id limit 100 for update skip locked
    )
  ), recent as (
    select count(*) as count, min(at) as first_at
    from attempts where kind = $1 and subject = $2 and at > now() - make_interval(secs => $3)
  ), taken as (
    insert into attempts (kind, subject) select $1, $2 from recent where count < $4 returning id
  )
  select
    (select id from taken) as id,
    (extract(epoch from first_at + make_interval(secs => $3) - now()) * 1000)::float8 as wait_ms
  from recent`
