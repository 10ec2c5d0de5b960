import type pg from 'pg'
import type { SegmentRule } from '../../../contract/audience/segment-rule.ts'
import type { Scope, SystemScope } from '../../domain/auth/scope.ts'
import type { RuleContext } from '../../domain/segments/rule-context.ts'
import { readsMails, type NextEvaluation } from '../../domain/segments/live.ts'
import { inTransaction, type Database } from '../core/database.ts'
import { beginEvaluation } from './evaluation.ts'
import type { WorkspaceRules } from './rule-context.ts'
import { createRuleCompiler, tableSource, type AddParameter } from './segment.sql.ts'
import { rulesToFactsSql } from './touched.sql.ts'

/** Longest statement of an evaluation, ms. */
const timeoutMs = 10_000
const begin = beginEvaluation(timeoutMs)

/** A live segment whose members are to be compared with all contacts. */
export interface DueSegment {
  workspaceId: string
  id: number
  ruleVersion: number
  updatedAt: Date
}

/** What an evaluation of touched contacts did; `touchCount` 0: none was left. */
export interface TouchedOutcome {
  touchCount: number
  /** Contacts that are gone: their memberships are, too, without being subtracted from counts. */
  goneCount: number
}

/** The ids of contacts that a step of a rebuild reads, exclusive and inclusive. */
export interface IdRange {
  after: number
  upTo: number
}

interface LiveRule {
  id: number
  rule: SegmentRule
}

export type LiveSegmentStore = ReturnType<typeof createLiveSegmentStore>

/**
 * Keeps the members of live segments. Each evaluation locks the rows of its segments first, so that no two of them decide
 * about the same members from different states of the contacts.
 */
