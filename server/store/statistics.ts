import type { Pool } from 'pg'
import type { DayCounts } from '../../contract/statistics.ts'
import { inTransaction } from './database.ts'

const timeoutMs = 5000
const queryCanceled = '57014'

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
          await client.query(`set local statement_timeout = ${timeoutMs}`)
          const { rows } = await client.query<DayCounts>({
            name: 'count-by-day',
            text,
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

// A mail may settle days after it was accepted: messages of a week before are looked at too, and months before them not.
const text = `
  with span as (
    select (now() at time zone $3)::date - $2::int + 1 as first_day, (now() at time zone $3)::date as last_day
  ), counted as (
    select (coalesce(d.settled_at, d.created_at) at time zone $3)::date as day,
      count(*) filter (where d.state = 'sent') as sent,
      count(*) filter (where d.state = 'failed') as failed,
      count(*) filter (where d.state in ('queued', 'sending', 'deferred')) as waiting
    from messages m join deliveries d on d.message_id = m.id
    where m.workspace_id = $1 and m.created_at > now() - make_interval(days => $2::int + 8)
      and d.month >= date_trunc('month', (now() - make_interval(days => $2::int + 8)) at time zone 'utc')::date
    group by 1
  )
  select to_char(listed.day, 'YYYY-MM-DD') as day, coalesce(sent, 0)::int as sent, coalesce(failed, 0)::int as failed,
    coalesce(waiting, 0)::int as waiting
  from span, lateral (
    select first_day + n as day from generate_series(0, last_day - first_day) n
  ) listed left join counted on counted.day = listed.day
  order by listed.day`
