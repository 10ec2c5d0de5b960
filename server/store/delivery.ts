import type { Pool } from 'pg'
import type { ClaimedDelivery, LeasedDelivery, MessageVerdicts, Settlement } from '../domain/delivery.ts'

type Queryable = Pick<Pool, 'query'>

export type DeliveryStore = ReturnType<typeof createDeliveryStore>

/** A claim to be made: by whom, under which fencing token, for how many rows of which mailbox. */
export interface Claim {
  configId: string
  owner: string
  token: string
  limit: number
}

/**
 * The queue of deliveries. Whatever counts as time is the database's clock, which all processes share. The hot statements
 * are named, so that each connection plans them once.
 */
export function createDeliveryStore(pool: Queryable) {
  return {
    /**
     * Ends the pauses that are over, and lists the active mailboxes that have deliveries due. Walks the index from one
     * mailbox to the next, so its cost follows the mailboxes with work, not the rows.
     */
    async listDueMailboxes(): Promise<string[]> {
      const { rows } = await pool.query<{ id: string }>({ name: 'list-due-mailboxes', text: listDueText })
      return rows.map(({ id }) => id)
    },

    /**
     * Marks the oldest due rows of an active mailbox as being sent by `owner`. Gives none for a mailbox that is paused or
     * deleted. Rows that another process is claiming are passed over.
     */
    async claim({ configId, owner, token, limit }: Claim): Promise<ClaimedDelivery[]> {
      const { rows } = await pool.query<ClaimedDelivery>({
        name: 'claim-deliveries',
        text: claimText,
        values: [configId, owner, token, limit],
      })
      return rows.map((row) => ({ ...row, configId })).sort((a, b) => a.id - b.id)
    },

    /**
     * Lets rows go. A row whose claim is not the one named is left alone, so settling twice does no harm. Gives the
     * messages whose rows changed, each once.
     */
    async settle(settlements: readonly Settlement[]): Promise<string[]> {
      if (settlements.length === 0) return []
      const column = <T>(pick: (settlement: Settlement) => T) => settlements.map(pick)
      const { rows } = await pool.query<{ messageId: string }>({
        name: 'settle-deliveries',
        text: settleText,
        values: [
          column(({ month }) => month),
          column(({ id }) => id),
          column(({ token }) => token),
          column(({ state }) => state),
          column(({ reply }) => reply),
          column(({ isAttempt }) => (isAttempt ? 1 : 0)),
          column(({ delayMs }) => delayMs),
        ],
      })
      return [...new Set(rows.map(({ messageId }) => messageId))]
    },

    /** Rows that a sender holds by the database's word. */
    async listLeased(owner: string): Promise<LeasedDelivery[]> {
      const { rows } = await pool.query<LeasedDelivery>(
        `select month::text, id, message_id as "messageId", lease_token as token, attempts
         from deliveries where lease_owner = $1 and state = 'sending' order by id`,
        [owner],
      )
      return rows
    },

    /**
     * Sends back rows that were claimed without the claimer learning of it. The claims it knows are read only after the
     * instant from which on leases are left alone: a claim made meanwhile is never mistaken for a lost one.
     */
    async releaseLost(owners: readonly string[], readTokens: () => string[]): Promise<number> {
      const cutOff = await pool.query<{ at: string }>('select clock_timestamp()::text as at')
      const { rowCount } = await pool.query(
        `update deliveries set state = 'queued', lease_owner = null, lease_token = null, leased_at = null
         where lease_owner = any($1::uuid[]) and state = 'sending' and lease_token <> all($2::uuid[]) and leased_at < $3`,
        [owners, readTokens(), cutOff.rows[0]?.at],
      )
      return rowCount ?? 0
    },

    /**
     * Settles as unknown what a process holds that has not been back for so many hours: its journal knows better, but
     * nobody waits for ever.
     */
    async giveUpLeases(hours: number): Promise<number> {
      const { rowCount } = await pool.query(
        `update deliveries set state = 'unknown', settled_at = now(), attempts = attempts + 1,
           reply = 'The process that was sending this never came back',
           lease_owner = null, lease_token = null, leased_at = null
         where state = 'sending' and leased_at < now() - make_interval(hours => $1)`,
        [hours],
      )
      return rowCount ?? 0
    },

    /** Fails what is still waiting of a message, for one reason. */
    async failUnsent(messageId: string, reply: string): Promise<number> {
      const { rowCount } = await pool.query(
        `update deliveries set state = 'failed', settled_at = now(), reply = $2
         where message_id = $1 and state in ('queued', 'deferred')`,
        [messageId, reply],
      )
      return rowCount ?? 0
    },

    /** Cancels what a mailbox has not sent. What is being sent at this moment is settled as it comes. */
    async cancelUnsent(configId: string): Promise<number> {
      const { rowCount } = await pool.query(
        `update deliveries set state = 'cancelled', settled_at = now()
         where config_id = $1 and state in ('queued', 'deferred')`,
        [configId],
      )
      return rowCount ?? 0
    },

    /** Cancels what came back to the queue after its mailbox was deleted. */
    async cancelOrphans(): Promise<number> {
      const { rowCount } = await pool.query(
        `update deliveries set state = 'cancelled', settled_at = now()
         from email_configs where email_configs.id = deliveries.config_id and email_configs.deleted_at is not null
           and deliveries.state in ('queued', 'deferred')`,
      )
      return rowCount ?? 0
    },

    /** How a message stands, for whoever waits for a first word; null if there is no such message. */
    async readVerdicts(messageId: string): Promise<MessageVerdicts | null> {
      const { rows } = await pool.query<MessageVerdicts>({
        name: 'read-verdicts',
        text: verdictsText,
        values: [messageId],
      })
      return rows[0] ?? null
    },
  }
}

