import type { SegmentRule } from '../../../contract/audience/segment-rule.ts'
import type { CampaignAudience } from '../../domain/campaigns/audience.ts'
import type { WorkspaceRules } from '../segments/rule-context.ts'
import { erasedHashSql } from '../suppressions/erased-address.sql.ts'
import { ruleToSql } from '../segments/segment.sql.ts'

export interface AudienceSql {
  /** Common table expressions: `source (source, id)` with one row for each source of a contact, and `excluded (id)`. */
  with: string
  /** Values of the parameters; `$1` is the workspace. */
  values: unknown[]
  /** Adds a parameter; returns its place. */
  add: (value: unknown, type: string) => string
}

/** Sources of an audience in the order of their numbers in `source`. */
export const sourcesOf = ({ listIds, segmentIds }: CampaignAudience) => [
  ...listIds.map((id) => ({ kind: 'list' as const, id })),
  ...segmentIds.map((id) => ({ kind: 'segment' as const, id })),
]

/** Contacts of an audience. `onlyIds`: condition on the column of a contact's id, such as that of a sample. */
export function audienceSql(
  workspaceId: string,
  audience: CampaignAudience,
  { context, timezone }: WorkspaceRules,
  onlyIds = (_id: string): string => 'true',
): AudienceSql {
  const segmentIds = [...audience.segmentIds, ...audience.excludeSegmentIds]
  const references = segmentIds.map((segment): SegmentRule => ({ segment, op: 'member_of' }))
  const ruled = ruleToSql({ any: references }, context, { workspaceId, timezone, onlyIds })
  const add = (value: unknown, type: string) => `$${ruled.values.push(value)}::${type}`
  const ofList = (id: string) => `select m.contact_id as id from list_members m
    where m.workspace_id = $1 and m.list_id = ${add(id, 'bigint')} and ${onlyIds('m.contact_id')}`
  // A deleted segment has no members.
  const ofSegment = (id: string) =>
    context.segments.has(id) ? `select id from segment_${BigInt(id)}` : 'select null::bigint as id where false'
  const selectOf = ({ kind, id }: { kind: 'list' | 'segment'; id: string }) =>
    kind === 'list' ? `${ofList(id)} and m.state = 'subscribed'` : ofSegment(id)
  const none = 'select null::bigint as id where $2::text is null'
  const sources = sourcesOf(audience).map(
    (source, index) => `select ${index} as source, id from (${selectOf(source)}) as s${index}`,
  )
  const excluded = [
    none,
    ...audience.excludeListIds.map((id) => ofList(id)),
    ...audience.excludeSegmentIds.map((id) => ofSegment(id)),
  ]
  const parts = [
    ...(ruled.with === '' ? [] : [ruled.with]),
    `source as (${[`select -1 as source, id from (${none}) as nobody`, ...sources].join(' union all ')})`,
    `excluded as materialized (${excluded.join(' union ')})`,
  ]
  return { with: parts.join(', '), values: ruled.values, add }
}

/** Hash of an address's key, as `campaign_recipients` and contacts hold it. */
export const addressHashSql = (key: string) => `substr(sha256(convert_to(${key}, 'UTF8')), 1, 16)`

/**
 * Whether the address `key` was erased. Hashes it only in a workspace that erased addresses.
 */
export const isErasedSql = (key: string) => `case when exists (select from erased_addresses where workspace_id = $1)
  then ${erasedHashSql(key, '(select address_salt from workspaces where id = $1)')}
    in (select address_hash from erased_addresses where workspace_id = $1) else false end`

/** Reason of a suppression `s`, null without one. */
export const suppressedReasonSql = `case s.reason when 'manual' then 'suppressed' else s.reason end`

/** Why the contact `c` with the suppression `s` gets no mail; null where it gets it. Needs `excluded`. */
export const leftOutReasonSql = `case
  when c.id in (select id from excluded) then 'excluded'
  when s.reason is not null then ${suppressedReasonSql}
  when c.status = 'manual' then 'suppressed'
  when c.status <> 'active' then c.status
  when ${isErasedSql('c.email_key')} then 'erased'
  when c.paused_until > now() then 'paused'
end`