export function createLiveSegmentStore({ pool }: Pick<Database, 'pool'>) {
  return {
    /** Workspaces with live segments whose contacts have changed. */
    async listTouched(_system: SystemScope): Promise<string[]> {
      const { rows } = await pool.query<{ workspaceId: string }>(
        `select s.workspace_id as "workspaceId" from (
           select distinct workspace_id from segments where is_live and deleted_at is null
         ) as s
         where exists (select from contact_touches t where t.workspace_id = s.workspace_id)`,
      )
      return rows.map(({ workspaceId }) => workspaceId)
    },

    /** Deletes touches that no live segment needs. */
    async pruneTouches(_system: SystemScope): Promise<void> {
      await pool.query(
        `delete from contact_touches t where not exists (
           select from segments s where s.workspace_id = t.workspace_id and s.is_live and s.deleted_at is null
         )`,
      )
    },

    /** Evaluates the live segments for the contacts of the oldest touches, and deletes these. */
    async evaluateTouched(
      { workspaceId }: Scope,
      { limit, now, readRules }: { limit: number; now: Date; readRules: () => Promise<WorkspaceRules> },
    ): Promise<TouchedOutcome> {
      return inTransaction(
        pool,
        async ({ client }) => {
          const live = await lockLive(client, workspaceId)
          const { rows: touches } = await client.query<{ ids: string[]; contacts: string[] }>(
            `select coalesce(array_agg(id), '{}') as ids, coalesce(array_agg(distinct contact_id), '{}') as contacts from (
               select id, contact_id from contact_touches where workspace_id = $1 order by id limit $2
             ) as oldest`,
            [workspaceId, limit],
          )
          const { ids = [], contacts = [] } = touches[0] ?? {}
          if (ids.length === 0) return { touchCount: 0, goneCount: 0 }
          const { context, timezone } = await readRules()
          const rules = live.filter(({ rule }) => !readsMails(rule, context.segments))
          let foundCount = contacts.length
          if (rules.length > 0) {
            const [text, values] = touchedStatement({ workspaceId, timezone, context, rules, contacts, now })
            const { rows } = await client.query<{ count: number }>(text, values)
            foundCount = rows[0]?.count ?? 0
          }
          await client.query('delete from contact_touches where workspace_id = $1 and id = any($2::bigint[])', [
            workspaceId,
            ids,
          ])
          return { touchCount: ids.length, goneCount: contacts.length - foundCount }
        },
        begin,
      )
    },

    /** Counts the members of all live segments again. */
    async recount({ workspaceId }: Scope): Promise<void> {
      await inTransaction(
        pool,
        async ({ client }) => {
          await lockLive(client, workspaceId)
          await client.query(
            `update segments s set member_count = coalesce(counted.count, 0)
             from segments known left join (
               select segment_id, count(*) from segment_members where workspace_id = $1 group by segment_id
             ) as counted on counted.segment_id = known.id
             where s.workspace_id = $1 and known.workspace_id = $1 and known.id = s.id and s.is_live and s.deleted_at is null`,
            [workspaceId],
          )
        },
        begin,
      )
    },

    /** The live segment of any workspace that waits longest for its comparison with all contacts; null where none is due. */
    async findDue(_system: SystemScope, now: Date): Promise<DueSegment | null> {
      const { rows } = await pool.query<DueSegment>(
        `select workspace_id as "workspaceId", id, rule_version as "ruleVersion", updated_at as "updatedAt" from segments
         where is_live and deleted_at is null and next_evaluation_at <= $1 order by next_evaluation_at limit 1`,
        [now],
      )
      return rows[0] ?? null
    },

    /** Puts a due segment off, so that one that fails does not hold up the others; false where another process took it. */
    async postpone({ workspaceId }: Scope, { id }: DueSegment, now: Date, until: Date): Promise<boolean> {
      const { rowCount } = await pool.query(
        `update segments set next_evaluation_at = $4
         where workspace_id = $1 and id = $2 and is_live and deleted_at is null and next_evaluation_at <= $3`,
        [workspaceId, id, now, until],
      )
      return rowCount === 1
    },

    /** The id of the contact that is so many behind `after`; null where there are fewer. */
    async skipContacts({ workspaceId }: Scope, after: number, count: number): Promise<number | null> {
      const { rows } = await pool.query<{ id: number }>(
        'select id from contacts where workspace_id = $1 and id > $2 order by id offset $3 limit 1',
        [workspaceId, after, count - 1],
      )
      return rows[0]?.id ?? null
    },

    /** Compares the members of a segment with the contacts of a range; false where its rule has changed or it is not live. */
    async rebuild(
      { workspaceId }: Scope,
      { id, ruleVersion }: DueSegment,
      range: IdRange,
      { now, readRules }: { now: Date; readRules: () => Promise<WorkspaceRules> },
    ): Promise<boolean> {
      return inTransaction(
        pool,
        async ({ client }) => {
          const { rows } = await client.query<{ rule: SegmentRule }>(
            `select rule from segments
             where workspace_id = $1 and id = $2 and rule_version = $3 and is_live and deleted_at is null for update`,
            [workspaceId, id, ruleVersion],
          )
          const [segment] = rows
          if (segment === undefined) return false
          const { context, timezone } = await readRules()
          const rules = { id, rule: segment.rule }
          await client.query(...rebuildStatement({ workspaceId, timezone, context, rules, range, now }))
          return true
        },
        begin,
      )
    },

    /** Notes the end of a rebuild, and when the next one is due; unless the rule was changed meanwhile. */
    async finish(
      { workspaceId }: Scope,
      { id, ruleVersion }: DueSegment,
      { now, costMs, next }: { now: Date; costMs: number; next: NextEvaluation },
    ): Promise<void> {
      await pool.query(
        `update segments s set cost_ms = $5, evaluated_at = $4,
           member_count = (select count(*) from segment_members m where m.workspace_id = $1 and m.segment_id = $2),
           next_evaluation_at = case when $6::boolean then
               (date_trunc('day', $4::timestamptz at time zone w.timezone) + interval '1 day') at time zone w.timezone
             else $4::timestamptz end + $7::float8 * interval '1 millisecond'
         from workspaces w
         where s.workspace_id = $1 and w.id = $1 and s.id = $2 and s.rule_version = $3 and s.is_live`,
        [workspaceId, id, ruleVersion, now, costMs, next.isAfterMidnight, next.inMs],
      )
    },

    /** Whether mails are being sent in the deployment. */
    async isSending(_system: SystemScope): Promise<boolean> {
      const { rows } = await pool.query<{ isSending: boolean }>(
        `select exists (select from deliveries where state = 'sending') as "isSending"`,
      )
      return rows[0]?.isSending ?? false
    },
  }
}

