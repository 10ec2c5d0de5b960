import { randomUUID } from 'node:crypto'
import { createStatisticsStore } from '../server/store/statistics/statistics.ts'
import { createArena } from './engine/arena.ts'
import { quantile, type Bench } from './report.ts'
import { scopeOf, systemScope } from '../tests/support/scope.ts'

const mailCount = 1_000_000
const runCount = 20
const days = 30

/** The queries of `GET /email/statistics` in a workspace with a million mails; runs only if named. */
export const statisticsBench: Bench = {
  name: 'statistics',
  title: `Counts by day of a workspace with ${mailCount} mails in ${days} days, median of ${runCount}`,
  isLong: true,
  async run() {
    await using arena = await createArena()
    const { pool } = arena.database
    const { rows } = await pool.query<{ id: string }>('select id from workspaces')
    const workspaceId = rows[0]?.id ?? ''
    await pool.query(
      `insert into deliveries (month, workspace_id, message_id, config_id, recipient, state, created_at, settled_at)
       select date_trunc('month', now() at time zone 'utc')::date, $1, $2, $2, 'person' || n || '@example.com', 'sent', at, at
       from generate_series(1, $3::int) as n, lateral (select now() - (n % 2880) * interval '15 minutes' as at) spread`,
      [workspaceId, randomUUID(), mailCount],
    )
    await pool.query('vacuum analyze deliveries')
    const statistics = createStatisticsStore(pool)
    await statistics.gather(systemScope)
    const median = async (work: () => Promise<unknown>, times: number) => {
      const taken: number[] = []
      for (let run = 0; run < times; run++) {
        const startedAt = performance.now()
        await work()
        taken.push(performance.now() - startedAt)
      }
      return quantile(taken, 0.5)
    }
    const value = await median(() => statistics.countByDay(scopeOf(workspaceId), days, 'Europe/Berlin'), runCount)
    const baseline = await median(() => pool.query(countRowsText, [workspaceId]), 3)
    return [{ case: 'counts by day', value, unit: 'ms', baseline, against: 'counting the rows' }]
  },
}

const countRowsText = `
  select date_trunc('day', coalesce(settled_at, created_at)) as day, count(*) filter (where state = 'sent') as sent
  from deliveries where workspace_id = $1 group by 1`