/** Due at this moment, whatever the mailbox says; of a campaign only while that is sending. */
const isDue = "d.state in ('queued', 'deferred') and d.next_attempt_at <= now()"

const listDueText = `
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
  select c.id from waiting join email_configs c on c.id = waiting.config_id
  where c.deleted_at is null and (c.status = 'active' or c.id in (select id from resumed))
    and (
      exists (select from deliveries d where d.config_id = c.id and d.campaign_id is null and ${isDue})
      or exists (
        select from campaigns a where a.workspace_id = c.workspace_id and a.status = 'sending'
          and exists (select from deliveries d where d.config_id = c.id and d.campaign_id = a.id and ${isDue})
      )
    )`

// Materialised: the planner must not run the locking parts once per row of the update. Single sends come before campaigns,
// which take turns in an order that differs with each claim.
const claimText = `
  with mailbox as materialized (
    select id, workspace_id from email_configs where id = $1 and status = 'active' and deleted_at is null
  ), single as materialized (
    select d.month, d.id from deliveries d
    where d.config_id = $1 and d.campaign_id is null and ${isDue} and exists (select from mailbox)
    order by d.next_attempt_at, d.id
    limit $4
    for update skip locked
  ), sending as materialized (
    select a.id from mailbox join campaigns a on a.workspace_id = mailbox.workspace_id and a.status = 'sending'
    order by hashtext(a.id::text || $3::uuid::text)
  ), bulk as materialized (
    select due.month, due.id from sending cross join lateral (
      select d.month, d.id from deliveries d
      where d.config_id = $1 and d.campaign_id = sending.id and ${isDue}
      order by d.next_attempt_at, d.id
      limit $4
      for update skip locked
    ) due
    limit $4 - (select count(*) from single)
  )
  update deliveries d set state = 'sending', lease_owner = $2, lease_token = $3, leased_at = now()
  from (select * from single union all select * from bulk) due where d.month = due.month and d.id = due.id
  returning d.month::text, d.id, d.message_id as "messageId", d.campaign_id as "campaignId", d.recipient, d.context,
    d.attempts`

const settleText = `
  update deliveries d set
    state = s.state,
    reply = coalesce(s.reply, d.reply),
    attempts = d.attempts + s.attempted,
    next_attempt_at = case when s.state in ('queued', 'deferred')
      then now() + s.delay_ms * interval '1 millisecond' else d.next_attempt_at end,
    settled_at = case when s.state in ('queued', 'deferred') then null else now() end,
    lease_owner = null, lease_token = null, leased_at = null
  from unnest($1::date[], $2::bigint[], $3::uuid[], $4::text[], $5::text[], $6::int[], $7::float8[])
    as s (month, id, token, state, reply, attempted, delay_ms)
  where d.month = s.month and d.id = s.id and d.lease_token = s.token and d.state = 'sending'
  returning d.message_id as "messageId"`

const verdictsText = `
  select
    count(d.id) filter (where d.state = 'queued')::int as "queuedCount",
    count(d.id) filter (where d.state = 'sending')::int as "sendingCount",
    count(d.id) filter (where d.state in ('sent', 'deferred', 'unknown'))::int as "takenCount",
    count(d.id) filter (where d.state in ('failed', 'cancelled', 'suppressed'))::int as "failedCount",
    (array_agg(d.reply order by d.settled_at desc) filter (where d.state = 'failed'))[1] as "failureReply",
    c.pause_reason as "pauseReason"
  from messages m
    left join deliveries d on d.message_id = m.id
    left join email_configs c on c.id = m.config_id and c.status = 'paused' and c.paused_until is null
  where m.id = $1
  group by m.id, c.pause_reason`
