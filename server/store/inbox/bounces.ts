import type { SuppressionReason } from '../../../contract/audience/suppression.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { InboxDetail } from '../../domain/inbox/inbox-mail.ts'
import type { InboxMatch } from '../../../contract/inbox/inbox.ts'
import type { Database } from '../core/database.ts'
import { addressHashSql } from '../events/consumers/address-hash.sql.ts'

/** One bounce or delay; `mail` is null where the mail server refused it while it was sent. */
export interface BounceRow {
  deliveryId: number
  recipient: string
  at: Date
  mail: { kind: 'bounce' | 'delay'; match: InboxMatch; detail: InboxDetail } | null
  /** The mail server's reply to the attempt to send. */
  reply: string | null
  suppressionId: string | null
  suppressionReason: SuppressionReason | null
  waitingCount: number
}

const bouncesMaxCount = 100

const bouncesSql = (whose: string) => `
  with mail as materialized (
    select d.month, d.id, d.recipient, d.state, d.reply, d.settled_at from deliveries d
    where d.workspace_id = $1 and ${whose} and (d.state in ('sent', 'failed', 'unknown'))
    order by d.id limit 1000
  ), back as (
    select mail.id, mail.recipient, i.received_at as at, null as reply,
      json_build_object('kind', i.kind, 'match', i.match, 'detail', i.detail) as found
    from mail join inbox_mails i on i.workspace_id = $1 and i.delivery_id = mail.id and i.kind in ('bounce', 'delay')
    union all
    select mail.id, mail.recipient, mail.settled_at, coalesce(mail.reply, ''), null from mail where mail.state = 'failed'
  )
  select back.id as "deliveryId", back.recipient, back.at, back.found as mail, back.reply,
    s.id as "suppressionId", s.reason as "suppressionReason", coalesce(h.soft_bounces, 0)::int as "waitingCount"
  from back
    left join suppressions s on s.workspace_id = $1 and s.email = lower(back.recipient)
    left join address_health h on h.workspace_id = $1 and h.address_hash = ${addressHashSql('lower(back.recipient)')}
  order by back.at, back.id limit ${bouncesMaxCount}`

/** Reads what came back of mails. */
export function createBounceList({ pool }: Pick<Database, 'pool'>) {
  return {
    /** Of a message. */
    async ofMessage({ workspaceId }: Scope, messageId: string): Promise<BounceRow[]> {
      const { rows } = await pool.query<BounceRow>(bouncesSql('d.message_id = $2'), [workspaceId, messageId])
      return rows
    },

    /** Of one recipient of a campaign. */
    async ofRecipient({ workspaceId }: Scope, campaignId: string, deliveryId: number): Promise<BounceRow[]> {
      const { rows } = await pool.query<BounceRow>(
        bouncesSql(
          `d.message_id in (select m.id from messages m where m.workspace_id = $1 and m.campaign_id = $2) and d.id = $3`,
        ),
        [workspaceId, campaignId, deliveryId],
      )
      return rows
    },
  }
}
