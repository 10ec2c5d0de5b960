import type { MailboxUsageRow } from '../../domain/mailboxes/mailbox.ts'
import type { Queryable } from '../core/database.ts'
import type { Scope } from '../../domain/auth/scope.ts'

export type ConfigUsageStore = ReturnType<typeof createConfigUsage>

/** What mailboxes have used of their quotas, and what went wrong last, for their owners. */
export function createConfigUsage(pool: Queryable) {
  return {
    /** A page of a workspace's mailboxes, oldest first, with the count of all. */
    async list(
      { workspaceId }: Scope,
      page: { limit: number; offset: number },
    ): Promise<{ rows: MailboxUsageRow[]; total: number }> {
      const [{ rows }, totals] = await Promise.all([
        pool.query<MailboxUsageRow>({
          name: 'list-config-usage',
          text,
          values: [workspaceId, page.limit, page.offset],
        }),
        pool.query<{ total: number }>(
          'select count(*)::int as total from email_configs where workspace_id = $1 and deleted_at is null',
          [workspaceId],
        ),
      ])
      return { rows, total: totals.rows[0]?.total ?? 0 }
    },
  }
}

// Usage as claims count it (delivery-queue-text.ts): rather too many than too few.
const text = `
  select c.id, c.provider, c.email_address as "emailAddress", c.limit_per_minute as "limitPerMinute",
    c.limit_per_day as "limitPerDay", c.limit_connections as "limitConnections", used.minute as "minuteCount", used.day as "dayCount", trouble.reply as "errorReply",
    trouble.recipient as "errorRecipient", trouble.at as "errorAt"
  from (
    select * from email_configs where workspace_id = $1 and deleted_at is null order by created_at, id limit $2 offset $3
  ) c
    cross join lateral (
      select
        coalesce(sum(count) filter (where bucket_seconds = 1 and bucket_at > now() - interval '61 seconds'), 0)::int
          as minute,
        coalesce(sum(count) filter (where bucket_seconds = 300), 0)::int as day
      from mailbox_usage where config_id = c.id and bucket_at > now() - interval '24 hours 5 minutes'
    ) used
    left join lateral (
      select reply, recipient, coalesce(settled_at, created_at) as at from deliveries
      where config_id = c.id and state in ('failed', 'deferred')
        and month >= date_trunc('month', (now() - interval '7 days') at time zone 'utc')::date
      order by id desc limit 1
    ) trouble on trouble.reply is not null and trouble.at > now() - interval '7 days'
  order by c.created_at, c.id`
