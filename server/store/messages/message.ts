import { and, asc, count, eq, inArray } from '../core/drizzle.ts'
import type pg from 'pg'
import { deliveryStates, type DeliveryState } from '../../../contract/mail/message.ts'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { MessageContent, UnopenedMessage } from '../../domain/messages/delivery.ts'
import type { Accepted, MessageRow, NewDeliveries, NewMessage } from '../../domain/messages/message.ts'
import { acceptText, acceptValues, monthNowText, type AcceptedMessage } from './accept-text.ts'
import { createBatcher } from '../core/batcher.ts'
import { isDataFault, type Database } from '../core/database.ts'
import { deliveries, messages } from '../schema/messages.ts'
import { VaultError, type Place, type Vault } from '../vault/vault.ts'

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
  const acceptTogether = createBatcher({
    ...acceptRuns,
    weigh: weightOf,
    run: (batch: readonly AcceptedMessage[]) => acceptAll(pool, batch),
    isItemsFault: isDataFault,
  })

  const open = (sealed: Buffer, place: Place): MergeContext | null => {
    try {
      return JSON.parse(vault.open(sealed, place)) as MergeContext
    } catch (error) {
      if (error instanceof VaultError) return null
      throw error
    }
  }

  return {
    /**
     * Writes the message and one delivery for each recipient; what it returns is committed, unless `executor` is in a
     * transaction. Calls that come together share a commit. Null where the mailbox was deleted or has changed meanwhile, or the
     * message is there already: nothing is written then.
     */
    async accept(message: NewMessage, executor?: Pick<pg.Pool, 'query'>): Promise<Accepted | null> {
      const sealedContext = message.sealContext ? vault.seal(JSON.stringify(message.context), placeOf(message)) : null
      const accepted = { ...message, sealedContext }
      if (executor === undefined) return acceptTogether(accepted)
      const [result = null] = await acceptAll(executor, [accepted])
      return result
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
     * What messages' mails are built from, their contexts in clear; for the sender only. Without those that are gone; those
     * whose context does not open are named, so that they hold nobody else up.
     */
    async findContents(ids: readonly string[]): Promise<(MessageContent | UnopenedMessage)[]> {
      const rows = await orm
        .select()
        .from(messages)
        .where(inArray(messages.id, [...ids]))
      return rows.map((row) => {
        const context = row.contextSealed === null ? row.context : open(row.contextSealed, placeOf(row))
        if (context === null) return { id: row.id, isUnopened: true }
        const { id, workspaceId, campaignId, fromAddress, subject, content, isHtml } = row
        const extraHeaders = row.extraHeaders ?? []
        return { id, workspaceId, campaignId, fromAddress, subject, content, isHtml, context, extraHeaders }
      })
    },

    /** Whether the workspace has such a message. */
    async exists({ id, workspaceId }: { id: string; workspaceId: string }): Promise<boolean> {
      const found = await orm
        .select({ id: messages.id })
        .from(messages)
        .where(and(eq(messages.id, id), eq(messages.workspaceId, workspaceId)))
      return found.length > 0
    },

    /** What became of a message when it was accepted, or null where the workspace has no such message. */
    async findAccepted({ id, workspaceId }: { id: string; workspaceId: string }): Promise<Accepted | null> {
      const [found] = await orm
        .select({ suppressedCount: count(deliveries.id) })
        .from(messages)
        .leftJoin(deliveries, and(eq(deliveries.messageId, messages.id), eq(deliveries.state, 'suppressed')))
        .where(and(eq(messages.id, id), eq(messages.workspaceId, workspaceId)))
        .groupBy(messages.id)
      return found ?? null
    },

    /** A message with a page of its deliveries, by workspace and id, or null. `mailboxId` narrows it to one mailbox. */
    async find(
      where: { id: string; workspaceId: string; mailboxId: string | null },
      page: { limit: number; offset: number },
    ): Promise<MessageRow | null> {
      const [message] = await orm
        .select()
        .from(messages)
        .where(
          and(
            eq(messages.id, where.id),
            eq(messages.workspaceId, where.workspaceId),
            where.mailboxId === null ? undefined : eq(messages.mailboxId, where.mailboxId),
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

/** In the order of the messages: null for those that were not written. */
async function acceptAll(
  executor: Pick<pg.Pool, 'query'>,
  messages: readonly AcceptedMessage[],
): Promise<(Accepted | null)[]> {
  const { rows } = await executor.query<Accepted & { id: string }>({
    name: 'accept-messages',
    text: acceptText,
    values: acceptValues(messages),
  })
  const written = new Map(rows.map(({ id, suppressedCount }) => [id, { suppressedCount }]))
  return messages.map(({ id }) => written.get(id) ?? null)
}

const addDeliveriesText = `
  insert into deliveries
    (month, workspace_id, message_id, config_id, campaign_id, recipient, context, state, settled_at)
  select ${monthNowText}, message.workspace_id, message.id, message.config_id, message.campaign_id, entry.recipient,
    entry.context::jsonb, case when entry.is_suppressed then 'suppressed' else 'queued' end,
    case when entry.is_suppressed then now() end
  from messages message,
    unnest($2::text[], $3::text[], $4::boolean[]) with ordinality
      as entry (recipient, context, is_suppressed, position)
  where message.id = $1
  order by entry.position`
