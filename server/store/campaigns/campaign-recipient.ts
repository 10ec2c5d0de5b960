import type { Pool } from 'pg'
import { variableKey, type MergeContext } from '../../../contract/mail/merge-variables.ts'
import { endedStates } from '../../domain/campaigns/campaign-state.ts'
import type { CampaignRecipient, CampaignStatus } from '../../domain/campaigns/campaign.ts'
import { addressHashSql } from './audience.sql.ts'
import { monthNowSql } from '../messages/accept.sql.ts'
import { inTransaction } from '../core/database.ts'
import { erasedHashSql, erasedRecipient } from '../suppressions/erased-address.sql.ts'
import { isSuppressedSql } from '../suppressions/suppression.ts'
import { nextStateSql, stateList } from './campaign-state.sql.ts'
import type { Scope } from '../../domain/auth/scope.ts'

/** Result of adding recipients. */
export interface Added {
  addedCount: number
  /** Of these, the suppressed and the erased ones. */
  suppressedCount: number
}

/** Result of a retry: the mailboxes with queued deliveries, and the number of suppressed ones that stay failed. */
export interface Retried {
  mailboxIds: string[]
  requeuedCount: number
  suppressedCount: number
}

/** Rows in memory at a time. */
const exportPageCount = 1000

/** Distinct names of own values of a campaign that are compared with its variables; a file has far fewer columns. */
const spellingsMaxCount = 2000

export type CampaignRecipients = ReturnType<typeof createCampaignRecipients>

/** Recipients of campaigns. */
export function createCampaignRecipients(pool: Pool) {
  return {
    /**
     * Adds those recipients that the campaign does not have, about a thousand per call; each becomes a row in the queue
     * that is not sent before the launch. One statement, so that an address is added together with its row. Null if the
     * campaign is in another state.
     */
    async add(
      { workspaceId }: Scope,
      { id, from }: { id: string; from: readonly CampaignStatus[] },
      recipients: readonly CampaignRecipient[],
    ): Promise<Added | null> {
      // A statement of its own: one that writes calls no volatile function.
      const { rows: ids } = await pool.query<{ id: number }>({
        name: 'reserve-delivery-ids',
        text: `select nextval('delivery_ids') as id from generate_series(1, $1::int)`,
        values: [recipients.length],
      })
      const { rows } = await pool.query<Added & { isOpen: boolean }>({
        name: 'add-campaign-recipients',
        text: addSql,
        values: [
          id,
          workspaceId,
          from,
          recipients.map(({ key }) => key),
          recipients.map(({ address }) => address),
          recipients.map(({ context }) => (context === null ? null : JSON.stringify(context))),
          recipients.map(({ mailboxId }) => mailboxId),
          ids.map(({ id }) => id),
        ],
      })
      const [added] = rows
      return added?.isOpen ? { addedCount: added.addedCount, suppressedCount: added.suppressedCount } : null
    },

    /** How many of these addresses, by their keys, are suppressed. */
    async countSuppressed({ workspaceId }: Scope, keys: readonly string[]): Promise<number> {
      const { rows } = await pool.query<{ count: number }>(
        'select count(*)::int as count from suppressions where workspace_id = $1 and email = any($2)',
        [workspaceId, keys],
      )
      return rows[0]?.count ?? 0
    },

    /** Recipients that were given to a campaign, not those of its audience; in the order of their addition. */
    async *given({ workspaceId }: Scope, id: string): AsyncGenerator<{ email: string; context: MergeContext | null }> {
      for (let afterId = 0; ;) {
        const { rows } = await pool.query<{ id: number; email: string; context: MergeContext | null }>(
          `select d.id, d.recipient as email, d.context from messages m
             join deliveries d on d.workspace_id = m.workspace_id and d.message_id = m.id
           where m.workspace_id = $1 and m.campaign_id = $2 and d.contact_id is null and d.recipient <> '${erasedRecipient}'
             and d.id > $3 order by d.id limit ${exportPageCount}`,
          [workspaceId, id, afterId],
        )
        for (const { email, context } of rows) yield { email, context }
        const last = rows.at(-1)
        if (last === undefined || rows.length < exportPageCount) return
        afterId = last.id
      }
    },

    /**
     * Queues the failed deliveries again, with their Message-IDs, and resumes the campaign if it had finished.
     * Suppressed recipients stay failed. Null if the campaign is in another state.
     */
    async retryFailed(
      { workspaceId }: Scope,
      { id, from }: { id: string; from: readonly CampaignStatus[] },
    ): Promise<Retried | null> {
      return inTransaction(pool, async ({ client }) => {
        const { rows } = await client.query<{ config_ids: string[] }>(
          `select config_ids from campaigns
           where id = $1 and workspace_id = $2 and status = any($3) and deleted_at is null for update`,
          [id, workspaceId, from],
        )
        if (rows[0] === undefined) return null
        const { rowCount } = await client.query(
          `update deliveries d set state = 'queued', next_attempt_at = now(), settled_at = null, attempts = 0
           from messages m, email_configs c
           where m.workspace_id = $2 and m.campaign_id = $1 and d.workspace_id = $2 and d.message_id = m.id
             and d.state = 'failed' and c.workspace_id = $2 and c.id = d.config_id and c.deleted_at is null and not ${isSuppressedSql}`,
          [id, workspaceId],
        )
        const suppressed = await client.query<{ count: number }>(
          `select count(*)::int as count from messages m join deliveries d on d.workspace_id = $2 and d.message_id = m.id
           where m.workspace_id = $2 and m.campaign_id = $1 and d.state = 'failed' and ${isSuppressedSql}`,
          [id, workspaceId],
        )
        if (rowCount) {
          await client.query(
            `update campaigns set status = ${nextStateSql('retry')}, finished_at = null, counts = null
             where workspace_id = $2 and id = $1 and status in (${stateList(endedStates)})`,
            [id, workspaceId],
          )
        }
        const { config_ids: mailboxIds } = rows[0]
        return { mailboxIds, requeuedCount: rowCount ?? 0, suppressedCount: suppressed.rows[0]?.count ?? 0 }
      })
    },

    /** Number of recipients without their own value, for each of these merge variables. */
    async countLacking({ workspaceId }: Scope, id: string, names: readonly string[]): Promise<Map<string, number>> {
      const from = `from messages m
           join deliveries d on d.workspace_id = m.workspace_id and d.message_id = m.id and d.state not in ('suppressed', 'cancelled')`
      const spelled = await pool.query<{ name: string }>(
        `select distinct own.name ${from} cross join jsonb_object_keys(d.context) as own (name)
         where m.workspace_id = $1 and m.campaign_id = $2 limit ${spellingsMaxCount}`,
        [workspaceId, id],
      )
      // A value under any spelling of its name fills a variable.
      const spellings = names.map((name) => {
        const key = variableKey(name)
        return {
          name,
          own: [name, ...spelled.rows.flatMap((row) => (variableKey(row.name) === key ? [row.name] : []))],
        }
      })
      const { rows } = await pool.query<{ name: string; count: number }>(
        `select wanted.name, count(*) filter (where not coalesce(d.context, '{}') ?| wanted.own)::int as count
         ${from}
           cross join lateral (
             select one ->> 'name' as name, array(select jsonb_array_elements_text(one -> 'own')) as own
             from jsonb_array_elements($2::jsonb) as one
           ) as wanted
         where m.workspace_id = $3 and m.campaign_id = $1
         group by wanted.name`,
        [id, JSON.stringify(spellings), workspaceId],
      )
      return new Map(rows.map(({ name, count }) => [name, count]))
    },

    /**
     * Queued recipients whose own context has more than `minBytes` bytes as JSON text (-1: all), by id after `afterId`.
     */
    async listLargeContexts(
      { workspaceId }: Scope,
      id: string,
      { minBytes, afterId, limit }: { minBytes: number; afterId: number; limit: number },
    ): Promise<{ id: number; recipient: string; context: MergeContext | null }[]> {
      const { rows } = await pool.query<{ id: number; recipient: string; context: MergeContext | null }>(
        `select d.id, d.recipient, d.context from messages m join deliveries d on d.workspace_id = m.workspace_id and d.message_id = m.id
         where m.workspace_id = $5 and m.campaign_id = $1 and d.campaign_id = $1 and d.state = 'queued' and d.id > $3
           and coalesce(octet_length(d.context::text), 0) > $2
         order by d.id limit $4`,
        [id, minBytes, afterId, limit, workspaceId],
      )
      return rows
    },

    /** To be called after many rows were added, so that the planner has statistics of the queue. */
    async analyze(): Promise<void> {
      await pool.query('analyze deliveries')
    },
  }
}

