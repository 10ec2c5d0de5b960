import type { Pool } from 'pg'
import { inTransaction } from '../../server/store/core/database.ts'
import { createEventRetentionStore } from '../../server/store/events/event-retention.ts'
import { systemScope } from '../../tests/support/scope.ts'
import type { Figure } from '../report.ts'

/** Of an old month. `EVENTS=100000000` takes about 20 GB of disk. */
export const monthCount = Number(process.env['EVENTS'] ?? 4_000_000)
const dropLimitMs = 1000
const bytesLimit = 230
const month = 'events_2020_01'

/** Adds a month that no workspace keeps any more; the indexes are built once its rows are there. */
export async function addMonth(pool: Pool, workspaceId: string): Promise<void> {
  await inTransaction(pool, async ({ client }) => {
    await client.query(`create table ${month} (like events)`)
    await client.query(
      `insert into ${month} (workspace_id, at, seq, kind, verdict, source_id, delivery_month, delivery_id, contact_id, agent_id)
       select $1, timestamptz '2020-01-01 00:00:00+00' + (n::float8 / $2) * interval '31 days', n, 1, 1, $1, '2020-01-01', n,
         1 + (n * 7919) % 1000000, 1 + n % 100
       from generate_series(0::bigint, $2::bigint - 1) as n`,
      [workspaceId, monthCount],
    )
    await client.query(
      `alter table events attach partition ${month} for values from ('2020-01-01 00:00:00+00') to ('2020-02-01 00:00:00+00')`,
    )
  })
  await pool.query(`vacuum analyze ${month}`)
}

/** The end of that month, as the product drops it. */
export async function dropFigures(pool: Pool): Promise<Omit<Figure, 'bench'>[]> {
  const { rows } = await pool.query<{ bytes: number }>('select pg_total_relation_size($1)::float8 as bytes', [month])
  const startedAt = performance.now()
  const droppedCount = await createEventRetentionStore({ pool }).dropMonths(systemScope)
  const dropMs = performance.now() - startedAt
  if (droppedCount !== 1) throw new Error(`${droppedCount} months were dropped`)
  return [
    {
      case: `dropping a month of ${monthCount} events`,
      value: dropMs,
      unit: 'ms',
      baseline: dropLimitMs,
      against: 'limit',
    },
    {
      case: 'an event of that month with all indexes',
      value: (rows[0]?.bytes ?? 0) / monthCount,
      unit: 'B',
      baseline: bytesLimit,
      against: 'limit',
    },
  ]
}
