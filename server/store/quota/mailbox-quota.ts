import type { Listed, PageQuery } from '../../domain/core/page.ts'
import { afterValues, isAfter, sortAtColumn, toPage } from '../core/page.ts'
import type { Scope, SystemScope } from '../../domain/auth/scope.ts'
import type { MailboxUsageRow } from '../../domain/mailboxes/mailbox.ts'
import type { MailboxUse } from '../../domain/quota/forecast.ts'
import { countRows, type Queryable } from '../core/database.ts'
import { quotaUseSql, usedOfDaySql } from './mailbox-quota.sql.ts'

export type MailboxQuotaStore = ReturnType<typeof createMailboxQuota>

/** Use of mailboxes' quotas, for owners and estimates; claims count by the same SQL. */
export function createMailboxQuota(pool: Queryable) {
  return {
    /** A page of a workspace's mailboxes with their use and their last error, oldest first, and the total count. */
    async list({ workspaceId }: Scope, { limit, offset, after }: PageQuery): Promise<Listed<MailboxUsageRow>> {
      const [{ rows }, total] = await Promise.all([
        pool.query<MailboxUsageRow & { sortAt: string }>({
          name: 'list-mailbox-quotas',
          text: listSql,
          values: [workspaceId, ...afterValues(after), limit + 1, offset],
        }),
        countRows(pool, 'select count(*) from email_configs where workspace_id = $1 and deleted_at is null', [
          workspaceId,
        ]),
      ])
      return { ...toPage<MailboxUsageRow>(rows, limit), total }
    },

    /**
     * Use of these mailboxes and their pending deliveries, including those of `campaignIds` in any state. Omits deleted
     * mailboxes.
     */
    async read(
      { workspaceId }: Scope,
      mailboxIds: readonly string[],
      campaignIds: readonly string[],
    ): Promise<MailboxUse[]> {
      if (mailboxIds.length === 0) return []
      const { rows } = await pool.query<MailboxUse>({
        name: 'read-mailbox-quotas',
        text: readSql,
        values: [mailboxIds, campaignIds, workspaceId],
      })
      return rows
    },

    /** Deletes buckets that no longer count. To be called periodically. */
    async prune(_system: SystemScope): Promise<void> {
      await pool.query(
        `delete from mailbox_usage where bucket_seconds = 1 and bucket_at < now() - interval '10 minutes'
           or bucket_at < now() - interval '2 days'`,
      )
    },
  }
}

const mailbox = { workspaceId: 'c.workspace_id', mailboxId: 'c.id' }

const listSql = `
  select c.id, c.provider, c.email_address as "emailAddress", c.limit_per_minute as "limitPerMinute",
    c.limit_per_day as "limitPerDay", c.limit_connections as "limitConnections", used.minute::int as "minuteCount",
    used.day::int as "dayCount", trouble.reply as "errorReply", trouble.recipient as "errorRecipient",
    trouble.at as "errorAt", ${sortAtColumn('c.created_at')}
  from (
    select * from email_configs where workspace_id = $1 and deleted_at is null and ${isAfter('asc', 2)}
    order by created_at, id limit $4 offset $5
  ) c
    cross join lateral (${quotaUseSql(mailbox)}) used
    left join lateral (
      select reply, recipient, coalesce(settled_at, created_at) as at from deliveries
      where workspace_id = $1 and config_id = c.id and state in ('failed', 'deferred')
        and month >= date_trunc('month', (now() - interval '7 days') at time zone 'utc')::date
      order by id desc limit 1
    ) trouble on trouble.reply is not null and trouble.at > now() - interval '7 days'
  order by c.created_at, c.id`

const readSql = `
  select c.id as "mailboxId", c.provider, c.email_address as "emailAddress", c.limit_per_minute as "perMinuteCount",
    c.limit_per_day as "perDayCount", coalesce(used.list, '[]') as used, coalesce(waiting.list, '[]') as waiting
  from email_configs c
    left join lateral (${usedOfDaySql(mailbox)}) used on true
    left join lateral (
      select json_agg(json_build_object('campaignId', grouped.campaign_id, 'count', grouped.count,
        'isLeaving', grouped.campaign_id is null or a.status = 'sending')) as list
      from (
        select d.campaign_id, count(*) as count from deliveries d
        where d.workspace_id = c.workspace_id and d.config_id = c.id and d.state in ('queued', 'deferred')
          and (d.campaign_id is null or d.campaign_id = any($2::uuid[])
            or d.campaign_id in (select id from campaigns where workspace_id = c.workspace_id and status = 'sending'))
        group by d.campaign_id
      ) grouped left join campaigns a on a.workspace_id = c.workspace_id and a.id = grouped.campaign_id
    ) waiting on true
  where c.workspace_id = $3 and c.id = any($1::uuid[]) and c.deleted_at is null`
