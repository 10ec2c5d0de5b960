import type { EmbedAct } from '../../../contract/embed/embed.ts'
import type { EmbedAuditRow, EmbedGrant } from '../../domain/auth/embed.ts'
import type { IdPageQuery, Listed } from '../../domain/core/page.ts'
import { countRows, findRow, inTransaction, type Database } from '../core/database.ts'
import { requeueFailed } from '../messages/delivery.ts'
import { toIdPage } from '../core/page.ts'
import { selectListOf } from '../core/sql.ts'
import type { Scope } from '../../domain/auth/scope.ts'

/** A message that a session is about to send. */
export interface EmbedSend {
  grant: EmbedGrant
  messageId: string
  recipientCount: number
}

/** The quota that is exhausted. */
export type UsedUp = 'session' | 'day'

/** Result of a retry: how many were queued again and how many are suppressed, or the exhausted quota; then none is queued. */
export type EmbedRetry = { resentCount: number; suppressedCount: number } | { usedUp: UsedUp }

class Refused extends Error {
  readonly quota: UsedUp

  constructor(quota: UsedUp) {
    super(`The quota of the ${quota} is exhausted.`)
    this.quota = quota
  }
}

/** A message that was refused after it was counted has no row, or one without a message. */
const isListed = `a.workspace_id = $1 and a.embed_id = $2
  and (a.message_id is null or m.id is not null)`

export type EmbedUsage = ReturnType<typeof createEmbedUsage>

