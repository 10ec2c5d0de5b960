import type { QueryResult, QueryResultRow } from 'pg'
import type { Scope } from '../../domain/auth/scope.ts'
import type { ContactSort } from '../../../contract/audience/contact.ts'
import {
  ContactTooLarge,
  type Consent,
  type ContactCursor,
  type ContactEntry,
  type ContactPage,
  type ContactRow,
  type Membership,
  type TimelineCursor,
  type TimelineRow,
} from '../../domain/contacts/contact.ts'
import { inTransaction, type Database, type Queryable } from '../core/database.ts'
import { selectListOf } from '../core/sql.ts'
import type { SegmentRule } from '../../../contract/audience/segment-rule.ts'
import { clockOf } from '../../domain/segments/live.ts'
import type { WorkspaceRules } from '../segments/rule-context.ts'
import { createRuleCompiler, tableSource, type AddParameter } from '../segments/segment.sql.ts'
import { beginEvaluation } from '../segments/evaluation.ts'
import { rulesToFactsSql } from '../segments/touched.sql.ts'
import { touchSql } from './contact-touch.sql.ts'
import { timelineSql } from './timeline.sql.ts'
import { selectionSql, sortSql, type ContactSelection, type SelectionSql } from './contact-filter.sql.ts'

type Stored = Omit<ContactRow, 'lastActivityAt' | 'listState'>
const plainColumns: readonly (keyof Stored)[] = [
  'id',
  'email',
  'status',
  'fields',
  'timezone',
  'locale',
  'source',
  'createdAt',
  'updatedAt',
  'lastSentAt',
]
const columns = `${selectListOf<Stored>('c', plainColumns)},
  greatest(c.last_reply_at, c.last_click_at, c.last_open_at, c.last_sent_at) as "lastActivityAt"`

/** Share of the contacts that an estimate reads, and the least number for which it is worth one. */
const samplePercent = 1
const sampleMinCount = 20_000
/** Ids of a sample come in this many blocks: reading a block takes one descent of the index. */
const sampleBlockCount = 250

/** Longest statement of a page of contacts with a rule. */
const pageTimeoutMs = 60_000

/** Contacts of an export that are read at a time. */
const exportPageCount = 2000

/** A mail to a contact. */
export interface SentMail {
  subject: string
  state: string
  at: Date
  campaign: string | null
}

/** What became of entries: ids in their order, and how many were new. */
export interface Written {
  ids: number[]
  addedCount: number
}

const everybody: NonNullable<ContactSelection['rule']> = {
  rule: { all: [] },
  context: { today: '', fieldTypes: new Map(), lists: new Set(), segments: new Map(), campaigns: [] },
  timezone: 'UTC',
}

/** How many of the newest contacts a search reads before it uses the indexes. */
const newestCount = 5000
/** The same for rows that lie apart: in another order, or the newest matches with other conditions. */
const firstCount = 2000

/**
 * Whether a page of a search is looked for among the first contacts of its order and then in the indexes of the search. The
 * planner expects matches to be spread evenly and would read all contacts in that order, also where the matches are its last.
 */
const isFoundByIndexes = ({ search, rule }: ContactSelection): boolean =>
  rule === null && search !== null && search.trim() !== '' && !search.includes('@')

/** Gives what a page is selected from, as `c`. */
type PageSource = (
  sql: Pick<SelectionSql, 'searches' | 'others'>,
  page: { isAfter: string; orderBy: string; limit: string },
) => string

const allSource: PageSource = () => 'contacts c'

const firstSource =
  (count: number): PageSource =>
  (_sql, { isAfter, orderBy }) =>
    `(select * from contacts c where c.workspace_id = $1 and ${isAfter} order by ${orderBy} limit ${count}) c`

/** `offset 0` keeps the planner from the index of the order. */
const allMatches: PageSource = ({ searches, others }) =>
  `(select * from contacts c where ${others} and (${searches.join(' or ')}) offset 0) c`

