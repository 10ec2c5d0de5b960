/** Due at this moment, whatever the mailbox says. */
const isDue = "d.state in ('queued', 'deferred') and d.next_attempt_at <= now()"

/** The longest a bucket of usage counts after its begin: the window, and its own length, for its youngest mail. */
const minuteWindow = "interval '61 seconds'"
const dayWindow = "interval '24 hours 5 minutes'"
/** Shortest wait for a quota: what is being sent uses it up at this moment, or was settled just now. */
const lookAgainMs = 50
/** Of `mailbox_usage`, in seconds: what counts by the minute, and by the day. */
const minuteBucket = 1
const dayBucket = 300

/**
 * Mailboxes with something due. Walks the index from one mailbox to the next, so its cost follows the mailboxes with work,
 * not the rows.
 */
export const listDueText = `
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
  select c.id, concat_ws('/', coalesce(c.limit_per_minute, 0), coalesce(c.limit_per_day, 0), coalesce(c.limit_connections, 0))
    as limits
  from waiting join email_configs c on c.id = waiting.config_id
  where c.deleted_at is null and (c.status = 'active' or c.id in (select id from resumed))
    and (
      exists (select from deliveries d where d.config_id = c.id and d.campaign_id is null and ${isDue})
      or exists (
        select from campaigns a where a.workspace_id = c.workspace_id and a.status = 'sending'
          and exists (select from deliveries d where d.config_id = c.id and d.campaign_id = a.id and ${isDue})
      )
    )`

/** A mailbox whose quota is about to be counted, and the time; none where another process counts it at this moment. */
export const lockMailboxText = `
  select (extract(epoch from clock_timestamp()) * 1000)::float8 as "atMs"
  from email_configs where id = $1 for no key update skip locked`

const settledPart = `
  given as (
    select * from unnest($1::date[], $2::bigint[], $3::uuid[], $4::text[], $5::text[], $6::int[], $7::boolean[], $8::float8[])
      as s (month, id, token, state, reply, attempted, is_counted, delay_ms)
  ), settled as (
    update deliveries d set
      state = s.state,
      reply = coalesce(s.reply, d.reply),
      attempts = d.attempts + s.attempted,
      next_attempt_at = case when s.state in ('queued', 'deferred')
        then now() + s.delay_ms * interval '1 millisecond' else d.next_attempt_at end,
      settled_at = case when s.state in ('queued', 'deferred') then null else now() end,
      lease_owner = null, lease_token = null, leased_at = null
    from given s
    where d.month = s.month and d.id = s.id and d.lease_token = s.token and d.state = 'sending'
    returning d.message_id, d.config_id, s.is_counted
  ), counted as (
    insert into mailbox_usage (config_id, bucket_seconds, bucket_at, count)
    select config_id, bucket.seconds, to_timestamp(floor(extract(epoch from now()) / bucket.seconds) * bucket.seconds),
      count(*)
    from settled cross join (values (${minuteBucket}), (${dayBucket})) as bucket (seconds)
    where is_counted
    group by config_id, bucket.seconds
    order by config_id, bucket.seconds
    on conflict (config_id, bucket_seconds, bucket_at) do update set count = mailbox_usage.count + excluded.count
  )`

/**
 * How many rows a claim may take of the mailbox. What is being sent counts as sent: when it is settled it moves into a
 * bucket in the same commit, so that at every instant it is counted, and from its claim until the window has passed after
 * its settling. A limit that cannot be read gives nothing.
 */
const roomPart = `
  mailbox as materialized (
    select id, workspace_id, coalesce(limit_per_minute, $14) as per_minute, coalesce(limit_per_day, $15) as per_day
    from email_configs where id = $9 and status = 'active' and deleted_at is null
  ), usage as materialized (
    select count(*) filter (where source = 0) as sending,
      coalesce(sum(amount) filter (where source = ${minuteBucket}), 0) as minute,
      min(bucket_at) filter (where source = ${minuteBucket}) + ${minuteWindow} as minute_at,
      coalesce(sum(amount) filter (where source = ${dayBucket}), 0) as day,
      min(bucket_at) filter (where source = ${dayBucket}) + ${dayWindow} as day_at
    from (
      select 0 as source, 1 as amount, null::timestamptz as bucket_at from deliveries
      where config_id = $9 and state = 'sending' and $13
      union all
      select bucket_seconds, count, bucket_at from mailbox_usage
      where config_id = $9 and $13
        and (bucket_seconds = ${minuteBucket} and bucket_at > now() - ${minuteWindow}
          or bucket_seconds = ${dayBucket} and bucket_at > now() - ${dayWindow})
    ) as used
  ), room as materialized (
    select per_minute is not null or per_day is not null as is_limited,
      case
        when per_minute is null and per_day is null then $12
        when not $13 then 0
        else greatest(0, least(
          $12, coalesce(per_minute - minute - sending, $12), coalesce(per_day - day - sending, $12)
        ))
      end as count,
      greatest(
        case when per_minute <= minute + sending then minute_at end,
        case when per_day <= day + sending then day_at end
      ) as free_at
    from mailbox cross join usage
  )`

// Materialised: the planner must not run the locking parts once per row of the update. Single sends come before campaigns,
// which take turns in an order that differs with each claim.
const claimedPart = `
  single as materialized (
    select d.month, d.id from deliveries d
    where d.config_id = $9 and d.campaign_id is null and ${isDue}
    order by d.campaign_id, d.next_attempt_at, d.id
    limit coalesce((select count from room), 0)
    for update skip locked
  ), sending as materialized (
    select a.id from mailbox join campaigns a on a.workspace_id = mailbox.workspace_id and a.status = 'sending'
    order by hashtext(a.id::text || $11::uuid::text)
  ), bulk as materialized (
    select due.month, due.id from sending cross join lateral (
      select d.month, d.id from deliveries d
      where d.config_id = $9 and d.campaign_id = sending.id and ${isDue}
      order by d.next_attempt_at, d.id
      limit coalesce((select count from room), 0)
      for update skip locked
    ) due
    limit coalesce((select count from room), 0) - (select count(*) from single)
  ), taken as materialized (
    select array_agg(month) as months, array_agg(id) as ids from (select * from single union all select * from bulk) as due
  ), claimed as (
    update deliveries d set state = 'sending', lease_owner = $10, lease_token = $11, leased_at = now()
    from taken cross join unnest(months, ids) as due (month, id) where d.month = due.month and d.id = due.id
    returning d.month, d.id, d.message_id, d.campaign_id, d.recipient, d.context, d.attempts
  )`

/**
 * Parameters: 1–8 what is settled, by columns; 9 mailbox, 10 owner, 11 token, 12 at most so many; 13 whether the mailbox is
 * locked, without which a quota is not counted and gives nothing; 14, 15 limits where the mailbox has none of its own.
 * The first row is about all, each further one is a claimed row.
 */
export const settleAndClaimText = `
  with ${settledPart}, ${roomPart}, ${claimedPart}
  select null as month, null::bigint as id, null::uuid as "messageId", null::uuid as "campaignId", null as recipient,
    null::jsonb as context, null::smallint as attempts,
    (select array_agg(distinct message_id) from settled) as "messageIds",
    coalesce((select is_limited from room), false) as "isLimited",
    (select case when is_limited and count = 0
      then greatest(${lookAgainMs}, coalesce(extract(epoch from free_at - now()) * 1000, 0)) end from room)::float8
      as "waitMs"
  union all
  select month::text, id, message_id, campaign_id, recipient, context, attempts, null, false, null from claimed`
