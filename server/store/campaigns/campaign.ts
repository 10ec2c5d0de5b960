import type pg from 'pg'
import { deliveryStates } from '../../../contract/mail/message.ts'
import {
  isAsRead,
  type CampaignContent,
  type CampaignCounts,
  type CampaignPage,
  type CampaignRow,
  type CampaignSchedule,
  type CampaignStatus,
  type ReadCampaign,
} from '../../domain/campaigns/campaign.ts'
import type { CampaignAudience, LeftOutCounts } from '../../domain/campaigns/audience.ts'
import type { CampaignMail } from '../../domain/campaigns/campaign-mail.ts'
import type { Listed } from '../../domain/core/page.ts'
import { countRows, findRow, inTransaction, type Database, type Queryable } from '../core/database.ts'
import { afterValues, isAfter, sortAtColumn, toPage } from '../core/page.ts'
import { selectList, setList } from '../core/sql.ts'
import type { campaigns } from '../schema/campaigns.ts'
import { audienceColumn, readAudience, writeAudience } from './audience.ts'
import { beginFillSql, nextStateSql } from './campaign-state.sql.ts'
import type { Scope } from '../../domain/auth/scope.ts'

/** A new campaign, with one message for each of its mailboxes. */
export interface NewCampaignRow extends CampaignContent {
  id: string
  templateId: string | null
  /** Whether a composer prepares it and it is not confirmed yet. */
  isStaged: boolean
  mail: CampaignMail
}

interface Transition {
  from: readonly CampaignStatus[]
  to: CampaignStatus
}

/** A change to a campaign in one of these states, based on what was read. */
interface Change {
  from: readonly CampaignStatus[]
  read: ReadCampaign
}

type Found = Omit<
  typeof campaigns.$inferSelect,
  'deletedAt' | 'fillAfter' | 'fillCounts' | 'fillOwner' | 'fillLeaseUntil'
> & {
  audience: CampaignAudience
  isFilling: boolean
  leftOut: LeftOutCounts | null
}

const plainColumns = selectList<Found>(
  ['id', 'workspaceId', 'status', 'name', 'subject', 'context', 'mailboxIds', 'templateId', 'statusReason'],
  ['scheduledAt', 'timezone', 'createdAt', 'stagedAt', 'startedAt', 'finishedAt', 'counts'],
)
const columns = `${plainColumns}, fill_after is not null as "isFilling", fill_counts as "leftOut", ${audienceColumn}`

const isOwn = 'workspace_id = $1 and id = $2 and deleted_at is null'
const isListed = `workspace_id = $1 and deleted_at is null and staged_at is null and ($2::text is null or status = $2)
  and ($3::text is null or strpos(lower(name || e'\\n' || subject), lower($3)) > 0)`

export type CampaignStore = ReturnType<typeof createCampaignStore>

