import type { Queryable } from '../core/database.ts'

/** What a mailbox has used of its quota. */
export interface MailboxUsage {
  mailboxId: string
  /** Messages of the last minute and of the last 24 hours, those that are being sent included; rather too many than too few. */
  minuteCount: number
  dayCount: number
}

/** How much mailboxes have handed to their mail servers, as the claims count it. */
export function createMailboxUsage(pool: Queryable) {
  return {
    /** Usage of these mailboxes; one that has sent nothing stands there with zeros. */
    async read(mailboxIds: readonly string[]): Promise<MailboxUsage[]> {
      const { rows } = await pool.query<MailboxUsage>({
        name: 'read-mailbox-usage',
        text: `
          select asked.id as "mailboxId", (sending.count + used.minute)::int as "minuteCount",
            (sending.count + used.day)::int as "dayCount"
          from unnest($1::uuid[]) as asked (id) cross join lateral (
            select count(*) as count from deliveries where config_id = asked.id and state = 'sending'
          ) sending cross join lateral (
            select
              coalesce(sum(count) filter (where bucket_seconds = 1 and bucket_at > now() - interval '61 seconds'), 0)
                as minute,
              coalesce(sum(count) filter (where bucket_seconds = 300), 0) as day
            from mailbox_usage where config_id = asked.id and bucket_at > now() - interval '24 hours 5 minutes'
          ) used`,
        values: [mailboxIds],
      })
      return rows
    },

    /** Removes what counts no more. To be called now and then. */
    async prune(): Promise<void> {
      await pool.query(
        `delete from mailbox_usage where bucket_seconds = 1 and bucket_at < now() - interval '10 minutes'
           or bucket_at < now() - interval '2 days'`,
      )
    },
  }
}
