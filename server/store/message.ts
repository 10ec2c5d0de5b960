import { and, asc, count, eq } from 'drizzle-orm'
import type pg from 'pg'
import { deliveryStates, type DeliveryState } from '../../contract/message.ts'
import type { MergeContext } from '../../contract/merge-variables.ts'
import type { MessageContent } from '../domain/delivery.ts'
import type { MessageRow, NewMessage } from '../domain/message.ts'
import { acceptText, acceptValues, type AcceptedMessage } from './accept-text.ts'
import { createCoalescer } from './coalesce.ts'
import { isDataFault, type Database } from './database.ts'
import { deliveries, messages } from './schema.ts'
import type { Place, Vault } from './vault.ts'

const placeOf = ({ id, workspaceId }: { id: string; workspaceId: string }): Place => ({
  table: 'messages',
  column: 'context_sealed',
  row: id,
  workspace: workspaceId,
})

/** A run holds what came while the runs before it were on their way to the disk. Weight: characters. */
const acceptRuns = { maxCount: 200, maxWeight: 4_000_000, maxRuns: 1 }

const weightOf = ({ content, recipients }: AcceptedMessage): number => content.length + 64 * recipients.length

export type MessageStore = ReturnType<typeof createMessageStore>

/** Accepted messages and where their deliveries stand. */
export function createMessageStore({ orm, pool }: Pick<Database, 'orm' | 'pool'>, vault: Pick<Vault, 'seal' | 'open'>) {
  const acceptTogether = createCoalescer({
    ...acceptRuns,
    weigh: weightOf,
    run: (batch: readonly AcceptedMessage[]) => acceptAll(pool, batch),
    isItemsFault: isDataFault,
  })

  return {
    /**
     * Writes the message and one delivery for each recipient; what it returns is committed, unless `executor` is in a
     * transaction. Calls that come together share a commit. False where the mailbox was deleted meanwhile: nothing is written
     * then.
     */
    async accept(message: NewMessage, executor?: Pick<pg.Pool, 'query'>): Promise<boolean> {
      const sealedContext = message.sealContext ? vault.seal(JSON.stringify(message.context), placeOf(message)) : null
      const accepted = { ...message, sealedContext }
      if (executor === undefined) return acceptTogether(accepted)
      const [isAccepted = false] = await acceptAll(executor, [accepted])
      return isAccepted
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

/** In the order of the messages: whether each was written. */
async function acceptAll(executor: Pick<pg.Pool, 'query'>, messages: readonly AcceptedMessage[]): Promise<boolean[]> {
  const { rows } = await executor.query<{ id: string }>({
    name: 'accept-messages',
    text: acceptText,
    values: acceptValues(messages),
  })
  const written = new Set(rows.map(({ id }) => id))
  return messages.map(({ id }) => written.has(id))
}
