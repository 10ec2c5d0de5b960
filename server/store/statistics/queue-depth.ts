import type { SystemScope } from '../../domain/auth/scope.ts'
import type { Pool } from 'pg'

/** Numbers of pending deliveries and of mailboxes. */
export interface QueueDepth {
  /** Unfinished deliveries by state; 0 for states without any. */
  states: { queued: number; deferred: number; sending: number }
  mailboxes: { active: number; paused: number }
  /** Due deliveries of active mailboxes, and the waiting time of the oldest. */
  dueCount: number
  oldestDueSeconds: number
  /** Deliveries that a restore has frozen. */
  frozenCount: number
}

/** Counts unfinished deliveries by the partial indexes: finished rows cost nothing. */
export async function readQueueDepth(_system: SystemScope, pool: Pick<Pool, 'query'>): Promise<QueueDepth> {
  const { rows } = await pool.query<{ depth: QueueDepth }>({ name: 'read-queue-depth', text: depthSql })
  const [row] = rows
  if (row === undefined) throw new Error('The queue could not be counted.')
  return row.depth
}

const depthSql = `
  with waiting as materialized (
    select config_id, state, count(*) as count,
      count(*) filter (where next_attempt_at <= now()) as due,
      min(next_attempt_at) as oldest,
      count(*) filter (where next_attempt_at > now() + interval '300 years') as frozen
    from deliveries where state in ('queued', 'deferred') group by config_id, state
  ), active as (
    select w.* from waiting w join email_configs c on c.id = w.config_id
    where c.deleted_at is null and (c.status = 'active' or c.paused_until <= now())
  ), boxes as (
    select count(*) filter (where status = 'active' or paused_until <= now()) as active, count(*) as all
    from email_configs where deleted_at is null
  )
  select json_build_object(
    'states', json_build_object(
      'queued', (select coalesce(sum(count), 0) from waiting where state = 'queued'),
      'deferred', (select coalesce(sum(count), 0) from waiting where state = 'deferred'),
      'sending', (select count(*) from deliveries where state = 'sending')),
    'mailboxes', (select json_build_object('active', active, 'paused', boxes.all - active) from boxes),
    'dueCount', (select coalesce(sum(due), 0) from active),
    'oldestDueSeconds',
      coalesce((select greatest(extract(epoch from now() - min(oldest)), 0) from active where due > 0), 0)::float8,
    'frozenCount', (select coalesce(sum(frozen), 0) from waiting)
  ) as depth`
