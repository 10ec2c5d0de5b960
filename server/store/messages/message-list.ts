import { deliveryStates, type DeliveryState } from '../../../contract/mail/message.ts'
import { messagesCountMaxCount } from '../../../contract/mail/message.limits.ts'
import type { MessageSummaryRow } from '../../domain/messages/message.ts'
import type { Listed, PageQuery } from '../../domain/core/page.ts'
import { afterValues, isAfter, sortAtColumn, toPage } from '../core/page.ts'
import type { Queryable } from '../core/database.ts'
import type { Scope } from '../../domain/auth/scope.ts'

type FoundMessage = Omit<MessageSummaryRow, 'counts'> & { states: Partial<Record<DeliveryState, number>> | null }

/** Lists of the messages that send calls accepted. */
export function createMessageList(pool: Queryable) {
  return {
    /** Newest first, without campaigns and test mails. `total` counts up to 1,000. */
    async list({ workspaceId }: Scope, { limit, offset, after }: PageQuery): Promise<Listed<MessageSummaryRow>> {
      const [listed, counted] = await Promise.all([
        pool.query<FoundMessage & { sortAt: string }>({
          text: listSql,
          values: [workspaceId, ...afterValues(after), limit + 1, offset],
        }),
        pool.query<{ total: number }>({
          name: 'count-messages',
          text: countSql,
          values: [workspaceId, messagesCountMaxCount],
        }),
      ])
      const page = toPage<FoundMessage>(listed.rows, limit)
      return {
        next: page.next,
        rows: page.rows.map(({ states, ...row }) => ({
          ...row,
          counts: Object.fromEntries(deliveryStates.map((state) => [state, states?.[state] ?? 0])) as Record<
            DeliveryState,
            number
          >,
        })),
        total: counted.rows[0]?.total ?? 0,
      }
    },
  }
}

const listSql = `
  select m.id, m.from_address as "fromAddress", m.subject, m.created_at as "createdAt", counted.states,
    ${sortAtColumn('m.created_at')}
  from (
    select id, from_address, subject, created_at from messages
    where workspace_id = $1 and campaign_id is null and not is_test and ${isAfter('desc', 2)}
    order by created_at desc, id desc limit $4 offset $5
  ) m
    cross join lateral (
      select json_object_agg(state, count) as states from (
        select state, count(*) as count from deliveries where workspace_id = $1 and message_id = m.id group by state
      ) grouped
    ) counted
  order by m.created_at desc, m.id desc`

const countSql = `
  select count(*)::int as total from (
    select from messages where workspace_id = $1 and campaign_id is null and not is_test limit $2
  ) counted`
