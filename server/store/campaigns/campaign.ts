import type { Design } from '../../../contract/design/design.ts'
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
import { peopleSql } from '../reports/report.sql.ts'
import { fixCampaignLinks } from '../tracking/campaign-tracking.sql.ts'
import { rewriteMessages, writeMessages, type SentMail } from './campaign-messages.ts'
import { audienceColumn, writeAudience } from './audience.ts'
import { beginFillSql, nextStateSql, statesBeforeSql } from './campaign-state.sql.ts'
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
  'design' | 'deletedAt' | 'fillAfter' | 'fillCounts' | 'fillOwner' | 'fillLeaseUntil'
> & {
  design: Design | null
  audience: CampaignAudience
  isFilling: boolean
  leftOut: LeftOutCounts | null
}

const plainColumns = selectList<Found>(
  ['id', 'workspaceId', 'status', 'name', 'subject', 'context', 'mailboxIds', 'templateId', 'statusReason'],
  [
    ...(['scheduledAt', 'timezone', 'createdAt', 'stagedAt', 'startedAt', 'finishedAt', 'counts'] as const),
    ...(['mode', 'preheader', 'fromName', 'replyTo', 'kind', 'revision', 'undoUntil', 'tracking', 'utm'] as const),
    'frequencyExempt',
  ],
)
const columns = `${plainColumns}, fill_after is not null as "isFilling", fill_counts as "leftOut", ${audienceColumn}`

const isOwn = 'workspace_id = $1 and id = $2 and deleted_at is null'
const isListed = `workspace_id = $1 and deleted_at is null and staged_at is null and ($2::text is null or status = $2)
  and ($3::text is null or strpos(lower(name || e'\\n' || subject), lower($3)) > 0)`

export type CampaignStore = ReturnType<typeof createCampaignStore>