const addSql = `
  with campaign as materialized (
    select id, workspace_id from campaigns
    where id = $1 and workspace_id = $2 and status = any($3::text[]) and deleted_at is null
    for share
  ), given as materialized (
    select key, ${addressHashSql('key')} as hash, recipient, context, config_id, delivery_id, c.id as contact_id
    from unnest($4::text[], $5::text[], $6::text[], $7::uuid[], $8::bigint[])
        as entry (key, recipient, context, config_id, delivery_id)
      left join contacts c on c.workspace_id = $2 and c.email_key = entry.key
  ), fresh as (
    insert into campaign_recipients (workspace_id, campaign_id, address_hash, contact_id, delivery_month, delivery_id)
    select campaign.workspace_id, campaign.id, given.hash, given.contact_id, ${monthNowSql}, given.delivery_id from campaign, given
    on conflict do nothing
    returning address_hash
  ), added as (
    insert into deliveries
      (month, id, workspace_id, message_id, config_id, campaign_id, contact_id, recipient, context, state, settled_at)
    select ${monthNowSql}, given.delivery_id, campaign.workspace_id, message.id, message.config_id, campaign.id, given.contact_id,
      case when erased.at is null then given.recipient else '${erasedRecipient}' end,
      case when erased.at is null then given.context::jsonb end,
      case when known.email is null and erased.at is null then 'queued' else 'suppressed' end,
      case when known.email is not null or erased.at is not null then now() end
    from campaign cross join given
      join fresh on fresh.address_hash = given.hash
      join messages message on message.workspace_id = $2 and message.campaign_id = campaign.id and message.config_id = given.config_id
      left join suppressions known on known.workspace_id = campaign.workspace_id and known.email = given.key
      left join workspaces w on w.id = campaign.workspace_id
      left join erased_addresses erased
        on erased.workspace_id = campaign.workspace_id and erased.address_hash = ${erasedHashSql('given.key')}
    order by given.delivery_id
    returning state
  )
  select exists (select from campaign) as "isOpen", count(*)::int as "addedCount",
    (count(*) filter (where state = 'suppressed'))::int as "suppressedCount"
  from added`
