/** Lengths of the buckets of `mailbox_usage`, in seconds: for the limit per minute and the limit per day. */
export const minuteBucket = 1
export const dayBucket = 300
/** How long a bucket counts after its start: the window plus the bucket's length, for its newest mail. */
const minuteWindow = "interval '61 seconds'"
const dayWindow = "interval '24 hours 5 minutes'"

/** SQL expressions of a mailbox. `isCounted`: a condition without which nothing is read. */
interface MailboxSql {
  workspaceId: string
  mailboxId: string
  isCounted?: string
}

/**
 * Mails that count against a mailbox's quota: rows (source, amount, bucket_at). Source 0: a mail being sent; all
 * others: buckets, by their length. The write of an outcome moves a mail into its buckets in the same transaction, so
 * it counts from its claim until the window has passed.
 */
export const usedRowsSql = ({ workspaceId, mailboxId, isCounted = 'true' }: MailboxSql): string => `
  select 0 as source, 1 as amount, null::timestamptz as bucket_at from deliveries
  where workspace_id = ${workspaceId} and config_id = ${mailboxId} and state = 'sending' and ${isCounted}
  union all
  select bucket_seconds, count, bucket_at from mailbox_usage
  where workspace_id = ${workspaceId} and config_id = ${mailboxId} and ${isCounted}
    and (bucket_seconds = ${minuteBucket} and bucket_at > now() - ${minuteWindow}
      or bucket_seconds = ${dayBucket} and bucket_at > now() - ${dayWindow})`

/** The use of a mailbox's quota: mails of the last minute and day, and when the oldest of each stops counting. */
export const quotaUseSql = (mailbox: MailboxSql): string => `
  select coalesce(sum(amount) filter (where source in (0, ${minuteBucket})), 0) as minute,
    min(bucket_at) filter (where source = ${minuteBucket}) + ${minuteWindow} as minute_at,
    coalesce(sum(amount) filter (where source in (0, ${dayBucket})), 0) as day,
    min(bucket_at) filter (where source = ${dayBucket}) + ${dayWindow} as day_at
  from (${usedRowsSql(mailbox)}) as used`

/** JSON list of what counts against the limit per day, each with the time when it stops counting. */
export const usedOfDaySql = (mailbox: MailboxSql): string => `
  select json_agg(json_build_object('freeAtMs', extract(epoch from at + ${dayWindow}) * 1000, 'count', count) order by at)
    as list
  from (
    select coalesce(bucket_at, now()) as at, sum(amount) as count
    from (${usedRowsSql(mailbox)}) as used where source in (0, ${dayBucket}) group by 1
  ) as counted`
