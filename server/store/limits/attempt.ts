import { and, eq } from '../core/drizzle.ts'
import { attemptLimits, type AttemptKind, type Attempts, type Taken } from '../../domain/limits/attempt.ts'
import { inTransaction, type Database } from '../core/database.ts'
import { attempts } from '../schema/limits.ts'
import type { Vault } from '../vault/vault.ts'

/** Attempts that are limited, in rows: the limits hold across processes and restarts. */
export function createAttemptStore(
  { orm, pool }: Pick<Database, 'orm' | 'pool'>,
  vault: Pick<Vault, 'lookup'>,
): Attempts {
  const keyOf = (kind: AttemptKind, subject: string) => vault.lookup(`attempt\n${kind}\n${subject}`)

  return {
    async take(kind, subject): Promise<Taken> {
      const { count, windowMs } = attemptLimits[kind]
      const key = keyOf(kind, subject)
      return inTransaction(pool, async ({ client }) => {
        // Else two at once would each find room for the last one.
        await client.query({ name: 'attempt-lock', text: lockText, values: [key.toString('hex')] })
        const { rows } = await client.query<{ id: number | null; wait_ms: number }>({
          name: 'attempt-take',
          text: takeText,
          values: [kind, key, windowMs / 1000, count],
        })
        const [{ id, wait_ms: waitMs } = { id: null, wait_ms: windowMs }] = rows
        return id === null ? { ok: false, retryAfterMs: Math.max(1000, waitMs) } : { ok: true, id }
      })
    },

    async giveBack(id) {
      await orm.delete(attempts).where(eq(attempts.id, id))
    },

    async clear(kind, subject) {
      await orm.delete(attempts).where(and(eq(attempts.kind, kind), eq(attempts.subject, keyOf(kind, subject))))
    },
  }
}

const lockText = 'select pg_advisory_xact_lock(hashtextextended($1, 0))'

/** Counts what lies within the window, adds one where there is room, and sweeps up some of what no window reaches. */
const takeText = `
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
