import type { FieldValue } from '../../domain/contacts/field-value.ts'
import {
  isEmptyAudience,
  type AudienceCounts,
  type CampaignAudience,
  type DeletedReference,
  type LeftOutCounts,
} from '../../domain/campaigns/audience.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { inTransaction, type Database, type Queryable } from '../core/database.ts'
import { beginEvaluation } from '../segments/evaluation.ts'
import type { WorkspaceRules } from '../segments/rule-context.ts'
import { audienceSql, isErasedSql, leftOutReasonSql, sourcesOf, suppressedReasonSql } from './audience.sql.ts'

/** A contact of an audience. */
export interface AudiencePersonRow {
  id: number
  email: string
  /** Values by field number. */
  fields: Record<string, FieldValue>
}

/** Addresses beside lists and segments: keys of addresses, or those that a campaign has. */
export type Addressed = { keys: readonly string[] } | { campaignId: string }

const timeoutMs = 10_000
/** Share of the contacts that an estimate reads, and the least number for which it is worth one. */
const sampleDivisor = 100
const sampleMinCount = 20_000

export type CampaignAudienceStore = ReturnType<typeof createCampaignAudienceStore>

/** Counts and lists the people of audiences. */
export function createCampaignAudienceStore({ pool }: Pick<Database, 'pool'>) {
  const countOnce = async (
    client: Queryable,
    { workspaceId }: Scope,
    audience: CampaignAudience,
    rules: WorkspaceRules,
    { addressed, isSample }: { addressed: Addressed; isSample: boolean },
  ): Promise<AudienceCounts> => {
    const onlyIds = isSample ? (id: string) => `${id} % ${sampleDivisor} = 0` : undefined
    const sql = audienceSql(workspaceId, audience, rules, onlyIds)
    const given =
      'keys' in addressed
        ? `select g.key from unnest(${sql.add(addressed.keys, 'text[]')}) as g (key)`
        : `select lower(d.recipient) as key from messages m
             join deliveries d on d.workspace_id = m.workspace_id and d.message_id = m.id
           where m.workspace_id = $1 and m.campaign_id = ${sql.add(addressed.campaignId, 'uuid')}`
    const { rows } = await client.query<CountRow>(countSql(sql.with, given), sql.values)
    return toCounts(rows[0], audience, isSample)
  }

  return {
    /**
     * An estimate from a sample of the contacts; null where there are so few that counting is as quick. Further addresses are
     * not in it.
     */
    async estimate(scope: Scope, audience: CampaignAudience, rules: WorkspaceRules): Promise<AudienceCounts | null> {
      if (isEmptyAudience(audience)) return null
      const { rows } = await pool.query<{ range: number | null }>(
        'select max(id) - min(id) as range from contacts where workspace_id = $1',
        [scope.workspaceId],
      )
      if ((rows[0]?.range ?? 0) < sampleMinCount) return null
      return inTransaction(
        pool,
        ({ client }) => countOnce(client, scope, audience, rules, { addressed: { keys: [] }, isSample: true }),
        beginEvaluation(timeoutMs),
      )
    },

    /** Throws where it takes longer than 10 s. */
    async count(
      scope: Scope,
      audience: CampaignAudience,
      rules: WorkspaceRules,
      addressed: Addressed,
    ): Promise<AudienceCounts> {
      return inTransaction(
        pool,
        ({ client }) => countOnce(client, scope, audience, rules, { addressed, isSample: false }),
        beginEvaluation(timeoutMs),
      )
    },

    /** Contacts who get the mail, by id after `afterId`; `prefix`: beginning of the address, in lower case. */
    async listPeople(
      { workspaceId }: Scope,
      audience: CampaignAudience,
      rules: WorkspaceRules,
      { afterId, limit, prefix }: { afterId: number; limit: number; prefix: string },
    ): Promise<{ rows: AudiencePersonRow[]; nextId: number | null }> {
      const sql = audienceSql(workspaceId, audience, rules, (id) => `${id} > ${Math.trunc(afterId)}`)
      const { rows } = await inTransaction(
        pool,
        ({ client }) =>
          client.query<AudiencePersonRow>(
            `with ${sql.with} select c.id, c.email, c.fields from contacts c
           left join suppressions s on s.workspace_id = $1 and s.email = c.email_key
         where c.workspace_id = $1 and c.id in (select id from source) and starts_with(c.email_key, ${sql.add(prefix, 'text')})
           and ${leftOutReasonSql} is null
         order by c.id limit ${sql.add(limit + 1, 'integer')}`,
            sql.values,
          ),
        beginEvaluation(timeoutMs),
      )
      const page = rows.slice(0, limit)
      return { rows: page, nextId: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
    },

    /** Names of something that was deleted, and of the segment that refers to it. */
    async findNames(
      { workspaceId }: Scope,
      { kind, id, segmentId }: DeletedReference,
    ): Promise<{ name: string; segmentName: string | null }> {
      const { rows } = await pool.query<{ name: string | null; segmentName: string | null }>(
        `select case $2
             when 'field' then (select label from contact_fields where workspace_id = $1 and no = $3::bigint)
             when 'list' then (select name from lists where workspace_id = $1 and id = $3::bigint)
             else (select name from segments where workspace_id = $1 and id = $3::bigint) end as name,
           (select name from segments where workspace_id = $1 and id = $4::bigint) as "segmentName"`,
        [workspaceId, kind, id, segmentId],
      )
      return { name: rows[0]?.name ?? id, segmentName: rows[0]?.segmentName ?? null }
    },
  }
}

interface CountRow {
  sources: { source: number; count: number }[] | null
  reasons: { reason: string | null; count: number }[] | null
  overlaps: number
}

/** Source of the further addresses, behind those of any audience. */
const addressedSource = 1_000_000

/** People of the sources and of the addresses that `given` selects as `key`; those of an address without a contact are strangers. */
const countSql = (expressions: string, given: string): string => `
  with ${expressions}, addressed as materialized (
    select g.key, c.id from (select distinct key from (${given}) as given) as g
      left join contacts c on c.workspace_id = $1 and c.email_key = g.key
  ), every as materialized (
    select source, id from source union all select ${addressedSource}, id from addressed where id is not null
  ), judged as materialized (
    select member.sources, ${leftOutReasonSql} as reason
    from (select id, count(distinct source) as sources from every group by id) as member
      join contacts c on c.workspace_id = $1 and c.id = member.id
      left join suppressions s on s.workspace_id = $1 and s.email = c.email_key
    union all
    select 1, coalesce(${suppressedReasonSql}, case when ${isErasedSql('a.key')} then 'erased' end)
    from addressed a left join suppressions s on s.workspace_id = $1 and s.email = a.key where a.id is null
  )
  select (
      select json_agg(json_build_object('source', counted.source, 'count', counted.count)) from (
        select source, count(*) as count from (
          select source from every union all select ${addressedSource} from addressed where id is null
        ) as one group by source
      ) as counted
    ) as sources,
    (
      select json_agg(json_build_object('reason', counted.reason, 'count', counted.count))
      from (select reason, count(*) as count from judged group by reason) as counted
    ) as reasons,
    (select coalesce(sum(sources - 1), 0)::int from judged) as overlaps`

function toCounts(row: CountRow | undefined, audience: CampaignAudience, isSample: boolean): AudienceCounts {
  const scale = isSample ? sampleDivisor : 1
  const counted = new Map(row?.sources?.map(({ source, count }) => [source, count * scale]))
  const reasons = row?.reasons ?? []
  const leftOut = Object.fromEntries(
    reasons.flatMap(({ reason, count }) => (reason === null ? [] : [[reason, count * scale]])),
  ) as LeftOutCounts
  const sources: AudienceCounts['sources'] = sourcesOf(audience).map(({ kind, id }, index) => ({
    kind,
    id,
    count: counted.get(index) ?? 0,
  }))
  const addressedCount = counted.get(addressedSource) ?? 0
  if (addressedCount > 0) sources.push({ kind: 'recipients', id: null, count: addressedCount })
  return {
    isEstimate: isSample,
    count: (reasons.find(({ reason }) => reason === null)?.count ?? 0) * scale,
    sources,
    overlapCount: (row?.overlaps ?? 0) * scale,
    leftOut,
  }
}
