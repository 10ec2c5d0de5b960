import type { Pool } from 'pg'
import { verdicts } from '../../../contract/results/event.ts'
import { deliveryStates, type DeliveryState } from '../../../contract/mail/message.ts'
import { messagesCountMaxCount } from '../../../contract/mail/message.limits.ts'
import type { ListedMessageRow, MessageFigures, MessageFilter, SentMailRow } from '../../domain/messages/message.ts'
import type { Listed, PageQuery } from '../../domain/core/page.ts'
import { afterValues, isAfter, sortAtColumn, toPage } from '../core/page.ts'
import { findRow, inTransaction } from '../core/database.ts'
import type { Scope } from '../../domain/auth/scope.ts'

type FoundMessage = Omit<ListedMessageRow, 'counts'> & { states: Partial<Record<DeliveryState, number>> | null }

/** Longest search of a page; a slower one is given up. */
const boundedSql = "begin read only; set local statement_timeout = '2s'"
const canceledCode = '57014'

/** Lists of the messages that send calls accepted. */
export function createMessageList(pool: Pool) {
  return {
    /**
     * Newest first, without campaigns, account mails and test mails. `total` counts up to 1,000. `too_broad`: they
     * cannot be found in 2 s.
     */
    async list(
      { workspaceId }: Scope,
      { limit, offset, after, ...filter }: PageQuery & MessageFilter,
    ): Promise<Listed<ListedMessageRow> | 'too_broad'> {
      const { search, origin, mailboxId, state, from, to } = filter
      const values = [workspaceId, search, origin, mailboxId, state, from, to]
      try {
        return await inTransaction(
          pool,
          async ({ client }) => {
            const listed = await client.query<FoundMessage & { sortAt: string }>(listSql, [
              ...values,
              ...afterValues(after),
              limit + 1,
              offset,
            ])
            const counted = await client.query<{ total: number }>(countSql, [...values, messagesCountMaxCount])
            const page = toPage<FoundMessage>(listed.rows, limit)
            return { next: page.next, rows: page.rows.map(withCounts), total: counted.rows[0]?.total ?? 0 }
          },
          boundedSql,
        )
      } catch (error) {
        if ((error as { code?: unknown }).code === canceledCode) return 'too_broad'
        throw error
      }
    },

    /** Null for a message that is not tracked by recipient. */
    findFigures: ({ workspaceId }: Scope, id: string) =>
      findRow<MessageFigures>(
        pool,
        `select acted.opened, acted.clicked from messages m cross join lateral (${actedSql}) acted
         where m.workspace_id = $1 and m.id = $2 and m.tracking = 'identified'`,
        [workspaceId, id],
      ),

    /** A mail to one recipient; null if the workspace has no such message, or its content was deleted. */
    findSentMail: ({ workspaceId }: Scope, { id, deliveryId }: { id: string; deliveryId: number }) =>
      findRow<SentMailRow>(
        pool,
        `select m.from_address as "fromAddress", m.from_name as "fromName", m.reply_to as "replyTo",
           d.recipient, m.subject, m.content, m.is_html as "isHtml", m.text_part as "textPart", m.link_base as "linkBase", m.context, d.context as "ownContext",
           coalesce(m.extra_headers, '[]') as "extraHeaders", d.settled_at as "sentAt",
           case when m.cc <> '{}' or m.bcc <> '{}' then json_build_object('cc', m.cc, 'to', coalesce((
             select json_agg(o.recipient order by o.id) from deliveries o
             where o.workspace_id = $1 and o.message_id = m.id and o.recipient <> all(m.cc || m.bcc)
           ), '[]')) end as group
         from messages m join deliveries d on d.workspace_id = m.workspace_id and d.message_id = m.id
         where m.workspace_id = $1 and m.id = $2 and d.id = $3 and m.origin <> 'account' and m.context_sealed is null`,
        [workspaceId, id, deliveryId],
      ),
  }
}

const withCounts = ({ states, ...row }: FoundMessage): ListedMessageRow => ({
  ...row,
  counts: Object.fromEntries(deliveryStates.map((state) => [state, states?.[state] ?? 0])) as Record<
    DeliveryState,
    number
  >,
})

const isListed = `m.workspace_id = $1 and m.campaign_id is null and not m.is_test
  and m.origin in ('dashboard', 'api', 'embed', 'relay', 'form', 'reply')
  and ($3::text is null or m.origin = $3) and ($4::uuid is null or m.config_id = $4)
  and ($6::timestamptz is null or m.created_at >= $6) and ($7::timestamptz is null or m.created_at < $7)
  and ($5::text is null or exists (
    select from deliveries s where s.workspace_id = $1 and s.message_id = m.id and s.state = $5
  ))
  and ($2::text is null or strpos(lower(m.subject), $2) > 0 or exists (
    select from deliveries r where r.workspace_id = $1 and r.message_id = m.id and lower(r.recipient) = $2
  ))`

/** People who acted on the message m. */
const actedSql = `
  select count(*) filter (where e.open_verdict = ${verdicts.human})::int as opened,
    count(*) filter (where e.click_verdict = ${verdicts.human})::int as clicked
  from deliveries d
    join engagements e on e.workspace_id = $1 and e.source_id = m.config_id and e.delivery_id = d.id
  where d.workspace_id = $1 and d.message_id = m.id`

const listSql = `
  select m.id, m.from_address as "fromAddress", m.subject, m.created_at as "createdAt", m.config_id as "mailboxId",
    m.origin, counted.states, named.recipients, acted.opened, acted.clicked, ${sortAtColumn('m.created_at')}
  from (
    select m.id, m.from_address, m.subject, m.created_at, m.config_id, m.origin from messages m
    where ${isListed} and ${isAfter('desc', 8, { prefix: 'm.' })}
    order by m.created_at desc, m.id desc limit $10 offset $11
  ) m
    cross join lateral (
      select json_object_agg(state, count) as states from (
        select state, count(*) as count from deliveries where workspace_id = $1 and message_id = m.id group by state
      ) grouped
    ) counted
    cross join lateral (
      select coalesce(array_agg(recipient), '{}') as recipients from (
        select recipient from deliveries where workspace_id = $1 and message_id = m.id order by id limit 3
      ) first
    ) named
    cross join lateral (${actedSql}) acted
  order by m.created_at desc, m.id desc`

const countSql = `
  select count(*)::int as total from (select from messages m where ${isListed} limit $8) counted`
