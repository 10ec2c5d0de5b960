import { eventKinds } from '../../../contract/results/event.ts'
import { systemWorkspaceId } from '../mailboxes/mailbox.ts'
import { dayBucket, minuteBucket, quotaUseSql } from '../quota/mailbox-quota.sql.ts'

/** Due now, regardless of the mailbox's state. */
const isDue = "d.state in ('queued', 'deferred') and d.next_attempt_at <= now()"

/** Shortest wait for a quota that mails being sent have used up. */
const lookAgainMs = 50

/** Replies of a delivery that are kept. */
const attemptsKeptCount = 20

/**
 * Mailboxes with due deliveries. Skips through the index from mailbox to mailbox, so that its cost depends on the
 * mailboxes, not the rows.
 */
export const listDueSql = `
  with recursive resumed as (
    update email_configs set status = 'active', pause_reason = null, paused_until = null
    where status = 'paused' and paused_until <= now() and deleted_at is null
    returning id
  ), waiting as (
    (select config_id from deliveries where state in ('queued', 'deferred') order by config_id limit 1)
    union all
    select (
      select config_id from deliveries
      where state in ('queued', 'deferred') and config_id > waiting.config_id order by config_id limit 1
    ) from waiting where waiting.config_id is not null
  )
  select c.workspace_id as "workspaceId", c.id as "mailboxId",
    concat_ws('/', coalesce(c.limit_per_minute, 0), coalesce(c.limit_per_day, 0), coalesce(c.limit_connections, 0)) as limits
  from waiting join email_configs c on c.id = waiting.config_id
  where c.deleted_at is null and (c.status = 'active' or c.id in (select id from resumed))
    and (
      exists (select from deliveries d where d.config_id = c.id and d.campaign_id is null and ${isDue})
      or exists (
        select from campaigns a where a.workspace_id = c.workspace_id and a.status = 'sending'
          and exists (select from deliveries d where d.config_id = c.id and d.campaign_id = a.id and ${isDue})
      )
    )`

/** Locks a mailbox before its quota is counted, and reads the time; no row if another process holds the lock. */
export const lockMailboxSql = `
  select (extract(epoch from clock_timestamp()) * 1000)::float8 as "atMs"
  from email_configs where workspace_id = $1 and id = $2 for no key update skip locked`

const outcomesPart = `
  given as (
    select * from unnest($1::date[], $2::bigint[], $3::uuid[], $4::text[], $5::text[], $6::int[], $7::boolean[], $8::float8[],
      $16::uuid[]) as s (month, id, token, state, reply, attempted, is_counted, delay_ms, workspace_id)
  ), settled as (
    update deliveries d set
      state = s.state,
      reply = coalesce(s.reply, d.reply),
      attempt_replies = case
        when s.attempted = 0 or s.reply is null or (s.state = 'sent' and d.attempt_replies is null) then d.attempt_replies
        else (case when jsonb_array_length(d.attempt_replies) >= ${attemptsKeptCount} then d.attempt_replies - 0
          else coalesce(d.attempt_replies, '[]') end) || jsonb_build_object('at', now(), 'reply', s.reply) end,
      attempts = d.attempts + s.attempted,
      next_attempt_at = case when s.state in ('queued', 'deferred')
        then now() + s.delay_ms * interval '1 millisecond' else d.next_attempt_at end,
      settled_at = case when s.state in ('queued', 'deferred') then null else now() end,
      lease_owner = null, lease_token = null, leased_at = null
    from given s
    where d.workspace_id = s.workspace_id and d.month = s.month and d.id = s.id and d.lease_token = s.token and d.state = 'sending'
    returning d.workspace_id, d.month, d.id, d.message_id, d.config_id, s.is_counted, s.state
  ), noted as (
    -- One row for the digest, whatever the number of mails.
    insert into event_inbox (workspace_id, at, kind, delivery_month, delivery_ids)
    select workspace_id, now(), ${eventKinds.settled}, month, array_agg(id) from settled
    where state in ('sent', 'failed') and workspace_id <> '${systemWorkspaceId}' group by workspace_id, month
  ), counted as (
    insert into mailbox_usage (workspace_id, config_id, bucket_seconds, bucket_at, count)
    select workspace_id, config_id, bucket.seconds, to_timestamp(floor(extract(epoch from now()) / bucket.seconds) * bucket.seconds),
      count(*)
    from settled cross join (values (${minuteBucket}), (${dayBucket})) as bucket (seconds)
    where is_counted
    group by workspace_id, config_id, bucket.seconds
    order by workspace_id, config_id, bucket.seconds
    on conflict (workspace_id, config_id, bucket_seconds, bucket_at) do update set count = mailbox_usage.count + excluded.count
  )`