/** Where a page of a selection is looked for, one after the other until it is full. The last one reads all that match. */
function sourcesOf(selection: ContactSelection, sort: ContactSort): PageSource[] {
  if (!isFoundByIndexes(selection)) return [allSource]
  if (sort !== 'newest') return [firstSource(firstCount), allMatches]
  const newestSource = firstSource(newestCount)
  const matches: PageSource = ({ searches, others }, { isAfter, limit }) =>
    matchesSql(
      searches.map((condition) => `${others} and ${condition}`),
      isAfter,
      limit,
    )
  if (selection.listId === null && selection.status === null) return [newestSource, matches]
  const newestMatches: PageSource = ({ searches }, { isAfter }) =>
    matchesSql(
      searches.map((condition) => `c.workspace_id = $1 and ${condition}`),
      isAfter,
      String(firstCount),
    )
  return [newestSource, newestMatches, matches]
}

/** The newest matches of each index, which are read without their rows. `offset 0` keeps the planner at the index. */
function matchesSql(conditions: readonly string[], isAfter: string, limit: string): string {
  const branches = conditions.map(
    (condition) =>
      `(select id from (select c.id from contacts c where ${condition} and ${isAfter} offset 0) m order by id desc limit ${limit})`,
  )
  return `(select * from contacts c where c.workspace_id = $1 and c.id = any(array(${branches.join(' union ')}))) c`
}

export type ContactStore = ReturnType<typeof createContactStore>

