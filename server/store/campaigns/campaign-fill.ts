import type pg from 'pg'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { Scope, SystemScope } from '../../domain/auth/scope.ts'
import type { CampaignAudience, LeftOutCounts } from '../../domain/campaigns/audience.ts'
import { statesBefore, transitionOf } from '../../domain/campaigns/campaign-state.ts'
import type { MergeFields } from '../../domain/campaigns/merge-fields.ts'
import type { Database } from '../core/database.ts'
import { monthNowSql } from '../messages/accept.sql.ts'
import { beginEvaluation } from '../segments/evaluation.ts'
import type { WorkspaceRules } from '../segments/rule-context.ts'
import { addressHashSql, audienceSql, leftOutReasonSql } from './audience.sql.ts'
import { statesBeforeSql } from './campaign-state.sql.ts'
import { contextSql } from './fill-context.sql.ts'

/** A campaign whose audience is copied into the queue. */
export interface CampaignToFill {
  id: string
  /** Process that copies it. */
  owner: string
}

type KnownCampaign = CampaignToFill & Pick<Scope, 'workspaceId'>

/** A person whose values may make the mail too large. */
export interface LargePerson {
  id: number
  email: string
  context: MergeContext
}

/** The next people of an audience. */
interface FillBatch {
  limit: number
  merge: MergeFields
  /** Mailboxes, and for each person that is added the index of its mailbox; one mailbox needs no indexes. */
  mailboxIds: readonly string[]
  shares: readonly number[]
  /** People with values of more bytes than this as JSON text are checked by `findTooLarge`; Infinity: none. */
  safeBytes: number
  /** Ids of those whose mail would be too large. */
  findTooLarge: (people: readonly LargePerson[]) => number[]
  /** Until when the campaign is held once the batch is written. */
  leaseUntil: () => Date
}

export interface FilledBatch {
  addedCount: number
  /** No recipient is left. */
  isLast: boolean
}

/** Copies one audience, on a connection of its own. */
export interface FillSession extends AsyncDisposable {
  /** Copies the next people; null where the campaign is not prepared by this owner any more. */
  fill: (batch: FillBatch) => Promise<FilledBatch | null>
  /** Ends the preparation: `sending`, or `empty` for a campaign without any recipient, which stays as it is. Null as with `fill`. */
  finish: () => Promise<'sending' | 'empty' | null>
}

export type CampaignFillStore = ReturnType<typeof createCampaignFillStore>