/** Campaigns of workspaces. Campaigns of other workspaces are unknown. */
export function createCampaignStore({ pool }: Pick<Database, 'pool'>, newId: () => string) {
  const withCounts = async (rows: readonly Found[]): Promise<CampaignRow[]> => {
    const counted = await countRecipients(
      pool,
      rows.filter((row) => row.counts === null),
    )
    return rows.map((row) => ({ ...row, counts: fullCounts(row.counts ?? counted.get(row.id) ?? {}) }))
  }

  /**
   * Locks a campaign until the commit, so that edits and launches wait, and returns its content. Null if it is in none
   * of these states.
   */
  const lock = async (
    client: Queryable,
    scope: Scope,
    id: string,
    from: readonly CampaignStatus[],
  ): Promise<ReadCampaign | null> => {
    const row = await findRow<Found>(
      client,
      `select ${plainColumns}, body from campaigns where ${isOwn} and status = any($3) for update`,
      [scope.workspaceId, id, from],
    )
    // A statement of its own: the one that waits for the lock still reads the audience of before.
    return row && { ...row, audience: await readAudience(scope, client, id) }
  }

  const writeMessages = (
    executor: Queryable,
    { workspaceId, id, mailboxIds, mail }: Pick<NewCampaignRow, 'id' | 'mailboxIds' | 'mail'> & { workspaceId: string },
  ) =>
    executor.query(
      `insert into messages
         (id, workspace_id, config_id, from_address, subject, content, is_html, context, extra_headers, campaign_id)
       select given.id, $8, c.id, c.email_address, $3, $4, true, $5, $6, $1
       from unnest($2::uuid[], $7::uuid[]) as given (id, config_id)
         join email_configs c on c.workspace_id = $8 and c.id = given.config_id
       for key share of c`,
      [
        id,
        mailboxIds.map(() => newId()),
        mail.subject,
        mail.content,
        JSON.stringify(mail.context),
        JSON.stringify(mail.extraHeaders),
        mailboxIds,
        workspaceId,
      ],
    )

  return {
    /** Creates a draft. Null if a campaign with this id exists or existed. */
    async create(scope: Scope, { mail, isStaged, ...campaign }: NewCampaignRow): Promise<CampaignRow | null> {
      const { workspaceId } = scope
      return inTransaction(pool, async ({ client }) => {
        const { rows } = await client.query<Found>(
          `insert into campaigns
             (workspace_id, id, name, subject, body, context, config_ids, template_id, scheduled_at, timezone, staged_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, case when $11 then now() end)
           on conflict (workspace_id, id) do nothing returning ${plainColumns}, body`,
          [
            workspaceId,
            campaign.id,
            campaign.name,
            campaign.subject,
            campaign.body,
            JSON.stringify(campaign.context),
            campaign.mailboxIds,
            campaign.templateId,
            campaign.scheduledAt,
            campaign.timezone,
            isStaged,
          ],
        )
        const [row] = rows
        if (row === undefined) return null
        await writeMessages(client, { ...campaign, workspaceId, mail })
        await writeAudience(scope, client, campaign.id, campaign.audience)
        return { ...row, audience: campaign.audience, isFilling: false, leftOut: null, counts: fullCounts({}) }
      })
    },

    /** Newest first, with the total count; without staged campaigns. */
    async list(
      { workspaceId }: Scope,
      { status, search, withBody, limit, offset, after }: CampaignPage,
    ): Promise<Listed<CampaignRow>> {
      const values = [workspaceId, status, search]
      const [{ rows }, total] = await Promise.all([
        pool.query<Found & { sortAt: string }>(
          `select ${columns}, ${withBody ? 'body' : `'' as body`}, ${sortAtColumn()} from campaigns
           where ${isListed} and ${isAfter('desc', 4)} order by created_at desc, id desc limit $6 offset $7`,
          [...values, ...afterValues(after), limit + 1, offset],
        ),
        countRows(pool, `select count(*) from campaigns where ${isListed}`, values),
      ])
      const page = toPage<Found>(rows, limit)
      return { rows: await withCounts(page.rows), next: page.next, total }
    },

    async find({ workspaceId }: Scope, id: string): Promise<CampaignRow | null> {
      const { rows } = await pool.query<Found>(`select ${columns}, body from campaigns where ${isOwn}`, [
        workspaceId,
        id,
      ])
      return (await withCounts(rows))[0] ?? null
    },

    async rename({ workspaceId }: Scope, id: string, name: string): Promise<void> {
      await pool.query(`update campaigns set name = $3 where ${isOwn}`, [workspaceId, id, name])
    },

    /**
     * Updates a campaign in one of these states and its messages. Null if it is in another state; `changed` if it was
     * edited since it was read; `recipients` if its mailboxes would change while it has recipients.
     */
    async rewrite(
      scope: Scope,
      id: string,
      { from, read }: Change,
      { mail, ...changes }: CampaignContent & { mail: CampaignMail },
    ): Promise<'rewritten' | 'recipients' | 'changed' | null> {
      const { workspaceId } = scope
      return inTransaction(pool, async ({ client }) => {
        const row = await lock(client, scope, id, from)
        if (row === null) return null
        if (!isAsRead(row, read)) return 'changed'
        if (String(row.mailboxIds) === String(changes.mailboxIds))
          await rewriteMessages(client, { workspaceId, id }, mail)
        else {
          const { rows } = await client.query(
            'select from campaign_recipients where workspace_id = $1 and campaign_id = $2 limit 1',
            [workspaceId, id],
          )
          if (rows.length > 0) return 'recipients'
          await client.query('delete from messages where workspace_id = $1 and campaign_id = $2', [workspaceId, id])
          await writeMessages(client, { workspaceId, id, mailboxIds: changes.mailboxIds, mail })
        }
        const { audience, ...own } = changes
        const { sql, values } = setList({ ...own, context: JSON.stringify(own.context) }, 3)
        await client.query(`update campaigns set ${sql} where ${isOwn}`, [workspaceId, id, ...values])
        await writeAudience(scope, client, id, audience)
        return 'rewritten'
      })
    },

    /**
     * Fixes the content and starts or schedules the campaign in one transaction: a concurrent edit is either included
     * or finds the campaign launched. Null if it is in another state; `changed` if it was edited since it was read.
     */
    async launch(
      scope: Scope,
      id: string,
      { from, read }: Change,
      {
        to,
        schedule,
        mail,
      }: { to: 'scheduled' | 'preparing' | 'sending'; schedule: CampaignSchedule; mail: CampaignMail },
    ): Promise<'launched' | 'changed' | null> {
      const { workspaceId } = scope
      return inTransaction(pool, async ({ client }) => {
        const row = await lock(client, scope, id, from)
        if (row === null) return null
        if (!isAsRead(row, read)) return 'changed'
        await rewriteMessages(client, { workspaceId, id }, mail)
        await client.query(
          `update campaigns set scheduled_at = $3, timezone = $4, status = $5, staged_at = null,
             started_at = case when $5 = 'sending' then coalesce(started_at, now()) else started_at end, ${beginFillSql('$5')}
           where ${isOwn}`,
          [workspaceId, id, schedule.scheduledAt, schedule.timezone, to],
        )
        return 'launched'
      })
    },

    /** False if the campaign is in another state. Its times are of the database's clock. */
    async move({ workspaceId }: Scope, id: string, { from, to }: Transition): Promise<boolean> {
      const { rowCount } = await pool.query(
        `update campaigns set status = $3,
           started_at = case when $3 = 'sending' then coalesce(started_at, now()) else started_at end,
           finished_at = case when $3 = 'cancelled' then now() else finished_at end, ${beginFillSql('$3')}
         where ${isOwn} and status = any($4)`,
        [workspaceId, id, to, from],
      )
      return rowCount === 1
    },

    /** Hides a campaign and cancels it unless it has ended. False if there is none. */
    async remove({ workspaceId }: Scope, id: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        `update campaigns set deleted_at = now(),
           status = ${nextStateSql('delete')}
         where ${isOwn}`,
        [workspaceId, id],
      )
      return rowCount === 1
    },
  }
}

