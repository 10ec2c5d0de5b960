import type { Pool } from 'pg'
import { statisticsMaxDays } from '../../../contract/results/statistics.limits.ts'
import { eventKinds, verdicts } from '../../../contract/results/event.ts'
import type { DayCounts } from '../../../contract/results/statistics.ts'
import type { Scope, SystemScope } from '../../domain/auth/scope.ts'

/** Counts are kept for the longest chart and a margin for time zones. */
const keptDays = statisticsMaxDays + 10
/** Changes are added in batches, to keep transactions short. */
const gatheredAtOnceCount = 10_000

export type StatisticsStore = ReturnType<typeof createStatisticsStore>

/**
 * Counts of deliveries for charts. Triggers on `deliveries` write them in the transaction of each change, so that they
 * are correct after a crash; dropped months stay counted.
 */
export function createStatisticsStore(pool: Pool) {
  return {
    /**
     * The last `days` days in a time zone, oldest first. A pending delivery counts on the day it was accepted; drafts
     * and test mails do not count.
     */
    async countByDay({ workspaceId }: Scope, days: number, timezone: string): Promise<DayCounts[]> {
      const { rows } = await pool.query<DayCounts>({
        name: 'count-by-day',
        text: countSql,
        values: [workspaceId, days, timezone],
      })
      return rows
    },

    /** Adds new changes to the counts. To be called every few seconds. */
    async gather(_system: SystemScope): Promise<void> {
      for (;;) {
        const { rows } = await pool.query<{ count: number }>({
          name: 'gather-counts',
          text: gatherSql,
          values: [gatheredAtOnceCount],
        })
        if ((rows[0]?.count ?? 0) < gatheredAtOnceCount) return
      }
    },

    /** Deletes counts that are too old to be requested. To be called periodically. */
    async prune(_system: SystemScope): Promise<void> {
      await pool.query('delete from delivery_counts where quarter_at < now() - make_interval(days => $1::int)', [
        keptDays,
      ])
    },
  }
}

// Concurrent processes take different rows; one order prevents deadlocks.
const gatherSql = `
  with taken as (
    delete from delivery_count_changes
    where ctid = any(array(select ctid from delivery_count_changes limit $1::int for update skip locked))
    returning workspace_id, config_id, quarter_at, sent, failed, waiting
  ), added as (
    insert into delivery_counts as kept (workspace_id, config_id, quarter_at, sent, failed, waiting)
    select workspace_id, config_id, quarter_at, sum(sent), sum(failed), sum(waiting)
    from taken group by workspace_id, config_id, quarter_at
    order by workspace_id, config_id, quarter_at
    on conflict (workspace_id, config_id, quarter_at) do update set
      sent = kept.sent + excluded.sent, failed = kept.failed + excluded.failed, waiting = kept.waiting + excluded.waiting
  )
  select count(*)::int as count from taken`

/** Query for the negated counts of test mails; `where` selects among messages `m` and deliveries `d`. */
export const testCountsSql = (where: string, deliveries = 'deliveries', columns = ''): string => `
    select ${columns}date_bin('15 minutes', coalesce(d.settled_at, d.created_at), 'epoch') as quarter_at,
      -count(*) filter (where d.state = 'sent'), -count(*) filter (where d.state = 'failed'),
      -count(*) filter (where d.state in ('queued', 'sending', 'deferred'))
    from messages m join ${deliveries} d on d.workspace_id = m.workspace_id and d.message_id = m.id
    where m.is_test and ${where}
    group by ${columns}quarter_at`

/** Acts of people that are counted by day. */
const actNames = ['opened', 'clicked', 'replied', 'bounced', 'unsubscribed'] as const

// Recipients of drafts are in the queue but not pending: they wait for a launch. In every time zone a quarter of an
// hour lies within one day.
const countSql = `
  with span as (
    select (now() at time zone $3)::date - $2::int + 1 as first_day, (now() at time zone $3)::date as last_day
  ), quarters as (
    select quarter_at, sent, failed, waiting from delivery_counts
    where workspace_id = $1 and quarter_at >= now() - make_interval(days => $2::int + 2)
    union all
    select quarter_at, sent, failed, waiting from delivery_count_changes where workspace_id = $1
    union all
    select date_bin('15 minutes', d.created_at, 'epoch'), 0, 0, -count(*)
    from campaigns c join messages m on m.workspace_id = $1 and m.campaign_id = c.id
      join deliveries d on d.workspace_id = $1 and d.message_id = m.id
    where c.workspace_id = $1 and c.status = 'draft' and d.state = 'queued'
    group by 1
    union all
    ${testCountsSql('m.workspace_id = $1 and m.created_at >= now() - make_interval(days => $2::int + 10)')}
  ), counted as (
    select (quarter_at at time zone $3)::date as day, sum(sent) as sent, sum(failed) as failed, sum(waiting) as waiting
    from quarters group by 1
  ), acts as (
    select (quarter_at at time zone $3)::date as day,
      ${actNames.map((name) => `sum(people) filter (where kind = ${eventKinds[name]}) as ${name}`).join(', ')}
    from event_counts
    where workspace_id = $1 and quarter_at >= now() - make_interval(days => $2::int + 2)
      and verdict = ${verdicts.human} and kind in (${actNames.map((name) => eventKinds[name]).join(', ')})
    group by 1
  ), returned as (
    -- Mails that a server took and that came back afterwards.
    select (e.bounced_at at time zone $3)::date as day, count(*) as count
    from engagements e join deliveries d on d.workspace_id = $1 and d.month = e.delivery_month and d.id = e.delivery_id
    where e.workspace_id = $1 and e.bounced_at >= now() - make_interval(days => $2::int + 2) and d.state = 'sent'
    group by 1
  )
  select to_char(listed.day, 'YYYY-MM-DD') as day, coalesce(sent, 0)::int as sent, coalesce(failed, 0)::int as failed,
    coalesce(waiting, 0)::int as waiting, greatest(0, coalesce(sent, 0) - coalesce(returned.count, 0))::int as delivered,
    ${actNames.map((name) => `coalesce(acts.${name}, 0)::int as ${name}`).join(', ')}
  from span, lateral (
    select first_day + n as day from generate_series(0, last_day - first_day) n
  ) listed
    left join counted on counted.day = listed.day
    left join acts on acts.day = listed.day
    left join returned on returned.day = listed.day
  order by listed.day`
