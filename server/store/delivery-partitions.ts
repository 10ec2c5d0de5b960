import type { Pool, PoolClient } from 'pg'

/** Any number that no other program on the same database locks. */
const lockId = 7_369_022

/** Rows of a queue live for seconds: vacuum after one in a hundred, and at full speed (engine.md, Vacuum). */
const storage = `
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01,
  autovacuum_analyze_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0`

/**
 * Makes the months of `deliveries` that are missing: last month, this one and the next two, UTC. To be called at each
 * start and once a day. Claims and accepts go on meanwhile.
 */
export async function ensureDeliveryPartitions(pool: Pool): Promise<void> {
  const client = await pool.connect()
  try {
    const missing = await listMissing(client)
    if (missing.length === 0) return
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [lockId])
    for (const { name, from, to } of await listMissing(client)) {
      // Attaching a table locks the parent far less than making one as its partition does.
      await client.query(
        `create table ${name} (like deliveries including defaults including constraints) with (${storage})`,
      )
      await client.query(`alter table deliveries attach partition ${name} for values from ('${from}') to ('${to}')`)
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined) // The first error says what happened.
    throw error
  } finally {
    client.release()
  }
}

interface Month {
  name: string
  from: string
  to: string
}

async function listMissing(client: PoolClient): Promise<Month[]> {
  const { rows } = await client.query<Month>(`
    select to_char(month, '"deliveries_"YYYY_MM') as name,
      to_char(month, 'YYYY-MM-DD') as "from", to_char(month + interval '1 month', 'YYYY-MM-DD') as "to"
    from generate_series(
      date_trunc('month', now() at time zone 'utc') - interval '1 month',
      date_trunc('month', now() at time zone 'utc') + interval '2 months',
      interval '1 month'
    ) as month
    where to_regclass(to_char(month, '"deliveries_"YYYY_MM')) is null
    order by month`)
  return rows
}
