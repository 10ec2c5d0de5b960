import type { CampaignAudience } from '../../domain/campaigns/audience.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { Queryable } from '../core/database.ts'

const partColumn = (name: keyof CampaignAudience, side: 'include' | 'exclude', kind: 'list' | 'segment') =>
  `'${name}', (select coalesce(json_agg(u.ref_id::text order by u.ref_id), '[]') from campaign_audiences u
    where u.workspace_id = campaigns.workspace_id and u.campaign_id = campaigns.id and u.side = '${side}' and u.kind = '${kind}')`

/** Column of a row of `campaigns`: its audience. */
export const audienceColumn = `json_build_object(
  ${partColumn('listIds', 'include', 'list')}, ${partColumn('segmentIds', 'include', 'segment')},
  ${partColumn('excludeListIds', 'exclude', 'list')}, ${partColumn('excludeSegmentIds', 'exclude', 'segment')}) as audience`

/** Replaces the audience of a campaign. */
export async function writeAudience(
  { workspaceId }: Scope,
  executor: Queryable,
  id: string,
  { listIds, segmentIds, excludeListIds, excludeSegmentIds }: CampaignAudience,
): Promise<void> {
  const rows = [
    ...listIds.map((ref) => ['include', 'list', ref] as const),
    ...segmentIds.map((ref) => ['include', 'segment', ref] as const),
    ...excludeListIds.map((ref) => ['exclude', 'list', ref] as const),
    ...excludeSegmentIds.map((ref) => ['exclude', 'segment', ref] as const),
  ]
  await executor.query('delete from campaign_audiences where workspace_id = $1 and campaign_id = $2', [workspaceId, id])
  if (rows.length === 0) return
  await executor.query(
    `insert into campaign_audiences (workspace_id, campaign_id, side, kind, ref_id)
     select $1, $2, given.side, given.kind, given.ref_id
     from unnest($3::text[], $4::text[], $5::bigint[]) as given (side, kind, ref_id)`,
    [workspaceId, id, rows.map(([side]) => side), rows.map(([, kind]) => kind), rows.map(([, , ref]) => ref)],
  )
}
