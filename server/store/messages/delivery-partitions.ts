import type { Pool, PoolClient } from 'pg'
import { inTransaction } from '../core/database.ts'
import { testCountsSql } from '../statistics/statistics.ts'
import type { SystemScope } from '../../domain/auth/scope.ts'

/** Any number that no other program on the same database locks. */
const lockId = 7_369_022

/** Rows of a queue change within seconds: vacuum after 1 % of them, at full speed (engine.md, Vacuum). */
const storage = `
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01,
  autovacuum_analyze_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0`

/** Tables with a partition for each month, and how a partition is stored; `suffix` makes a day its first instant in UTC. */
const partitioned = [
  { table: 'deliveries', suffix: '', storage },
  { table: 'events', suffix: ' 00:00:00+00', storage: 'fillfactor = 95' },
  { table: 'address_deliveries', suffix: '', storage: 'fillfactor = 100' },
] as const

/**
 * Creates missing partitions of `deliveries`, `events` and `address_deliveries`: last month, this one and the next two, UTC,
 * and of `deliveries` that of `at`. To be called at each start and once a day. Does not block claims and accepts.
 */
export async function ensureDeliveryPartitions(pool: Pool, at: Date | null = null): Promise<void> {
  const client = await pool.connect()
  try {
    const missing = await listMissing(client, at)
    if (missing.length === 0) return
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [lockId])
    for (const { name, from, to, of } of await listMissing(client, at)) {
      // Attaching a table takes a weaker lock on the parent than creating it as a partition.
      await client.query(
        `create table ${name} (like ${of.table} including defaults including constraints) with (${of.storage})`,
      )
      await client.query(
        `alter table ${of.table} attach partition ${name} for values from ('${from}${of.suffix}') to ('${to}${of.suffix}')`,
      )
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined) // The first error says what happened.
    throw error
  } finally {
    client.release()
  }
}

/** A partition that is being read is dropped by a later run. */
const lockTimeout = '2s'
const messagesAtOnceCount = 5000

/**
 * Drops the months of `deliveries` older than `keepMonths`, and the messages without other deliveries. A month with
 * unfinished deliveries is kept. Returns the number of dropped months.
 */
export async function dropOldDeliveries(_system: SystemScope, pool: Pool, keepMonths: number): Promise<number> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'deliveries'::regclass and c.relname ~ '^deliveries_\\d{4}_\\d{2}$'
       and to_date(right(c.relname, 7), 'YYYY_MM') < date_trunc('month', now() at time zone 'utc') - make_interval(months => $1)
     order by c.relname`,
    [keepMonths],
  )
  let count = 0
  for (const { name } of rows) if (await dropMonth(pool, name)) count += 1
  if (count > 0) await deleteBareMessages(pool, keepMonths)
  return count
}

async function dropMonth(pool: Pool, name: string): Promise<boolean> {
  return inTransaction(pool, async ({ client }) => {
    await client.query(`set local lock_timeout = '${lockTimeout}'`)
    const waiting = await client.query(`select from ${name} where state in ('queued', 'deferred', 'sending') limit 1`)
    if (waiting.rowCount !== 0) return false
    // The counts stay; test mails are subtracted now, while their rows exist.
    await client.query(
      `insert into delivery_count_changes (workspace_id, config_id, quarter_at, sent, failed, waiting)
       ${testCountsSql('true', name, 'd.workspace_id, d.config_id, ')}`,
    )
    await client.query(`drop table ${name}`)
    return true
  })
}

/** In batches, to keep transactions short. */
async function deleteBareMessages(pool: Pool, keepMonths: number): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(
      `delete from messages where (workspace_id, id) in (
         select workspace_id, id from messages m
         where created_at < date_trunc('month', now()) - make_interval(months => $1)
           and not exists (select from deliveries d where d.workspace_id = m.workspace_id and d.message_id = m.id)
         limit ${messagesAtOnceCount}
       )`,
      [keepMonths],
    )
    if ((rowCount ?? 0) < messagesAtOnceCount) return
  }
}

interface Month {
  name: string
  from: string
  to: string
  of: (typeof partitioned)[number]
}

async function listMissing(client: PoolClient, at: Date | null): Promise<Month[]> {
  const { rows } = await client.query<{ table: string; name: string; from: string; to: string }>(
    `select "table", "table" || to_char(month, '_YYYY_MM') as name,
      to_char(month, 'YYYY-MM-DD') as "from", to_char(month + interval '1 month', 'YYYY-MM-DD') as "to"
    from (
      select "table", generate_series(
        date_trunc('month', now() at time zone 'utc') - interval '1 month',
        date_trunc('month', now() at time zone 'utc') + interval '2 months',
        interval '1 month'
      ) as month from unnest($1::text[]) as "table"
      union select 'deliveries', date_trunc('month', $2::timestamptz at time zone 'utc') where $2::timestamptz is not null
    ) as months
    where to_regclass("table" || to_char(month, '_YYYY_MM')) is null
    order by "table", month`,
    [partitioned.map(({ table }) => table), at],
  )
  return rows.flatMap((row) => partitioned.filter(({ table }) => table === row.table).map((of) => ({ ...row, of })))
}