/** Query for the number of recipients of a workspace's campaigns by state; campaigns without recipients are left out. */
export const countRecipientsSql = (workspaceId: string, ids: string): string => `
  select campaign_id as id, jsonb_object_agg(state, count) as counts from (
    select m.campaign_id, d.state, count(*) as count
    from messages m join deliveries d on d.workspace_id = m.workspace_id and d.message_id = m.id
    where m.workspace_id = ${workspaceId} and m.campaign_id = any(${ids}::uuid[])
    group by m.campaign_id, d.state
  ) counted group by campaign_id`

async function countRecipients(
  executor: Queryable,
  campaigns: readonly Pick<Found, 'workspaceId' | 'id'>[],
): Promise<Map<string, Partial<CampaignCounts>>> {
  const [first] = campaigns
  if (first === undefined) return new Map()
  const { rows } = await executor.query<{ id: string; counts: Partial<CampaignCounts> }>(
    countRecipientsSql('$1', '$2'),
    [first.workspaceId, campaigns.map(({ id }) => id)],
  )
  return new Map(rows.map(({ id, counts }) => [id, counts]))
}

function fullCounts(counts: Partial<CampaignCounts>): CampaignCounts {
  return Object.fromEntries(deliveryStates.map((state) => [state, counts[state] ?? 0])) as CampaignCounts
}

function rewriteMessages(
  executor: Pick<pg.Pool, 'query'>,
  { workspaceId, id }: { workspaceId: string; id: string },
  mail: CampaignMail,
) {
  return executor.query(
    `update messages set subject = $3, content = $4, context = $5, extra_headers = $6
     where workspace_id = $1 and campaign_id = $2`,
    [workspaceId, id, mail.subject, mail.content, JSON.stringify(mail.context), JSON.stringify(mail.extraHeaders)],
  )
}