/** Audit rows and quotas of embed sessions: in the database, so that they hold across processes. */
export function createEmbedUsage({ pool }: Pick<Database, 'pool'>) {
  return {
    /** Counts a message and adds its audit row, before it is sent. Null, or the exhausted quota; nothing is counted then. */
    async take({ workspaceId }: Scope, { grant, messageId, recipientCount }: EmbedSend): Promise<UsedUp | null> {
      const { sessionId, embedId, recipientsPerDay } = grant
      try {
        await inTransaction(pool, async ({ client }) => {
          // A repeated call with the same id was counted the first time.
          const known = await client.query(isCountedSql, [workspaceId, sessionId, messageId])
          if (known.rowCount !== 0) return
          const counted = await client.query(takeOfSessionSql, [sessionId, recipientCount, 1])
          if (counted.rowCount === 0) throw new Refused('session')
          const ofDay = await client.query(takeOfDaySql, [workspaceId, embedId, recipientCount, recipientsPerDay])
          if (ofDay.rowCount === 0) throw new Refused('day')
          await client.query(auditSql, [workspaceId, embedId, sessionId, 'message-sent', messageId, recipientCount])
        })
        return null
      } catch (error) {
        if (error instanceof Refused) return error.quota
        throw error
      }
    },

    /**
     * Queues the failed deliveries of a message again, counts their recipients and adds an audit row: all or nothing. It does
     * not count as another message.
     */
    async retry(
      scope: Scope,
      { sessionId, embedId, recipientsPerDay }: EmbedGrant,
      messageId: string,
    ): Promise<EmbedRetry> {
      try {
        return await inTransaction(pool, async ({ client }) => {
          const { workspaceId } = scope
          const { requeued, suppressedCount } = await requeueFailed(scope, messageId, client)
          const resentCount = requeued.length
          if (resentCount === 0) return { resentCount, suppressedCount }
          const counted = await client.query(takeOfSessionSql, [sessionId, resentCount, 0])
          if (counted.rowCount === 0) throw new Refused('session')
          const ofDay = await client.query(takeOfDaySql, [workspaceId, embedId, resentCount, recipientsPerDay])
          if (ofDay.rowCount === 0) throw new Refused('day')
          await client.query(auditSql, [workspaceId, embedId, sessionId, 'message-retried', messageId, resentCount])
          return { resentCount, suppressedCount }
        })
      } catch (error) {
        if (error instanceof Refused) return { usedUp: error.quota }
        throw error
      }
    },

    /** Undoes `take`, where nothing was sent. */
    async giveBack({ workspaceId }: Scope, { grant, messageId, recipientCount }: EmbedSend): Promise<void> {
      await inTransaction(pool, async ({ client }) => {
        const gone = await client.query(forgetSql, [workspaceId, grant.sessionId, messageId])
        if (gone.rowCount === 0) return
        await client.query(giveBackOfSessionSql, [grant.sessionId, recipientCount])
        await client.query(giveBackOfDaySql, [workspaceId, grant.embedId, recipientCount])
      })
    },

    /** Adds an audit row of an act that sends no message. */
    async note({ workspaceId }: Scope, { embedId, sessionId }: EmbedGrant, act: EmbedAct): Promise<void> {
      await pool.query('insert into embed_audit (workspace_id, embed_id, session_id, act) values ($1, $2, $3, $4)', [
        workspaceId,
        embedId,
        sessionId,
        act,
      ])
    },

    /**
     * The mailbox of a message that was sent by this session, or by an earlier one of the same user in the same page: a session
     * is renewed while its message is being sent. Null for any other message.
     */
    findOwnMessage: (
      { workspaceId }: Scope,
      { sessionId, embedId, origin, userRef, userId }: EmbedGrant,
      messageId: string,
    ) =>
      findRow<{ mailboxId: string }>(
        pool,
        `select m.config_id as "mailboxId"
         from embed_audit a
           join embed_sessions s on s.workspace_id = $1 and s.id = a.session_id
           join messages m on m.workspace_id = $1 and m.id = a.message_id
         where a.workspace_id = $1 and a.embed_id = $2 and a.message_id = $3
           and (a.session_id = $4
             or (s.origin = $5 and (s.user_ref = $6 or ($6::text is null and s.user_id = $7 and s.user_ref is null))))
         limit 1`,
        [workspaceId, embedId, messageId, sessionId, origin, userRef, userId],
      ),

    /** Newest first. */
    async list(
      { workspaceId }: Scope,
      embedId: string,
      { limit, offset, afterId = null }: IdPageQuery,
    ): Promise<Listed<EmbedAuditRow, number>> {
      const from = 'from embed_audit a left join messages m on m.workspace_id = a.workspace_id and m.id = a.message_id'
      const [{ rows }, total] = await Promise.all([
        pool.query<EmbedAuditRow>(
          `select ${selectListOf<EmbedAuditRow>('a', ['id', 'at', 'act', 'sessionId', 'messageId', 'recipientCount'])},
             s.origin, s.user_ref as "userRef", m.subject
           ${from} join embed_sessions s on s.workspace_id = a.workspace_id and s.id = a.session_id
           where ${isListed} and ($3::bigint is null or a.id < $3) order by a.id desc limit $4 offset $5`,
          [workspaceId, embedId, afterId, limit + 1, offset],
        ),
        countRows(pool, `select count(*) ${from} where ${isListed}`, [workspaceId, embedId]),
      ])
      return { ...toIdPage(rows, limit), total }
    },
  }
}

const isCountedSql = 'select 1 from embed_audit where workspace_id = $1 and session_id = $2 and message_id = $3'

const takeOfSessionSql = `
  update embed_sessions set message_count = message_count + $3, recipient_count = recipient_count + $2
  where id = $1 and ended_at is null
    and message_count + $3 <= messages_limit and recipient_count + $2 <= recipients_limit`

const takeOfDaySql = `
  insert into embed_usage as u (workspace_id, embed_id, day, recipient_count)
  select $1, $2, (now() at time zone 'utc')::date, $3::integer where $3::integer <= $4::integer
  on conflict (workspace_id, embed_id, day) do update set recipient_count = u.recipient_count + excluded.recipient_count
  where u.recipient_count + excluded.recipient_count <= $4::integer`

const auditSql = `
  insert into embed_audit (workspace_id, embed_id, session_id, act, message_id, recipient_count)
  values ($1, $2, $3, $4, $5, $6)`

const forgetSql = 'delete from embed_audit where workspace_id = $1 and session_id = $2 and message_id = $3'

const giveBackOfSessionSql = `
  update embed_sessions set message_count = message_count - 1, recipient_count = recipient_count - $2 where id = $1`

const giveBackOfDaySql = `
  update embed_usage set recipient_count = greatest(0, recipient_count - $3)
  where workspace_id = $1 and embed_id = $2 and day = (now() at time zone 'utc')::date`
