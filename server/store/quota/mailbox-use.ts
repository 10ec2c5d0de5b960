import type { MailboxUse } from '../../domain/quota/forecast.ts'
import type { Queryable } from '../core/database.ts'

export type MailboxUseStore = ReturnType<typeof createMailboxUse>

/** What mailboxes have used of their quotas and what waits in their queues, for foretelling. */
export function createMailboxUse(pool: Queryable) {
  return {
    /** Of these mailboxes; those that are gone are left out. What waits of these campaigns is told in every state. */
    async read(mailboxIds: readonly string[], campaignIds: readonly string[]): Promise<MailboxUse[]> {
      if (mailboxIds.length === 0) return []
      const { rows } = await pool.query<MailboxUse>({
        name: 'read-mailbox-use',
        text: useText,
        values: [mailboxIds, campaignIds],
      })
      return rows
    },
  }
}

// As claims count it (delivery-queue-text.ts): what is being sent counts as sent now, and a bucket of the day until its
// youngest mail is out of the window.
const useText = `
  select c.id as "mailboxId", c.provider, c.email_address as "emailAddress", c.limit_per_minute as "perMinuteCount",
    c.limit_per_day as "perDayCount", coalesce(used.list, '[]') as used, coalesce(waiting.list, '[]') as waiting
  from email_configs c
    left join lateral (
      select json_agg(json_build_object('freeAtMs', extract(epoch from bucket_at + interval '24 hours 5 minutes') * 1000,
        'count', count) order by bucket_at) as list
      from (
        select bucket_at, count from mailbox_usage
        where config_id = c.id and bucket_seconds = 300 and bucket_at > now() - interval '24 hours 5 minutes'
        union all
        select now(), count(*) from deliveries where config_id = c.id and state = 'sending' having count(*) > 0
      ) counted
    ) used on true
    left join lateral (
      select json_agg(json_build_object('campaignId', grouped.campaign_id, 'count', grouped.count,
        'isLeaving', grouped.campaign_id is null or a.status = 'sending')) as list
      from (
        select d.campaign_id, count(*) as count from deliveries d
        where d.config_id = c.id and d.state in ('queued', 'deferred')
          and (d.campaign_id is null or d.campaign_id = any($2::uuid[])
            or d.campaign_id in (select id from campaigns where workspace_id = c.workspace_id and status = 'sending'))
        group by d.campaign_id
      ) grouped left join campaigns a on a.id = grouped.campaign_id
    ) waiting on true
  where c.id = any($1::uuid[]) and c.deleted_at is null`