/** Copies audiences of campaigns into the queue. */
export function createCampaignFillStore({ pool }: Pick<Database, 'pool'>) {
  return {
    /** Takes a campaign of any workspace that is `preparing` and that no living process holds until `until`. */
    async claim(_system: SystemScope, owner: string, now: Date, until: Date): Promise<KnownCampaign | null> {
      const { rows } = await pool.query<KnownCampaign>(
        `update campaigns a set fill_owner = $1, fill_lease_until = $3
         from (
           select workspace_id, id from campaigns
           where status in (${statesBeforeSql('filled')}) and deleted_at is null
             and (fill_lease_until is null or fill_lease_until < $2)
           order by created_at limit 1 for update skip locked
         ) as due
         where a.workspace_id = due.workspace_id and a.id = due.id
         returning a.workspace_id as "workspaceId", a.id, a.fill_owner as owner`,
        [owner, now, until],
      )
      return rows[0] ?? null
    },

    /** Holds it until `until`; null: not any longer. Without effect while a batch is written, which locks the campaign. */
    async renew({ workspaceId }: Scope, { id, owner }: CampaignToFill, until: Date | null): Promise<void> {
      await pool.query(
        `update campaigns a set fill_lease_until = $4
         from (
           select workspace_id, id from campaigns where workspace_id = $1 and id = $2 and fill_owner = $3
           for update skip locked
         ) as held
         where a.workspace_id = $1 and a.workspace_id = held.workspace_id and a.id = held.id`,
        [workspaceId, id, owner, until],
      )
    },

    /** Ends the preparation of a campaign that cannot be sent. */
    async fail({ workspaceId }: Scope, { id, owner }: CampaignToFill, reason: string): Promise<void> {
      const { from, to } = transitionOf('fail')
      await pool.query(
        `update campaigns set status = $4, status_reason = $5, finished_at = now(), fill_owner = null, fill_lease_until = null
         where workspace_id = $1 and id = $2 and fill_owner = $3 and status = any($6)`,
        [workspaceId, id, owner, to, reason, from],
      )
    },

    /** The mail as it was fixed at the launch; null without a mailbox. */
    async findMail(
      { workspaceId }: Scope,
      { id }: CampaignToFill,
    ): Promise<{ subject: string; content: string; context: MergeContext } | null> {
      const { rows } = await pool.query<{ subject: string; content: string; context: MergeContext }>(
        'select subject, content, context from messages where workspace_id = $1 and campaign_id = $2 limit 1',
        [workspaceId, id],
      )
      return rows[0] ?? null
    },

    /**
     * Evaluates the audience and opens a session that copies its people, those after the last one that has a row. Recipients of
     * the campaign whom the audience excludes, or who are paused, are suppressed.
     */
    async open(
      { workspaceId }: Scope,
      { id, owner }: CampaignToFill,
      audience: CampaignAudience,
      rules: WorkspaceRules,
    ): Promise<FillSession> {
      const campaign = { workspaceId, id, owner }
      const client = await pool.connect()
      try {
        await inOwnTransaction(client, () => evaluate(client, campaign, audience, rules))
      } catch (error) {
        client.release(true)
        throw error
      }
      return {
        fill: (batch) => fillBatch(client, campaign, batch),
        finish: () => finish(client, campaign),
        // The connection goes, and with it the temporary table.
        [Symbol.asyncDispose]: async () => {
          await Promise.resolve()
          client.release(true)
        },
      }
    },
  }
}

async function inOwnTransaction<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  // Without a time limit, and with memory for sorts.
  await client.query(beginEvaluation(0))
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => undefined) // The first error is the cause.
    throw error
  }
}

/** Writes the people after the last one with a row into a temporary table. */
async function evaluate(
  client: pg.PoolClient,
  { workspaceId, id }: KnownCampaign,
  audience: CampaignAudience,
  rules: WorkspaceRules,
): Promise<void> {
  const { rows } = await client.query<{ after: number }>(
    'select coalesce(fill_after, 0) as after from campaigns where workspace_id = $1 and id = $2',
    [workspaceId, id],
  )
  const after = Math.trunc(rows[0]?.after ?? 0)
  const people = audienceSql(workspaceId, audience, rules, (column) => `${column} > ${after}`)
  await client.query(
    'create temp table fill_people (id bigint, is_excluded boolean, is_duplicate boolean default false)',
  )
  await client.query(
    `with ${people.with} insert into fill_people (id, is_excluded)
     select member.id, member.id in (select id from excluded) from (select distinct id from source) as member order by 1`,
    people.values,
  )
  await client.query('create unique index on fill_people (id); analyze fill_people')
  const { rowCount } = await client.query(
    'select from campaign_recipients where workspace_id = $1 and campaign_id = $2 limit 1',
    [workspaceId, id],
  )
  if (rowCount === 0) return
  await client.query(
    `update fill_people p set is_duplicate = true
     from contacts c join campaign_recipients r on r.workspace_id = $1 and r.campaign_id = $2
       and r.address_hash = ${addressHashSql('c.email_key')}
     where c.workspace_id = $1 and c.id = p.id`,
    [workspaceId, id],
  )
  if (after > 0) return
  const all = audienceSql(workspaceId, audience, rules)
  await client.query(
    `with ${all.with}
     update deliveries d set state = 'suppressed', settled_at = now()
     from messages m, contacts c
     where m.workspace_id = $1 and m.campaign_id = ${all.add(id, 'uuid')} and d.workspace_id = $1 and d.message_id = m.id
       and d.state = 'queued' and c.workspace_id = $1 and c.email_key = lower(d.recipient)
       and (c.id in (select id from excluded) or c.paused_until > now())`,
    all.values,
  )
}