/** Contacts of workspaces. */
export function createContactStore({ pool }: Pick<Database, 'pool'>) {
  /** Runs a statement on the contacts of a selection. */
  const query = async <Row extends QueryResultRow>(
    { rule }: ContactSelection,
    text: string,
    values: unknown[],
  ): Promise<QueryResult<Row>> => {
    if (rule === null) return pool.query<Row>(text, values)
    return inTransaction(pool, ({ client }) => client.query<Row>(text, values), beginEvaluation(pageTimeoutMs))
  }

  return {
    /** A page, and the cursor of the next one if there is one. */
    async list(
      { workspaceId }: Scope,
      selection: ContactSelection,
      { sort, limit, after }: ContactPage,
    ): Promise<{ rows: ContactRow[]; next: ContactCursor | null }> {
      let rows: (ContactRow & { cursor: string })[] = []
      for (const source of sourcesOf(selection, sort)) {
        const sql = selectionSql(workspaceId, selection)
        const { orderBy, isAfter, cursorColumn } = sortSql(sort, after, sql.add)
        const most = sql.add(limit + 1, 'integer')
        const text = `${sql.with} select ${columns}, ${cursorColumn} as cursor${sql.listState}
          from ${source(sql, { isAfter, orderBy, limit: most })}
          where ${sql.where} and ${isAfter} order by ${orderBy} limit ${most}`
        rows = (await query<ContactRow & { cursor: string }>(selection, text, sql.values)).rows
        if (rows.length > limit) break
      }
      const last = rows.length > limit ? rows[limit - 1] : undefined
      return {
        rows: rows.slice(0, limit).map(({ cursor: _cursor, ...row }) => row),
        next: last === undefined ? null : { value: last.cursor, id: last.id },
      }
    },

    /** All that match, oldest first, in pages; the next page is read while one is used. */
    async *all({ workspaceId }: Scope, selection: ContactSelection): AsyncGenerator<readonly ContactRow[]> {
      const read = async (after: number) => {
        const sql = selectionSql(workspaceId, selection)
        const text = `${sql.with} select ${columns} from contacts c where ${sql.where} and c.id > ${sql.add(after, 'bigint')}
          order by c.id limit ${exportPageCount}`
        return (await query<ContactRow>(selection, text, sql.values)).rows
      }
      for (let next: Promise<ContactRow[]> | null = read(0); next !== null;) {
        const rows: ContactRow[] = await next
        const last = rows.at(-1)
        next = last === undefined || rows.length < exportPageCount ? null : read(last.id)
        // An error is thrown at the next turn, not before.
        next?.catch(() => undefined)
        yield rows
      }
    },

    /** What was sent to an address, newest first; reads all deliveries of the workspace. */
    async listDeliveries({ workspaceId }: Scope, email: string): Promise<SentMail[]> {
      const { rows } = await pool.query<SentMail>(
        `select m.subject, d.state, coalesce(d.settled_at, d.created_at) as at, d.campaign_id as campaign
         from deliveries d join messages m on m.workspace_id = d.workspace_id and m.id = d.message_id
         where d.workspace_id = $1 and lower(d.recipient) = lower($2) order by 3 desc, d.id desc`,
        [workspaceId, email],
      )
      return rows
    },

    /** How many match. Throws where it takes longer than `timeoutMs`. */
    async count({ workspaceId }: Scope, selection: ContactSelection, timeoutMs: number): Promise<number> {
      const sql = selectionSql(workspaceId, selection)
      return inTransaction(
        pool,
        async ({ client }) => {
          const { rows } = await client.query<{ count: number }>(
            `${sql.with} select count(*) as count from contacts c where ${sql.where}`,
            sql.values,
          )
          return rows[0]?.count ?? 0
        },
        beginEvaluation(timeoutMs),
      )
    },

    /** How many match each rule, in one pass. Throws where it takes longer than `timeoutMs`. */
    async countEach(
      { workspaceId }: Scope,
      rules: readonly SegmentRule[],
      { context, timezone }: WorkspaceRules,
      timeoutMs: number,
    ): Promise<number[]> {
      const values: unknown[] = [workspaceId, timezone]
      const add: AddParameter = (value, type) => `$${values.push(value)}::${type}`
      const source = tableSource(add)
      const compiler = createRuleCompiler(context, add, source)
      const counts = rules.map((rule) => `count(*) filter (where ${compiler.condition(rule)})`)
      const expressions = compiler.expressions()
      return inTransaction(
        pool,
        async ({ client }) => {
          const { rows } = await client.query<{ counts: number[] }>(
            `${expressions.length > 0 ? `with ${expressions.join(', ')}` : ''}
             select array[${counts.join(', ')}]::int[] as counts from ${source.contacts} and $2::text is not null`,
            values,
          )
          return rows[0]?.counts ?? []
        },
        beginEvaluation(timeoutMs),
      )
    },

    /**
     * About how many match, from a sample of ids; null where there are so few that counting is as quick, and for rules on mails:
     * finding those of a sample takes as long as finding all.
     */
    async estimate({ workspaceId }: Scope, selection: ContactSelection): Promise<number | null> {
      const rule = selection.rule ?? everybody
      if (clockOf(rule.rule, rule.context.segments) === 'mails') return null
      const { rows: ranges } = await pool.query<{ first: number | null; last: number | null }>(
        `select min(id) as first, max(id) as last from contacts where workspace_id = $1`,
        [workspaceId],
      )
      const { first = null, last = null } = ranges[0] ?? {}
      if (first === null || last === null || last - first < sampleMinCount) return null
      const step = Math.ceil((last - first + 1) / sampleBlockCount)
      const width = Math.ceil((step * samplePercent) / 100)
      // Multiples of the golden ratio spread the blocks, so that no pattern in the order of the contacts repeats with them.
      const starts = Array.from(
        { length: sampleBlockCount },
        (_, at) => first + at * step + Math.floor(((at * 0.618_033_988_75) % 1) * (step - width + 1)),
      )
      const sql = selectionSql(workspaceId, { ...selection, rule }, (of, context, { timezone }) => {
        const values: unknown[] = [workspaceId, timezone]
        const add: AddParameter = (value, type) => `$${values.push(value)}::${type}`
        const sample = `select c.* from unnest(${add(starts, 'bigint[]')}) as block (start) cross join lateral (
          select * from contacts c
          where c.workspace_id = $1 and c.id >= block.start and c.id < block.start + ${add(width, 'bigint')}
            and $2::text is not null
        ) as c`
        const { with: expressions, conditions } = rulesToFactsSql([of], context, add, sample)
        return { with: expressions, where: conditions[0] ?? 'true', values }
      })
      const { rows } = await pool.query<{ count: number }>(
        `${sql.with} select count(*) as count from facts c where ${sql.where}`,
        sql.values,
      )
      return Math.round(((rows[0]?.count ?? 0) * step) / width)
    },

    async find({ workspaceId }: Scope, id: string): Promise<ContactRow | null> {
      const { rows } = await pool.query<ContactRow>(
        `select ${columns} from contacts c where c.workspace_id = $1 and c.id = $2`,
        [workspaceId, id],
      )
      return rows[0] ?? null
    },

    /** Null where a contact has the address already. */
    async create(
      { workspaceId }: Scope,
      entry: ContactEntry,
      { source, at }: { source: string; at: Date },
    ): Promise<number | null> {
      const added = await insert(pool, workspaceId, [entry], { source, at })
      return added.get(entry.key) ?? null
    },

    /**
     * Adds or changes contacts of different addresses, all or none. `maxBytes`: of the fields of one; throws
     * ContactTooLarge where a change would exceed it.
     */
    async upsert(
      { workspaceId }: Scope,
      entries: readonly ContactEntry[],
      { source, at, maxBytes }: { source: string; at: Date; maxBytes: number },
    ): Promise<Written> {
      return inTransaction(pool, async ({ client }) => {
        const added = await insert(client, workspaceId, entries, { source, at })
        const others = entries.filter(({ key }) => !added.has(key))
        const changed = others.length === 0 ? new Map<string, number>() : await change(client, workspaceId, others, at)
        const large = await client.query(
          `select from contacts c where c.workspace_id = $1 and c.email_key = any($2::text[])
             and octet_length(c.fields::text) > $3 limit 1`,
          [workspaceId, others.map(({ key }) => key), maxBytes],
        )
        if (large.rowCount !== 0) throw new ContactTooLarge()
        return {
          ids: entries.map(({ key }) => added.get(key) ?? changed.get(key) ?? 0),
          addedCount: added.size,
        }
      })
    },

    /**
     * Changes one contact; its old address is kept as a hash, the last five. `taken`: another contact has the new address.
     * Null without such a contact.
     */
    async update(
      { workspaceId }: Scope,
      id: string,
      { email, key, fields, timezone, locale }: Partial<ContactEntry>,
      { at, maxBytes }: { at: Date; maxBytes: number },
    ): Promise<'changed' | 'taken' | 'too_large' | null> {
      const { rows } = await pool.query<{ isTaken: boolean; isTooLarge: boolean | null; isChanged: boolean }>(
        `with given as materialized (
           select c.id, jsonb_strip_nulls(c.fields || $3::jsonb) as fields from contacts c
           where c.workspace_id = $1 and c.id = $2 for update
         ), other as (
           select from contacts c where c.workspace_id = $1 and c.email_key = $5 and c.id <> $2
         ), changed as (
           update contacts c set fields = given.fields, updated_at = $8,
             email = coalesce($4, c.email), email_key = coalesce($5, c.email_key),
             timezone = case when $9 then $6 else c.timezone end,
             locale = case when $10 then $7 else c.locale end,
             status = case when $5 is null then c.status else coalesce(
               (select s.reason from suppressions s where s.workspace_id = $1 and s.email = $5), 'active') end,
             old_address_hashes = case when $5 is null or $5 = c.email_key then c.old_address_hashes
               else (array[substr(sha256(convert_to(c.email_key, 'UTF8')), 1, 16)] || c.old_address_hashes)[1:5] end
           from given
           where c.workspace_id = $1 and c.id = given.id and not exists (select from other)
             and octet_length(given.fields::text) <= $11
           returning c.id
         ), touched as (${touchSql('changed')})
         select exists (select from other) as "isTaken",
           (select octet_length(fields::text) > $11 from given) as "isTooLarge",
           exists (select from changed) as "isChanged"`,
        [
          workspaceId,
          id,
          JSON.stringify(fields ?? {}),
          email ?? null,
          key ?? null,
          timezone ?? null,
          locale ?? null,
          at,
          timezone !== undefined,
          locale !== undefined,
          maxBytes,
        ],
      )
      const [row] = rows
      if (!row || row.isTooLarge === null) return null
      if (row.isTaken) return 'taken'
      return row.isChanged ? 'changed' : 'too_large'
    },

    async remove({ workspaceId }: Scope, id: string): Promise<boolean> {
      const { rows } = await pool.query(
        `with gone as (
           delete from contacts c where c.workspace_id = $1 and c.id = $2 returning c.id
         ), touched as (${touchSql('gone')})
         select from gone`,
        [workspaceId, id],
      )
      return rows.length === 1
    },

    async listMemberships({ workspaceId }: Scope, id: string): Promise<Membership[]> {
      const { rows } = await pool.query<Membership>(
        `select l.id as "listId", l.name, m.state, m.at from list_members m
           join lists l on l.workspace_id = m.workspace_id and l.id = m.list_id and l.deleted_at is null
         where m.workspace_id = $1 and m.contact_id = $2 order by lower(l.name)`,
        [workspaceId, id],
      )
      return rows
    },

    /** Its own consents, those of its memberships, and the one of the import that created it; newest first. */
    async listConsents({ workspaceId }: Scope, id: string): Promise<Consent[]> {
      const { rows } = await pool.query<Consent>(
        `select s.kind, s.text, s.at from consents s
         where s.workspace_id = $1 and (s.contact_id = $2
           or s.id in (select m.consent_id from list_members m where m.workspace_id = $1 and m.contact_id = $2)
           or s.import_id = (select c.import_id from contacts c where c.workspace_id = $1 and c.id = $2))
         order by s.at desc, s.id desc limit 100`,
        [workspaceId, id],
      )
      return rows
    },

    /** Campaigns, consents, memberships and the creation, newest first, those behind `after`. */
    async listTimeline(
      { workspaceId }: Scope,
      id: string,
      after: TimelineCursor | null,
      limit: number,
    ): Promise<TimelineRow[]> {
      const values = [workspaceId, id, after?.at ?? null, limit, after?.skipCount ?? 0]
      const { rows } = await pool.query<TimelineRow>(timelineSql, values)
      return rows
    },
  }
}

