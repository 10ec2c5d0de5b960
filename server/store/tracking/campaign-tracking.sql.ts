import type { Scope } from '../../domain/auth/scope.ts'
import type { Queryable } from '../core/database.ts'

/** The strictest of two modes. */
export const strictestSql = (one: string, other: string): string =>
  `case when 'off' in (${one}, ${other}) then 'off' when 'counts' in (${one}, ${other}) then 'counts' else 'identified' end`

/** Scheme and host of the links of a workspace's new mails; null without a tracking domain in use. */
export const linkBaseSql = (workspaceId: string): string => `(
  select 'https://' || t.host from tracking_domains t
  where t.workspace_id = ${workspaceId} and t.state = 'active' order by t.created_at limit 1
)`

/** Fixes the tracking mode and the links of a campaign's messages, in the transaction that launches or rewrites it. */
export async function fixCampaignLinks(
  { workspaceId }: Scope,
  id: string,
  keyId: string,
  executor: Queryable,
): Promise<void> {
  await executor.query(
    `update messages m set tracking = ${strictestSql('w.tracking', 'coalesce(c.tracking, w.tracking)')},
       link_base = ${linkBaseSql('$1')}, link_key_id = $3
     from campaigns c, workspaces w
     where m.workspace_id = $1 and m.campaign_id = $2 and c.workspace_id = $1 and c.id = $2 and w.id = $1`,
    [workspaceId, id, keyId],
  )
}
