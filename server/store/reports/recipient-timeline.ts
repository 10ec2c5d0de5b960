import type { Scope } from '../../domain/auth/scope.ts'
import type { MailEventRow } from '../../domain/reports/report.ts'
import type { Queryable } from '../core/database.ts'

/** Events of one mail, the newest first. */
export function createRecipientTimeline(pool: Queryable) {
  return async (
    { workspaceId }: Scope,
    { id, ofMessageId, contactId }: { id: number; ofMessageId: string; contactId: number | null },
    limit: number,
  ): Promise<MailEventRow[]> => {
    const { rows } = await pool.query<MailEventRow>(timelineSql, [workspaceId, id, contactId, ofMessageId, limit])
    return rows
  }
}

// Each part has an index: events with a contact, and those without.
const timelineSql = `
  select e.at, e.kind, e.verdict, e.link_no as "linkNo", l.url, l.label, e.detail
  from (
    select at, seq, kind, verdict, link_no, detail from events
    where workspace_id = $1 and contact_id = $3::bigint and delivery_id = $2
    union all
    select at, seq, kind, verdict, link_no, detail from events
    where workspace_id = $1 and delivery_id = $2 and contact_id is null
  ) e left join tracked_links l on l.workspace_id = $1 and l.message_id = $4 and l.no = e.link_no
  order by e.at desc, e.seq desc limit $5`
