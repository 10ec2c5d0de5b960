import { and, asc, count, eq } from 'drizzle-orm'
import type pg from 'pg'
import { deliveryStates, type DeliveryState } from '../../contract/message.ts'
import type { MergeContext } from '../../contract/merge-variables.ts'
import type { MessageContent } from '../domain/delivery.ts'
import type { MessageRow, NewMessage } from '../domain/message.ts'
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
      const { rowCount } = await executor.query({
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
          message.recipients,
        ],
      })
      return (rowCount ?? 0) > 0
    },

    /** What a message's mails are built from, its context in clear; for the sender only. */
    async findContent(id: string): Promise<MessageContent | null> {
      const [row] = await orm.select().from(messages).where(eq(messages.id, id))
      if (row === undefined) return null
      const sealed = row.contextSealed
      const context = sealed === null ? row.context : (JSON.parse(vault.open(sealed, placeOf(row))) as MergeContext)
      const { fromAddress, subject, content, isHtml } = row
      return { id, fromAddress, subject, content, isHtml, context }
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

const acceptText = `
  with message as (
    insert into messages
      (id, workspace_id, config_id, from_address, subject, content, is_html, context, context_sealed)
    select $1, $2, id, $4, $5, $6, $7, $8::jsonb, $9
    from email_configs where id = $3 and deleted_at is null
    returning id, workspace_id, config_id
  )
  insert into deliveries (month, workspace_id, message_id, config_id, recipient)
  select date_trunc('month', now() at time zone 'utc')::date,
    message.workspace_id, message.id, message.config_id, entry.recipient
  from message, unnest($10::text[]) with ordinality as entry (recipient, position)
  order by entry.position`
