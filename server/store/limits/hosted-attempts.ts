import type { Pool } from 'pg'

/** Counts attempts in rows, so that the count holds across processes and restarts. */
export function createHostedAttempts(pool: Pick<Pool, 'query'>) {
  return {
    /**
     * Counts one attempt under a key, in windows that begin with their first attempt. Returns the time to wait in ms if
     * the limit is exceeded, else null.
     */
    async take(key: Buffer, limit: { count: number; windowSeconds: number }): Promise<number | null> {
      const { rows } = await pool.query<{ count: number; leftSeconds: number }>(
        `insert into hosted_attempts as known (key, count) values ($1, 1)
         on conflict (key) do update set
           count = case when known.started_at <= now() - make_interval(secs => $2) then 1 else known.count + 1 end,
           started_at = case when known.started_at <= now() - make_interval(secs => $2) then now() else known.started_at end
         returning count, extract(epoch from started_at - now())::float8 + $2 as "leftSeconds"`,
        [key, limit.windowSeconds],
      )
      const row = rows[0]
      return row !== undefined && row.count > limit.count ? Math.max(1, row.leftSeconds * 1000) : null
    },

    /** Removes one attempt that must not count. */
    async giveBack(key: Buffer): Promise<void> {
      await pool.query('update hosted_attempts set count = greatest(count - 1, 0) where key = $1', [key])
    },

    /** Resets the count after a success. */
    async forget(key: Buffer): Promise<void> {
      await pool.query('delete from hosted_attempts where key = $1', [key])
    },
  }
}
