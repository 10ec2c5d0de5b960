import type { Pool } from 'pg'
import { timelineCampaignsMaxCount } from '../../domain/campaigns/campaign.ts'
import { endedStates, transitionOf } from '../../domain/campaigns/campaign-state.ts'
import { countRecipientsSql } from './campaign.ts'
import { beginFillSql, nextStateSql, stateList, statesBeforeSql } from './campaign-state.sql.ts'
import type { Scope, SystemScope } from '../../domain/auth/scope.ts'

/** Rows that one step cancels or deletes, so that it holds their locks for a short time. */
const stepCount = 20_000

/** States whose pending deliveries are cancelled. */
const stoppedSql = stateList(endedStates.filter((state) => state !== transitionOf('finish').to))

/** Whether a campaign has deliveries that are queued or being sent. Reads by index, whatever the campaign's size. */
const hasPendingSql = `
  exists (
    select from unnest(a.config_ids) as mailbox (id) cross join lateral (
      (select 1 from deliveries
        where workspace_id = a.workspace_id and config_id = mailbox.id and campaign_id = a.id and state in ('queued', 'deferred') limit 1)
      union all
      (select 1 from deliveries
        where workspace_id = a.workspace_id and config_id = mailbox.id and campaign_id = a.id and state = 'sending' limit 1)
    ) moving
  )`

interface CampaignKey {
  workspaceId: string
  id: string
}

export type CampaignScheduler = ReturnType<typeof createCampaignScheduler>