async function fillBatch(
  client: pg.PoolClient,
  campaign: KnownCampaign,
  batch: FillBatch,
): Promise<FilledBatch | null> {
  return inOwnTransaction(client, async () => {
    const held = await lockHeld(client, campaign)
    if (held === null) return null
    const tooLarge = batch.safeBytes === Infinity ? [] : await listTooLarge(client, campaign, batch, held.after)
    const written = await writeBatch(client, campaign, batch, { after: held.after, tooLarge })
    if (written.lastId === null) return { addedCount: 0, isLast: true }
    await client.query(
      'update campaigns set fill_after = $3, fill_counts = $4, fill_lease_until = $5 where workspace_id = $1 and id = $2',
      [
        campaign.workspaceId,
        campaign.id,
        written.lastId,
        JSON.stringify(sumOf(held.leftOut, written.leftOut)),
        batch.leaseUntil(),
      ],
    )
    return { addedCount: written.addedCount, isLast: written.count < batch.limit }
  })
}

/** Locks the campaign while it is prepared by this owner: pause and cancel wait for the batch. */
async function lockHeld(
  client: pg.PoolClient,
  { workspaceId, id, owner }: KnownCampaign,
): Promise<{ after: number; leftOut: LeftOutCounts } | null> {
  const { rows } = await client.query<{ after: number; leftOut: LeftOutCounts }>(
    `select coalesce(fill_after, 0) as after, coalesce(fill_counts, '{}') as "leftOut" from campaigns
     where workspace_id = $1 and id = $2 and fill_owner = $3 and status = any($4) and deleted_at is null for update`,
    [workspaceId, id, owner, statesBefore('filled')],
  )
  return rows[0] ?? null
}

async function listTooLarge(
  client: pg.PoolClient,
  { workspaceId }: KnownCampaign,
  { limit, merge, safeBytes, findTooLarge }: FillBatch,
  after: number,
): Promise<number[]> {
  const values: unknown[] = [workspaceId, after, limit, safeBytes]
  const add = (value: unknown, type: string) => `$${values.push(value)}::${type}`
  const { rows } = await client.query<LargePerson>(
    `with page as materialized (select p.id from fill_people p where p.id > $2 order by p.id limit $3)
     select person.id, person.email, person.context from (
       select c.id, c.email, c.fields, coalesce(${contextSql(merge, add)}, '{}') as context
       from page join contacts c on c.workspace_id = $1 and c.id = page.id and c.id > $2 and c.id <= (select max(id) from page)
     ) as person
     where case
       when octet_length(person.fields::text) + octet_length(person.email) + ${namesMaxBytes(merge)} <= $4 then false
       else octet_length(person.context::text) > $4
     end`,
    values,
  )
  return findTooLarge(rows)
}

/** By how much a context is longer at most than the contact's fields and address: the names instead of the numbers. */
function namesMaxBytes({ fields }: MergeFields): number {
  const pairBytes = (name: string) => Buffer.byteLength(JSON.stringify(name)) + ': "", '.length
  return [...fields.map(({ key }) => key), 'email'].reduce((sum, name) => sum + pairBytes(name), 0)
}

interface WrittenBatch {
  count: number
  lastId: number | null
  addedCount: number
  leftOut: LeftOutCounts
}

async function writeBatch(
  client: pg.PoolClient,
  { workspaceId, id }: KnownCampaign,
  { limit, merge, mailboxIds, shares }: FillBatch,
  { after, tooLarge }: { after: number; tooLarge: readonly number[] },
): Promise<WrittenBatch> {
  const values: unknown[] = [workspaceId, id, after, limit, tooLarge, mailboxIds]
  const add = (value: unknown, type: string) => `$${values.push(value)}::${type}`
  const mailboxNo = mailboxIds.length === 1 ? '1' : `(${add(shares, 'int[]')})[person.position]`
  const { rows } = await client.query<WrittenBatch>(writeSql(contextSql(merge, add), mailboxNo), values)
  const [row] = rows
  if (row === undefined) throw new Error('A statement returned no row')
  return row
}

