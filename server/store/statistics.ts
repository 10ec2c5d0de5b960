import type { Pool } from 'pg'
import type { DayCounts } from '../../contract/statistics.ts'
import { inTransaction } from './database.ts'

const timeoutMs = 5000
const queryCanceled = '57014'
/** From which part of all deliveries on it is cheaper to read all than to go by a workspace's messages. */
const wholePart = 0.2

/** Counts of deliveries for charts. */
export function createStatisticsStore(pool: Pool) {
  return {
    /**
     * Each of the last `days` days in a time zone, oldest first; what is not settled counts on the day it was accepted. Null
     * where it takes longer than five seconds.
     */
    async countByDay(workspaceId: string, days: number, timezone: string): Promise<DayCounts[] | null> {
      try {
        return await inTransaction(pool, async ({ client }) => {
          await client.query(`set local statement_timeout = ${timeoutMs}; set local work_mem = '32MB'`)
          const share = await client.query<{ part: number | null }>(shareText, [workspaceId])
          const isMost = (share.rows[0]?.part ?? 0) >= wholePart
          const { rows } = await client.query<DayCounts>({
            name: isMost ? 'count-by-day-of-most' : 'count-by-day',
            text: textOf(isMost ? allRows : messageRows),
            values: [workspaceId, days, timezone],
          })
          return rows
        })
      } catch (error) {
        if ((error as { code?: string }).code === queryCanceled) return null
        throw error
      }
    },
  }
}

/** As the last `ANALYZE` saw it: the part of a month's deliveries that are the workspace's, where it is among the largest. */
const shareText = `
  select max(freq)::float8 as part
  from pg_stats, unnest(most_common_vals::text::text[], most_common_freqs) as common (value, freq)
  where schemaname = current_schema() and tablename like 'deliveries\\_%' and attname = 'workspace_id' and value = $1`

// A mail may settle days after it was accepted: messages of a week before are looked at too, and months before them not.
const since = 'now() - make_interval(days => $2::int + 8)'
const messageRows = `messages m join deliveries d on d.message_id = m.id where m.workspace_id = $1 and m.created_at > ${since}`
const allRows = `deliveries d where d.workspace_id = $1 and d.created_at > ${since}`

/** Zones differ by quarters of an hour: rows are counted by those, and only what came of it is told in the zone. */
const textOf = (rows: string) => `
  with span as (
    select (now() at time zone $3)::date - $2::int + 1 as first_day, (now() at time zone $3)::date as last_day
  ), quarters as (
    select date_bin('15 minutes', coalesce(d.settled_at, d.created_at), 'epoch') as at,
      count(*) filter (where d.state = 'sent') as sent,
      count(*) filter (where d.state = 'failed') as failed,
      count(*) filter (where d.state in ('queued', 'sending', 'deferred')) as waiting
    from ${rows}
      and d.month >= date_trunc('month', (${since}) at time zone 'utc')::date
    group by 1
  ), counted as (
    select (at at time zone $3)::date as day, sum(sent) as sent, sum(failed) as failed, sum(waiting) as waiting
    from quarters group by 1
  )
  select to_char(listed.day, 'YYYY-MM-DD') as day, coalesce(sent, 0)::int as sent, coalesce(failed, 0)::int as failed,
    coalesce(waiting, 0)::int as waiting
  from span, lateral (
    select first_day + n as day from generate_series(0, last_day - first_day) n
  ) listed left join counted on counted.day = listed.day
  order by listed.day`