/** Transitions that no request triggers. Any number of processes may run them at the same time. */
export function createCampaignScheduler(pool: Pool) {
  /** Cancels one step of the pending deliveries of a stopped campaign. */
  const cancelLeft = ({ workspaceId, id }: CampaignKey) =>
    pool.query(
      `with left_over as materialized (
         select d.workspace_id, d.month, d.id from campaigns a cross join lateral unnest(a.config_ids) as mailbox (id)
           join deliveries d on d.workspace_id = a.workspace_id and d.config_id = mailbox.id
             and d.campaign_id = a.id and d.state in ('queued', 'deferred')
         where a.workspace_id = $1 and a.id = $2 and a.status in (${stoppedSql})
         limit ${stepCount}
         for update of d skip locked
       )
       update deliveries d set state = 'cancelled', settled_at = now()
       from left_over where d.workspace_id = left_over.workspace_id and d.month = left_over.month and d.id = left_over.id`,
      [workspaceId, id],
    )

  const end = async ({ workspaceId, id }: CampaignKey) => {
    // One statement, so that the counts are those of the same snapshot.
    await pool.query(
      `update campaigns a set finished_at = coalesce(finished_at, now()),
         status = ${nextStateSql('finish')},
         counts = coalesce((select counted.counts from (${countRecipientsSql('$1', 'array[$2]')}) counted), '{}')
       where workspace_id = $1 and id = $2 and status in (${statesBeforeSql('finish')}, ${stoppedSql}) and counts is null and not ${hasPendingSql}`,
      [workspaceId, id],
    )
  }

  return {
    /**
     * Starts campaigns that are due and finishes those without pending deliveries. The sender polls for due deliveries itself.
     * Returns whether one with an audience is to be prepared.
     */
    async advance(_system: SystemScope): Promise<boolean> {
      const started = await pool.query<{ isPreparing: boolean }>(
        `update campaigns a set
           status = alive.next, status_reason = case when alive.next = 'failed' then 'Its mailbox was disconnected.' end,
           started_at = case when alive.next = 'preparing' then started_at else coalesce(started_at, now()) end,
           ${beginFillSql('alive.next')}
         from (
           select due.workspace_id, due.id, case
             when count(c.id) = 0 then '${transitionOf('fail').to}'
             when exists (
               select from campaign_audiences u where u.workspace_id = due.workspace_id and u.campaign_id = due.id
             ) then '${transitionOf('prepare').to}'
             else '${transitionOf('start').to}' end as next
           from campaigns due
             left join email_configs c on c.workspace_id = due.workspace_id and c.id = any(due.config_ids) and c.deleted_at is null
           where due.status in (${statesBeforeSql('start')}) and due.scheduled_at <= now()
           group by due.workspace_id, due.id
         ) alive
         where a.workspace_id = alive.workspace_id and a.id = alive.id and a.status in (${statesBeforeSql('start')}) and a.scheduled_at <= now()
         returning a.status = '${transitionOf('prepare').to}' as "isPreparing"`,
      )
      const { rows } = await pool.query<CampaignKey & { hasPending: boolean }>(
        `select workspace_id as "workspaceId", id, ${hasPendingSql} as "hasPending" from campaigns a
         where counts is null and (status in (${stoppedSql}) or status in (${statesBeforeSql('finish')}) and not ${hasPendingSql})`,
      )
      for (const { hasPending, ...campaign } of rows) {
        if (hasPending) await cancelLeft(campaign)
        await end(campaign)
      }
      return started.rows.some(({ isPreparing }) => isPreparing)
    },

    /** Cancels one step of a cancelled campaign's deliveries at once; `advance` cancels the rest. */
    async cancelPending({ workspaceId }: Scope, id: string): Promise<void> {
      await cancelLeft({ workspaceId, id })
    },

    /**
     * Deletes campaigns that were staged at least a day ago and never confirmed, with their recipients. Large ones are deleted
     * in steps.
     */
    async deleteUnconfirmed(_system: SystemScope): Promise<void> {
      // A deleted campaign cannot be launched, and `advance` skips one with counts.
      await pool.query(
        `update campaigns set deleted_at = coalesce(deleted_at, now()), status = ${nextStateSql('delete')}, counts = '{}'
         where staged_at < now() - interval '1 day' and (deleted_at is null or counts is null)`,
      )
      const ofUnconfirmed = `campaigns a join messages m on m.workspace_id = a.workspace_id and m.campaign_id = a.id
        and a.staged_at < now() - interval '1 day' and a.deleted_at is not null`
      await pool.query(
        `delete from deliveries d using (
           select d.workspace_id, d.month, d.id from ${ofUnconfirmed}
             join deliveries d on d.workspace_id = m.workspace_id and d.message_id = m.id limit ${stepCount}
         ) gone where d.workspace_id = gone.workspace_id and d.month = gone.month and d.id = gone.id`,
      )
      await pool.query(
        `delete from messages where (workspace_id, id) in (
           select m.workspace_id, m.id from ${ofUnconfirmed}
           where not exists (select from deliveries d where d.workspace_id = m.workspace_id and d.message_id = m.id)
         )`,
      )
      await pool.query(
        `with gone as (
           delete from campaigns a where staged_at < now() - interval '1 day' and deleted_at is not null
             and not exists (select from messages m where m.workspace_id = a.workspace_id and m.campaign_id = a.id)
           returning workspace_id, id
         )
         delete from campaign_recipients r using gone where r.workspace_id = gone.workspace_id and r.campaign_id = gone.id`,
      )
    },

    /**
     * Deletes the address hashes of ended campaigns that no timeline of a contact shows: deleted ones, those that never started,
     * and those before the last ones of their workspace.
     */
    async prune(_system: SystemScope): Promise<void> {
      await pool.query(
        `with ended as materialized (
           select a.workspace_id, a.id from (
             select workspace_id, id, status, deleted_at, started_at,
               row_number() over (partition by workspace_id, deleted_at is null and started_at is not null
                 order by started_at desc, id) as place
             from campaigns
           ) a
           where a.status in (${stateList(endedStates)})
             and (a.deleted_at is not null or a.started_at is null or a.place > ${timelineCampaignsMaxCount})
         )
         delete from campaign_recipients r using (
           select r.workspace_id, r.campaign_id, r.address_hash from ended a
             join campaign_recipients r on r.workspace_id = a.workspace_id and r.campaign_id = a.id
           limit ${stepCount}
         ) gone where r.workspace_id = gone.workspace_id and r.campaign_id = gone.campaign_id and r.address_hash = gone.address_hash`,
      )
    },
  }
}
