import { eventFlags, eventKinds } from '../../../../contract/results/event.ts'
import { markContactsSql } from '../../suppressions/suppression.ts'
import { erasedRecipient, isErasedSql } from '../../suppressions/erased-address.sql.ts'
import type { Consumer } from './consumer.ts'

const { bounced, complained, unsubscribed } = eventKinds

/** Dead addresses, complaints, and requests to stop that arrived by mail are suppressed; the stronger reason stays. */
export const suppressions: Consumer = {
  name: 'suppressions',
  kinds: new Set([bounced, complained, unsubscribed]),
  columns: ['at', 'kind', 'campaign_id', 'email', 'flags', 'detail', 'new_id'],
  statement: `, entry as (
      select distinct on (email) email, new_id, campaign_id, detail ->> 'words' as detail, at,
        case kind when ${bounced} then 'bounced' when ${complained} then 'complained' else 'unsubscribed' end as reason
      from batch
      where email is not null and email <> '${erasedRecipient}'
        and (kind = ${complained} or kind = ${bounced} and detail ->> 'action' = 'dead'
          or kind = ${unsubscribed} and flags & ${eventFlags.suppresses} <> 0)
      order by email, case kind when ${complained} then 1 when ${unsubscribed} then 2 else 3 end
    ), written as (
      insert into suppressions as s (workspace_id, id, email, reason, campaign_id, detail, created_at)
      select $1, entry.new_id, entry.email, entry.reason, entry.campaign_id, entry.detail, entry.at from entry
      where not ${isErasedSql('$1', 'entry.email')}
      on conflict (workspace_id, email) do update set
        reason = excluded.reason, campaign_id = excluded.campaign_id, detail = coalesce(excluded.detail, s.detail),
        created_at = excluded.created_at, changed_at = now()
      where s.reason in ('bounced', 'manual') and excluded.reason in ('unsubscribed', 'complained')
      returning workspace_id, email, reason
    ), ${markContactsSql}
    select from written`,
}