/** How many rows a claim may take of the mailbox. Without the lock, a mailbox with a limit gets none. */
const roomPart = `
  mailbox as materialized (
    select coalesce(limit_per_minute, $14) as per_minute, coalesce(limit_per_day, $15) as per_day
    from email_configs where workspace_id = $17 and id = $9 and status = 'active' and deleted_at is null
  ), usage as materialized (
    ${quotaUseSql({ workspaceId: '$17', mailboxId: '$9', isCounted: '$13' })}
  ), room as materialized (
    select per_minute is not null or per_day is not null as is_limited,
      case
        when per_minute is null and per_day is null then $12
        when not $13 then 0
        else greatest(0, least(
          $12, coalesce(per_minute - minute, $12), coalesce(per_day - day, $12)
        ))
      end as count,
      greatest(
        case when per_minute <= minute then minute_at end,
        case when per_day <= day then day_at end
      ) as free_at
    from mailbox cross join usage
  )`

// Materialized: the planner must not run the locking parts once per row of the update. Single sends come before
// campaigns, which are shuffled at each claim. The update joins by the whole key of the taken rows: with a constant
// workspace the planner would read all rows of the workspace until it has statistics.
const claimedPart = `
  single as materialized (
    select d.workspace_id, d.month, d.id from deliveries d
    where d.workspace_id = $17 and d.config_id = $9 and d.campaign_id is null and ${isDue}
    order by d.campaign_id, d.next_attempt_at, d.id
    limit coalesce((select count from room), 0)
    for update skip locked
  ), sending as materialized (
    select a.id from campaigns a where a.workspace_id = $17 and a.status = 'sending' and exists (select from mailbox)
    order by hashtext(a.id::text || $11::uuid::text)
  ), bulk as materialized (
    select due.workspace_id, due.month, due.id from sending cross join lateral (
      select d.workspace_id, d.month, d.id from deliveries d
      where d.workspace_id = $17 and d.config_id = $9 and d.campaign_id = sending.id and ${isDue}
      order by d.next_attempt_at, d.id
      limit coalesce((select count from room), 0)
      for update skip locked
    ) due
    limit coalesce((select count from room), 0) - (select count(*) from single)
  ), taken as materialized (
    select array_agg(workspace_id) as workspace_ids, array_agg(month) as months, array_agg(id) as ids
    from (select * from single union all select * from bulk) as due
  ), claimed as (
    update deliveries d set state = 'sending', lease_owner = $10, lease_token = $11, leased_at = now()
    from taken cross join unnest(workspace_ids, months, ids) as due (workspace_id, month, id)
    where d.workspace_id = due.workspace_id and d.month = due.month and d.id = due.id
    returning d.month, d.id, d.message_id, d.campaign_id, d.recipient, d.context, d.attempts
  )`

/**
 * Parameters: 1–8 outcomes, by columns; 9 mailbox, 10 owner, 11 token, 12 maximum number of rows; 13 whether the
 * mailbox is locked, else its quota is not counted and allows none; 14, 15 limits for a mailbox without its own; 16
 * workspaces of 1–8, 17 workspace of the mailbox. The first row is the summary, each further one a claimed row.
 */
export const writeOutcomesAndClaimSql = `
  with ${outcomesPart}, ${roomPart}, ${claimedPart}
  select null as month, null::bigint as id, null::uuid as "messageId", null::uuid as "campaignId", null as recipient,
    null::jsonb as context, null::smallint as attempts,
    (select array_agg(distinct message_id) from settled) as "messageIds",
    coalesce((select is_limited from room), false) as "isLimited",
    (select case when is_limited and count = 0
      then greatest(${lookAgainMs}, coalesce(extract(epoch from free_at - now()) * 1000, 0)) end from room)::float8
      as "waitMs"
  union all
  select month::text, id, message_id, campaign_id, recipient, context, attempts, null, false, null from claimed`