/** The live segments of a workspace, locked by id, so that evaluations wait for each other and never in a circle. */
async function lockLive(client: pg.PoolClient, workspaceId: string): Promise<LiveRule[]> {
  const { rows } = await client.query<LiveRule>(
    'select id, rule from segments where workspace_id = $1 and is_live and deleted_at is null order by id for update',
    [workspaceId],
  )
  return rows
}

interface Evaluation {
  workspaceId: string
  timezone: string
  context: RuleContext
  now: Date
}

/** Writes what `matched` (segment_id, contact_id) and the members in question differ in, and adds it to the counts. */
const differencesSql = (members: string, at: string) => `gone as (
    delete from segment_members m using ${members}
      and not exists (select from matched x where x.segment_id = m.segment_id and x.contact_id = m.contact_id)
    returning m.segment_id
  ), came as (
    insert into segment_members (workspace_id, segment_id, contact_id, since)
    select $1, x.segment_id, x.contact_id, ${at} from matched x
    where not exists (
      select from segment_members m where m.workspace_id = $1 and m.segment_id = x.segment_id and m.contact_id = x.contact_id
    )
    returning segment_id
  ), changes as (
    select segment_id, sum(n) as n from (
      select segment_id, -1 as n from gone union all select segment_id, 1 from came
    ) as one group by segment_id
  ), counted as (
    update segments s set member_count = coalesce(s.member_count, 0) + changes.n, evaluated_at = ${at}
    from changes where s.workspace_id = $1 and s.id = changes.segment_id
  )`

function touchedStatement({
  workspaceId,
  timezone,
  context,
  rules,
  contacts,
  now,
}: Evaluation & { rules: readonly LiveRule[]; contacts: readonly string[] }): [text: string, values: unknown[]] {
  const values: unknown[] = [workspaceId, timezone]
  const add: AddParameter = (value, type) => `$${values.push(value)}::${type}`
  const [ids, at, segments] = [
    add(contacts, 'bigint[]'),
    add(now, 'timestamptz'),
    add(
      rules.map(({ id }) => id),
      'bigint[]',
    ),
  ]
  const facts = rulesToFactsSql(
    rules.map(({ rule }) => rule),
    context,
    add,
    `select c.* from contacts c where c.workspace_id = $1 and c.id = any(${ids}) and $2::text is not null`,
  )
  const matches = facts.conditions.map(
    (condition, place) => `case when ${condition} then ${add(rules[place]?.id, 'bigint')} end`,
  )
  const members = `unnest(${ids}) as touched (id)
    where m.workspace_id = $1 and m.contact_id = touched.id and m.segment_id = any(${segments})`
  // One array for each contact: PostgreSQL prepares its conditions once, those of a list of rows for each contact.
  const text = `with ${facts.with}, matched as materialized (
      select match.segment_id, c.contact_id from (
        select c.id as contact_id, array[${matches.join(', ')}] as segments from facts c
      ) as c cross join unnest(c.segments) as match (segment_id)
      where match.segment_id is not null
    ), ${differencesSql(members, at)}
    select count(*)::int as count from facts`
  return [text, values]
}

function rebuildStatement({
  workspaceId,
  timezone,
  context,
  rules: { id, rule },
  range,
  now,
}: Evaluation & { rules: LiveRule; range: IdRange }): [text: string, values: unknown[]] {
  const values: unknown[] = [workspaceId, timezone]
  const add: AddParameter = (value, type) => `$${values.push(value)}::${type}`
  const [segment, after, upTo, at] = [
    add(id, 'bigint'),
    add(range.after, 'bigint'),
    add(range.upTo, 'bigint'),
    add(now, 'timestamptz'),
  ]
  const source = tableSource(add, (column) => `${column} > ${after} and ${column} <= ${upTo}`)
  const compiler = createRuleCompiler(context, add, source)
  const condition = compiler.condition(rule)
  const members = `(select) as one
    where m.workspace_id = $1 and m.segment_id = ${segment} and m.contact_id > ${after} and m.contact_id <= ${upTo}`
  const text = `with ${[...compiler.expressions(), ''].join(', ')} matched as materialized (
      select ${segment} as segment_id, c.id as contact_id from ${source.contacts} and ${condition} and $2::text is not null
    ), ${differencesSql(members, at)}
    select`
  return [text, values]
}