/** Adds those whose addresses are new; gives their ids by key. Their status is the reason of a suppression, if one exists. */
async function insert(
  client: Queryable,
  workspaceId: string,
  entries: readonly ContactEntry[],
  { source, at }: { source: string; at: Date },
): Promise<Map<string, number>> {
  const { rows } = await client.query<{ key: string; id: number }>(
    `with added as (
       insert into contacts (workspace_id, email, email_key, status, fields, timezone, locale, source, created_at, updated_at)
       select $1, given.email, given.key, coalesce(s.reason, 'active'), jsonb_strip_nulls(given.fields::jsonb),
         given.timezone, given.locale, $7, $8, $8
       from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
           with ordinality as given (email, key, fields, timezone, locale, position)
         left join suppressions s on s.workspace_id = $1 and s.email = given.key
       order by given.position
       on conflict (workspace_id, email_key) do nothing
       returning email_key as key, id
     ), touched as (${touchSql('added')})
     select key, id from added`,
    [
      workspaceId,
      entries.map(({ email }) => email),
      entries.map(({ key }) => key),
      entries.map(({ fields }) => JSON.stringify(fields)),
      entries.map(({ timezone }) => timezone ?? null),
      entries.map(({ locale }) => locale ?? null),
      source,
      at,
    ],
  )
  return new Map(rows.map(({ key, id }) => [key, id]))
}