/** Campaigns of workspaces. Campaigns of other workspaces are unknown. */
export function createCampaignStore({ pool }: Pick<Database, 'pool'>, newId: () => string, linkKeyId: () => string) {
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
    return findRow<Found>(
      client,
      `select ${plainColumns} from campaigns where ${isOwn} and status = any($3) for update`,
      [scope.workspaceId, id, from],
    )
  }

  const messagesOf = (mailboxIds: readonly string[]) => mailboxIds.map((mailboxId) => ({ id: newId(), mailboxId }))

  return {
    /** Creates a draft. Null if a campaign with this id exists or existed. */
    async create(scope: Scope, { mail, isStaged, ...campaign }: NewCampaignRow): Promise<CampaignRow | null> {
      const { workspaceId } = scope
      return inTransaction(pool, async ({ client }) => {
        const { rows } = await client.query<Found>(
          `insert into campaigns
             (workspace_id, id, name, subject, body, context, config_ids, template_id, scheduled_at, timezone, staged_at,
               mode, design, preheader, from_name, reply_to, kind)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, case when $11 then now() end, $12, $13, $14, $15, $16, $17)
           on conflict (workspace_id, id) do nothing returning ${plainColumns}, body, design`,
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
            campaign.mode,
            toJson(campaign.design),
            campaign.preheader,
            campaign.fromName,
            campaign.replyTo,
            campaign.kind,
          ],
        )
        const [row] = rows
        if (row === undefined) return null
        await writeMessages(scope, client, campaign.id, messagesOf(campaign.mailboxIds), { ...campaign, ...mail })
        await writeAudience(scope, client, campaign.id, campaign.audience)
        return { ...row, audience: campaign.audience, isFilling: false, leftOut: null, counts: fullCounts({}) }
      })
    },

    /** Newest first, with the total count; without staged campaigns. */
    async list(
      { workspaceId }: Scope,
      { status, search, withBody, limit, offset, after, sort, order }: CampaignPage,
    ): Promise<Listed<CampaignRow>> {
      const values = [workspaceId, status, search]
      const first = sort === 'created' ? '' : `${peopleSql(sort)} ${order},`
      const [{ rows }, total] = await Promise.all([
        pool.query<Found & { sortAt: string }>(
          `select ${columns}, ${withBody ? 'body' : `'' as body`}, null as design, ${sortAtColumn()} from campaigns
           where ${isListed} and ${isAfter('desc', 4)} order by ${first} created_at desc, id desc limit $6 offset $7`,
          [...values, ...afterValues(after), limit + 1, offset],
        ),
        countRows(pool, `select count(*) from campaigns where ${isListed}`, values),
      ])
      const page = toPage<Found>(rows, limit)
      return { rows: await withCounts(page.rows), next: first === '' ? page.next : null, total }
    },

    async find({ workspaceId }: Scope, id: string): Promise<CampaignRow | null> {
      const { rows } = await pool.query<Found>(`select ${columns}, body, design from campaigns where ${isOwn}`, [
        workspaceId,
        id,
      ])
      return (await withCounts(rows))[0] ?? null
    },

    /** With a revision: only if that is still its revision, else returns false. */
    async rename({ workspaceId }: Scope, id: string, name: string, revision: number | null): Promise<boolean> {
      const { rowCount } = await pool.query(
        `update campaigns set name = $3, revision = revision + 1 where ${isOwn} and ($4::bigint is null or revision = $4)`,
        [workspaceId, id, name, revision],
      )
      return rowCount === 1
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
          await rewriteMessages(scope, client, id, { ...changes, ...mail }, { isFinal: row.status !== 'draft' })
        else {
          const { rows } = await client.query(
            'select from campaign_recipients where workspace_id = $1 and campaign_id = $2 limit 1',
            [workspaceId, id],
          )
          if (rows.length > 0) return 'recipients'
          await client.query('delete from messages where workspace_id = $1 and campaign_id = $2', [workspaceId, id])
          await writeMessages(scope, client, id, messagesOf(changes.mailboxIds), { ...changes, ...mail })
        }
        const { audience, ...own } = changes
        const stored = { ...own, context: JSON.stringify(own.context), design: toJson(own.design) }
        const { sql, values } = setList(stored, 3)
        await client.query(`update campaigns set ${sql}, revision = revision + 1 where ${isOwn}`, [
          workspaceId,
          id,
          ...values,
        ])
        await writeAudience(scope, client, id, audience)
        await fixCampaignLinks(scope, id, linkKeyId(), client)
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
        undoSeconds,
      }: {
        to: 'scheduled' | 'preparing' | 'sending'
        schedule: CampaignSchedule
        mail: SentMail
        /** So long it can be undone, and is `scheduled`. */
        undoSeconds: number
      },
    ): Promise<'launched' | 'changed' | null> {
      const { workspaceId } = scope
      return inTransaction(pool, async ({ client }) => {
        const row = await lock(client, scope, id, from)
        if (row === null) return null
        if (!isAsRead(row, read)) return 'changed'
        await rewriteMessages(scope, client, id, mail, { isFinal: true })
        await client.query(
          `update campaigns set timezone = $4, status = $5, staged_at = null,
             undo_until = now() + nullif($6::int, 0) * interval '1 second',
             scheduled_at = case when $6 = 0 then $3::timestamptz else greatest($3, now() + $6::int * interval '1 second') end,
             started_at = case when $5 = 'sending' then coalesce(started_at, now()) else started_at end, ${beginFillSql('$5')}
           where ${isOwn}`,
          [workspaceId, id, schedule.scheduledAt, schedule.timezone, to, undoSeconds],
        )
        await fixCampaignLinks(scope, id, linkKeyId(), client)
        return 'launched'
      })
    },

    /** Makes a draft of a campaign whose launch can still be undone. False if it cannot. */
    async undoLaunch({ workspaceId }: Scope, id: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        `update campaigns set status = ${nextStateSql('undo')}, undo_until = null,
           scheduled_at = case when scheduled_at > undo_until then scheduled_at end
         where ${isOwn} and status in (${statesBeforeSql('undo')}) and undo_until > now()`,
        [workspaceId, id],
      )
      return rowCount === 1
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

const toJson = (design: Design | null) => (design === null ? null : JSON.stringify(design))
