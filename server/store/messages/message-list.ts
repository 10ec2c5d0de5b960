import { deliveryStates, type DeliveryState } from '../../../contract/mail/message.ts'
import { messagesCountMaxCount } from '../../../contract/core/limits.ts'
import type { MessageSummaryRow } from '../../domain/messages/message.ts'
import type { Queryable } from '../core/database.ts'
import type { Scope } from '../../domain/auth/scope.ts'

/** What send calls accepted, as lists show it. */
export function createMessageList(pool: Queryable) {
  return {
    /** Newest first, campaigns and test mails left out. `total` counts up to 1,000. */
    async list(
      { workspaceId }: Scope,
      page: { limit: number; offset: number },
    ): Promise<{ rows: MessageSummaryRow[]; total: number }> {
      const [listed, counted] = await Promise.all([
        pool.query<Omit<MessageSummaryRow, 'counts'> & { states: Partial<Record<DeliveryState, number>> | null }>({
          name: 'list-messages',
          text: listText,
          values: [workspaceId, page.limit, page.offset],
        }),
        pool.query<{ total: number }>({
          name: 'count-messages',
          text: countText,
          values: [workspaceId, messagesCountMaxCount],
        }),
      ])
      return {
        rows: listed.rows.map(({ states, ...row }) => ({
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

const listText = `
  select m.id, m.from_address as "fromAddress", m.subject, m.created_at as "createdAt", counted.states
  from (
    select id, from_address, subject, created_at from messages
    where workspace_id = $1 and campaign_id is null and not is_test
    order by created_at desc, id desc limit $2 offset $3
  ) m
    cross join lateral (
      select json_object_agg(state, count) as states from (
        select state, count(*) as count from deliveries where message_id = m.id group by state
      ) grouped
    ) counted
  order by m.created_at desc, m.id desc`

const countText = `
  select count(*)::int as total from (
    select from messages where workspace_id = $1 and campaign_id is null and not is_test limit $2
  ) counted`
