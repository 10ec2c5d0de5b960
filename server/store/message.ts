import { and, asc, count, eq, inArray } from 'drizzle-orm'
import type pg from 'pg'
import { deliveryStates, type DeliveryState } from '../../contract/message.ts'
import type { MergeContext } from '../../contract/merge-variables.ts'
import type { MessageContent } from '../domain/delivery.ts'
import type { MessageRow, NewDeliveries, NewMessage } from '../domain/message.ts'
import type { Database } from './database.ts'
import { deliveries, messages } from './schema.ts'
import type { Place, Vault } from './vault.ts'

const placeOf = ({ id, workspaceId }: { id: string; workspaceId: string }): Place => ({
  table: 'messages',
  column: 'context_sealed',
  row: id,
  workspace: workspaceId,
})

export type MessageStore = ReturnType<typeof createMessageStore>

/** Accepted messages and where their deliveries stand. */
export function createMessageStore({ orm, pool }: Pick<Database, 'orm' | 'pool'>, vault: Pick<Vault, 'seal' | 'open'>) {
  return {
    /**
     * Writes the message and one delivery for each recipient in one statement; what it returns is committed, unless
     * `executor` is in a transaction. False where the mailbox was deleted meanwhile: nothing is written then.
     */
    async accept(message: NewMessage, executor: Pick<pg.Pool, 'query'> = pool): Promise<boolean> {
      const sealed = message.sealContext ? vault.seal(JSON.stringify(message.context), placeOf(message)) : null
      const suppressed = message.suppressedRecipients ?? []
      const { rows } = await executor.query<{ isAccepted: boolean }>({
        name: 'accept-message',
        text: acceptText,
        values: [
          message.id,
          message.workspaceId,
          message.configId,
          message.fromAddress,
          message.subject,
          message.content,
          message.isHtml,
          message.sealContext ? '{}' : JSON.stringify(message.context),
          sealed,
          message.extraHeaders ? JSON.stringify(message.extraHeaders) : null,
          message.campaignId ?? null,
          [...message.recipients, ...suppressed],
          message.recipients.length,
        ],
      })
      return rows[0]?.isAccepted ?? false
    },

    /**
     * Adds recipients to an accepted message, a few thousand at a time; each call is one statement, and what it returns is
     * committed. Gives how many rows it wrote: none where the message is gone. Call `analyze` after the last.
     */
    async addDeliveries({ messageId, recipients }: NewDeliveries): Promise<number> {
      const { rowCount } = await pool.query({
        name: 'add-deliveries',
        text: addDeliveriesText,
        values: [
          messageId,
          recipients.map(({ address }) => address),
          recipients.map(({ context }) => (context === null ? null : JSON.stringify(context))),
          recipients.map(({ isSuppressed = false }) => isSuppressed),
        ],
      })
      return rowCount ?? 0
    },

    /** To be called after many rows were added at once: without it the planner believes that the queue is short. */
    async analyze(): Promise<void> {
      await pool.query('analyze deliveries')
    },

    /**
     * What messages' mails are built from, their contexts in clear; for the sender only. Without those that are gone. Throws
     * VaultError where a context does not open.
     */
    async findContents(ids: readonly string[]): Promise<MessageContent[]> {
      const rows = await orm
        .select()
        .from(messages)
        .where(inArray(messages.id, [...ids]))
      return rows.map((row) => {
        const sealed = row.contextSealed
        const context = sealed === null ? row.context : (JSON.parse(vault.open(sealed, placeOf(row))) as MergeContext)
        const { id, workspaceId, campaignId, fromAddress, subject, content, isHtml } = row
        const extraHeaders = row.extraHeaders ?? []
        return { id, workspaceId, campaignId, fromAddress, subject, content, isHtml, context, extraHeaders }
      })
    },

    /** A message with a page of its deliveries, by workspace and id, or null. `configId` narrows it to one mailbox. */
    async find(
      where: { id: string; workspaceId: string; configId: string | null },
      page: { limit: number; offset: number },
    ): Promise<MessageRow | null> {
      const [message] = await orm
        .select()
        .from(messages)
        .where(
          and(
            eq(messages.id, where.id),
            eq(messages.workspaceId, where.workspaceId),
            where.configId === null ? undefined : eq(messages.configId, where.configId),
          ),
        )
      if (message === undefined) return null
      const [rows, states] = await Promise.all([
        orm
          .select({
            id: deliveries.id,
            recipient: deliveries.recipient,
            state: deliveries.state,
            attempts: deliveries.attempts,
            reply: deliveries.reply,
            nextAttemptAt: deliveries.nextAttemptAt,
            settledAt: deliveries.settledAt,
          })
          .from(deliveries)
          .where(eq(deliveries.messageId, message.id))
          .orderBy(asc(deliveries.id))
          .limit(page.limit)
          .offset(page.offset),
        orm
          .select({ state: deliveries.state, count: count() })
          .from(deliveries)
          .where(eq(deliveries.messageId, message.id))
          .groupBy(deliveries.state),
      ])
      const counts = Object.fromEntries(deliveryStates.map((state) => [state, 0])) as Record<DeliveryState, number>
      for (const row of states) counts[row.state] = row.count
      return {
        id: message.id,
        fromAddress: message.fromAddress,
        subject: message.subject,
        createdAt: message.createdAt,
        counts,
        deliveries: rows,
      }
    },
  }
}

const monthNow = "date_trunc('month', now() at time zone 'utc')::date"

const acceptText = `
  with message as (
    insert into messages
      (id, workspace_id, config_id, from_address, subject, content, is_html, context, context_sealed, extra_headers,
        campaign_id)
    select $1, $2, id, $4, $5, $6, $7, $8::jsonb, $9, $10::jsonb, $11
    from email_configs where id = $3 and deleted_at is null
    returning id, workspace_id, config_id, campaign_id
  ), added as (
    insert into deliveries (month, workspace_id, message_id, config_id, campaign_id, recipient, state, settled_at)
    select ${monthNow}, message.workspace_id, message.id, message.config_id, message.campaign_id, entry.recipient,
      case when entry.position <= $13 then 'queued' else 'suppressed' end,
      case when entry.position <= $13 then null else now() end
    from message, unnest($12::text[]) with ordinality as entry (recipient, position)
    order by entry.position
  )
  select exists (select from message) as "isAccepted"`

const addDeliveriesText = `
  insert into deliveries
    (month, workspace_id, message_id, config_id, campaign_id, recipient, context, state, settled_at)
  select ${monthNow}, message.workspace_id, message.id, message.config_id, message.campaign_id, entry.recipient,
    entry.context::jsonb, case when entry.is_suppressed then 'suppressed' else 'queued' end,
    case when entry.is_suppressed then now() end
  from messages message,
    unnest($2::text[], $3::text[], $4::boolean[]) with ordinality
      as entry (recipient, context, is_suppressed, position)
  where message.id = $1
  order by entry.position`