/** Changes existing contacts; gives their ids by key. */
async function change(
  client: Queryable,
  workspaceId: string,
  entries: readonly ContactEntry[],
  at: Date,
): Promise<Map<string, number>> {
  const { rows } = await client.query<{ key: string; id: number }>(
    `with changed as (
       update contacts c set fields = jsonb_strip_nulls(c.fields || given.fields::jsonb), updated_at = $8,
         timezone = case when given.sets_timezone then given.timezone else c.timezone end,
         locale = case when given.sets_locale then given.locale else c.locale end
       from unnest($2::text[], $3::text[], $4::text[], $5::boolean[], $6::text[], $7::boolean[])
         as given (key, fields, timezone, sets_timezone, locale, sets_locale)
       where c.workspace_id = $1 and c.email_key = given.key
       returning c.email_key as key, c.id
     ), touched as (${touchSql('changed')})
     select key, id from changed`,
    [
      workspaceId,
      entries.map(({ key }) => key),
      entries.map(({ fields }) => JSON.stringify(fields)),
      entries.map(({ timezone }) => timezone ?? null),
      entries.map(({ timezone }) => timezone !== undefined),
      entries.map(({ locale }) => locale ?? null),
      entries.map(({ locale }) => locale !== undefined),
      at,
    ],
  )
  return new Map(rows.map(({ key, id }) => [key, id]))
}
