import { and, count, desc, eq, isNotNull, or, sql } from '../core/drizzle.ts'
import type { EmbedAct } from '../../../contract/embed/embed.ts'
import type { EmbedAuditRow, EmbedGrant } from '../../domain/auth/embed.ts'
import { inTransaction, type Database } from '../core/database.ts'
import { requeueFailed } from '../messages/delivery.ts'
import { embedAudit, embedSessions } from '../schema/embeds.ts'
import { messages } from '../schema/messages.ts'

/** A message that a session is about to send. */
export interface EmbedSend {
  grant: EmbedGrant
  messageId: string
  recipientCount: number
}

/** What is used up of a quota; the other is whole. */
export type UsedUp = 'session' | 'day'

/** What came of a retry: how many are in the queue again and how many must not be written to, or what is used up; then none is. */
export type EmbedRetry = { resentCount: number; suppressedCount: number } | { usedUp: UsedUp }

class Refused extends Error {
  readonly quota: UsedUp

  constructor(quota: UsedUp) {
    super(`The quota of the ${quota} is used up.`)
    this.quota = quota
  }
}

/** What embed sessions did, and how much of their quotas that took: in rows, so that it holds across processes. */
export function createEmbedUsage({ orm, pool }: Pick<Database, 'orm' | 'pool'>) {
  const ofEmbed = (embedId: string) => and(eq(embedAudit.embedId, embedId), shown)
  /** A message that was refused after it was counted has left no row, or one without a message. */
  const shown = or(sql`${embedAudit.messageId} is null`, isNotNull(messages.id))

  return {
    /** Counts a message and writes it down, before it is sent. Null, or what is used up; nothing is counted then. */
    async take({ grant, messageId, recipientCount }: EmbedSend): Promise<UsedUp | null> {
      const { sessionId, embedId, recipientsPerDay } = grant
      try {
        await inTransaction(pool, async ({ client }) => {
          // A call that is done again under the same id was counted then.
          const known = await client.query(isCountedText, [sessionId, messageId])
          if (known.rowCount !== 0) return
          const counted = await client.query(takeOfSessionText, [sessionId, recipientCount, 1])
          if (counted.rowCount === 0) throw new Refused('session')
          const ofDay = await client.query(takeOfDayText, [embedId, recipientCount, recipientsPerDay])
          if (ofDay.rowCount === 0) throw new Refused('day')
          await client.query(auditText, [embedId, sessionId, 'message-sent', messageId, recipientCount])
        })
        return null
      } catch (error) {
        if (error instanceof Refused) return error.quota
        throw error
      }
    },

    /**
     * Puts what was refused of a message back into the queue, its recipients counted and written down: all of it or nothing.
     * It is no message more.
     */
    async retry({ sessionId, embedId, recipientsPerDay }: EmbedGrant, messageId: string): Promise<EmbedRetry> {
      try {
        return await inTransaction(pool, async ({ client }) => {
          const { requeued, suppressedCount } = await requeueFailed(client, messageId)
          const resentCount = requeued.length
          if (resentCount === 0) return { resentCount, suppressedCount }
          const counted = await client.query(takeOfSessionText, [sessionId, resentCount, 0])
          if (counted.rowCount === 0) throw new Refused('session')
          const ofDay = await client.query(takeOfDayText, [embedId, resentCount, recipientsPerDay])
          if (ofDay.rowCount === 0) throw new Refused('day')
          await client.query(auditText, [embedId, sessionId, 'message-retried', messageId, resentCount])
          return { resentCount, suppressedCount }
        })
      } catch (error) {
        if (error instanceof Refused) return { usedUp: error.quota }
        throw error
      }
    },

    /** Undoes `take`, where nothing was sent. */
    async giveBack({ grant, messageId, recipientCount }: EmbedSend): Promise<void> {
      await inTransaction(pool, async ({ client }) => {
        const gone = await client.query(forgetText, [grant.sessionId, messageId])
        if (gone.rowCount === 0) return
        await client.query(giveBackOfSessionText, [grant.sessionId, recipientCount])
        await client.query(giveBackOfDayText, [grant.embedId, recipientCount])
      })
    },

    /** Writes down what is no message. */
    async note({ embedId, sessionId }: EmbedGrant, act: EmbedAct): Promise<void> {
      await orm.insert(embedAudit).values({ embedId, sessionId, act })
    },

    /**
     * The mailbox of a message that was sent by this session, or by one before it of the same person in the same page: a
     * session is renewed while its message is on its way. Null for any other message.
     */
    async findOwnMessage(
      { sessionId, embedId, origin, userRef, userId }: EmbedGrant,
      messageId: string,
    ): Promise<{ mailboxId: string } | null> {
      const person = or(
        userRef === null ? undefined : eq(embedSessions.userRef, userRef),
        userRef !== null || userId === null
          ? undefined
          : and(eq(embedSessions.userId, userId), sql`${embedSessions.userRef} is null`),
      )
      const samePerson = person && and(eq(embedSessions.origin, origin), person)
      const [found] = await orm
        .select({ mailboxId: messages.mailboxId })
        .from(embedAudit)
        .innerJoin(embedSessions, eq(embedSessions.id, embedAudit.sessionId))
        .innerJoin(messages, eq(messages.id, embedAudit.messageId))
        .where(
          and(
            eq(embedAudit.messageId, messageId),
            eq(embedAudit.embedId, embedId),
            or(eq(embedAudit.sessionId, sessionId), samePerson),
          ),
        )
        .limit(1)
      return found ?? null
    },

    /** Newest first. */
    async list(
      embedId: string,
      page: { limit: number; offset: number },
    ): Promise<{ rows: EmbedAuditRow[]; total: number }> {
      const [rows, totals] = await Promise.all([
        orm
          .select({
            id: embedAudit.id,
            at: embedAudit.at,
            act: embedAudit.act,
            sessionId: embedAudit.sessionId,
            origin: embedSessions.origin,
            userRef: embedSessions.userRef,
            messageId: embedAudit.messageId,
            subject: messages.subject,
            recipientCount: embedAudit.recipientCount,
          })
          .from(embedAudit)
          .innerJoin(embedSessions, eq(embedSessions.id, embedAudit.sessionId))
          .leftJoin(messages, eq(messages.id, embedAudit.messageId))
          .where(ofEmbed(embedId))
          .orderBy(desc(embedAudit.id))
          .limit(page.limit)
          .offset(page.offset),
        orm
          .select({ total: count() })
          .from(embedAudit)
          .leftJoin(messages, eq(messages.id, embedAudit.messageId))
          .where(ofEmbed(embedId)),
      ])
      return { rows, total: totals[0]?.total ?? 0 }
    },
  }
}

const isCountedText = 'select 1 from embed_audit where session_id = $1 and message_id = $2'

const takeOfSessionText = `
  update embed_sessions set message_count = message_count + $3, recipient_count = recipient_count + $2
  where id = $1 and ended_at is null
    and message_count + $3 <= messages_limit and recipient_count + $2 <= recipients_limit`

const takeOfDayText = `
  insert into embed_usage as u (embed_id, day, recipient_count)
  select $1, (now() at time zone 'utc')::date, $2::integer where $2::integer <= $3::integer
  on conflict (embed_id, day) do update set recipient_count = u.recipient_count + excluded.recipient_count
  where u.recipient_count + excluded.recipient_count <= $3::integer`

const auditText = `
  insert into embed_audit (embed_id, session_id, act, message_id, recipient_count)
  values ($1, $2, $3, $4, $5)`

const forgetText = 'delete from embed_audit where session_id = $1 and message_id = $2'

const giveBackOfSessionText = `
  update embed_sessions set message_count = message_count - 1, recipient_count = recipient_count - $2 where id = $1`

const giveBackOfDayText = `
  update embed_usage set recipient_count = greatest(0, recipient_count - $2)
  where embed_id = $1 and day = (now() at time zone 'utc')::date`