async function finish(client: pg.PoolClient, campaign: KnownCampaign): Promise<'sending' | 'empty' | null> {
  const { workspaceId, id } = campaign
  return inOwnTransaction(client, async () => {
    if ((await lockHeld(client, campaign)) === null) return null
    const { rowCount } = await client.query(
      'select from campaign_recipients where workspace_id = $1 and campaign_id = $2 limit 1',
      [workspaceId, id],
    )
    if (rowCount === 0) return 'empty'
    await client.query(
      `update campaigns set status = $3, started_at = coalesce(started_at, now()), fill_after = null, fill_owner = null,
         fill_lease_until = null
       where workspace_id = $1 and id = $2`,
      [workspaceId, id, transitionOf('filled').to],
    )
    return 'sending'
  })
}

/**
 * Adds the next people: a delivery each, and a row in `campaign_recipients`, whose key refuses a second one for an address. `$5`:
 * ids of those whose mail would be too large. `$6`: mailboxes.
 */
const writeSql = (context: string, mailboxNo: string): string => `
  with page as materialized (
    select p.id, p.is_excluded, p.is_duplicate from fill_people p where p.id > $3 order by p.id limit $4
  ), excluded as materialized (
    select id from page where is_excluded
  ), judged as materialized (
    select c.id, c.email, ${addressHashSql('c.email_key')} as hash, ${context} as context,
      coalesce(${leftOutReasonSql}, case when c.id = any($5::bigint[]) then 'too_large' when page.is_duplicate then 'duplicate' end)
        as reason, c.frequency = 'weekly' as is_weekly
    from page
      join contacts c on c.workspace_id = $1 and c.id = page.id and c.id > $3 and c.id <= (select max(id) from page)
      left join suppressions s on s.workspace_id = $1 and s.email = c.email_key
  ), reserved as (
    -- Of two campaigns at once, the key lets one reserve the week.
    insert into frequency_use (workspace_id, contact_id, week, count)
    select $1, judged.id, date_trunc('week', now() at time zone w.timezone)::date, 1
    from judged join workspaces w on w.id = $1
    where judged.is_weekly and judged.reason is null
      and not exists (select from campaigns where workspace_id = $1 and id = $2 and frequency_exempt)
    order by judged.id on conflict (workspace_id, contact_id, week) do nothing returning contact_id
  ), decided as materialized (
    select judged.id, judged.email, judged.hash, judged.context, case
        when judged.reason is not null or judged.is_weekly is not true then judged.reason
        when judged.id in (select contact_id from reserved) then null
        when exists (select from campaigns where workspace_id = $1 and id = $2 and frequency_exempt) then null
        else 'frequency'
      end as reason
    from judged
  ), person as (
    select id, email, hash, context, (row_number() over (order by id))::int as position from decided where reason is null
  ), mailbox as materialized (
    select given.no, m.id as message_id, m.config_id
    from unnest($6::uuid[]) with ordinality as given (config_id, no)
      join messages m on m.workspace_id = $1 and m.campaign_id = $2 and m.config_id = given.config_id
  ), added as (
    insert into deliveries (month, workspace_id, message_id, config_id, campaign_id, contact_id, recipient, context)
    select ${monthNowSql}, $1, mailbox.message_id, mailbox.config_id, $2, person.id, person.email, person.context
    from person join mailbox on mailbox.no = ${mailboxNo}
    returning month, id, contact_id
  ), noted as (
    insert into campaign_recipients (workspace_id, campaign_id, address_hash, contact_id, delivery_month, delivery_id)
    select $1, $2, judged.hash, judged.id, added.month, added.id from added join judged on judged.id = added.contact_id
    order by judged.hash -- Neighbours in the index.
  )
  select (select count(*) from page)::int as count, (select max(id) from page) as "lastId",
    (select count(*) from added)::int as "addedCount",
    (
      select coalesce(json_object_agg(reason, count), '{}')
      from (select reason, count(*) from decided where reason is not null group by reason) as counted
    ) as "leftOut"`

function sumOf(counts: LeftOutCounts, more: LeftOutCounts): LeftOutCounts {
  const sum: Record<string, number> = { ...counts }
  for (const [reason, count] of Object.entries(more)) sum[reason] = (sum[reason] ?? 0) + count
  return sum
}
