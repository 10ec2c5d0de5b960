import type { Listed, PageQuery } from '../../domain/core/page.ts'
import type { NewMessage } from '../../domain/messages/message.ts'
import type { ScheduledRow, ScheduledSummaryRow } from '../../domain/messages/scheduled-message.ts'
import { countRows, findRow, inTransaction, type Database, type Queryable } from '../core/database.ts'
import { selectList } from '../core/sql.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { MessageStore } from './message.ts'

export type ScheduledMessageStore = ReturnType<typeof createScheduledMessageStore>

const summaryColumns = selectList<Omit<ScheduledSummaryRow, 'recipientCount'>>([
  'id',
  'fromAddress',
  'subject',
  'scheduledAt',
  'timezone',
  'createdAt',
])
const ownColumns = selectList<Omit<ScheduledRow, 'recipients' | 'recipientCount'>>([
  ...([
    'id',
    'fromAddress',
    'subject',
    'scheduledAt',
    'timezone',
    'createdAt',
    'mailboxId',
    'content',
    'isHtml',
  ] as const),
  ...(['context', 'kind', 'fromName', 'replyTo', 'cc', 'bcc', 'preheader', 'design', 'extraHeaders'] as const),
])

/** Messages of send calls that wait for their time; $1 is the workspace. */
const isWaiting = `m.workspace_id = $1 and m.scheduled_at > now() and m.campaign_id is null and not m.is_test`
const queuedSql = `select count(*)::int as count from deliveries d
  where d.workspace_id = $1 and d.message_id = m.id and d.state in ('queued', 'deferred')`

/** Some of a message's mails have left, or it waits for nothing any more. */
class LeftError extends Error {
  override readonly name = 'LeftError'
}

/** Messages that have not left: scheduled ones, and those whose send can be undone. */
export function createScheduledMessageStore({ pool }: Pick<Database, 'pool'>, messages: Pick<MessageStore, 'accept'>) {
  /** Locks what waits of a message. Throws LeftError where one of its mails does not wait any more. */
  const lockWaiting = async ({ workspaceId }: Scope, client: Queryable, id: string): Promise<void> => {
    // A statement of its own sees what a claim that it waited for has done.
    await client.query(
      `select from deliveries where workspace_id = $1 and message_id = $2 and state in ('queued', 'deferred') for update`,
      [workspaceId, id],
    )
    const { rows } = await client.query<{ waitingCount: number; otherCount: number }>(
      `select count(*) filter (where state in ('queued', 'deferred'))::int as "waitingCount",
         count(*) filter (where state not in ('queued', 'deferred', 'suppressed'))::int as "otherCount"
       from deliveries where workspace_id = $1 and message_id = $2`,
      [workspaceId, id],
    )
    const [counts] = rows
    if (counts === undefined || counts.otherCount > 0 || counts.waitingCount === 0) throw new LeftError()
  }

  const unlessLeft = async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof LeftError) return null
      throw error
    }
  }

  return {
    /** The next one first. */
    async list({ workspaceId }: Scope, { limit, offset, after }: PageQuery): Promise<Listed<ScheduledSummaryRow>> {
      const from = `from messages m cross join lateral (${queuedSql}) waiting where ${isWaiting} and waiting.count > 0`
      const [{ rows }, total] = await Promise.all([
        pool.query<ScheduledSummaryRow>(
          `select ${summaryColumns}, waiting.count as "recipientCount" ${from}
             and ($2::timestamptz is null or (m.scheduled_at, m.id) > ($2::timestamptz, $3::uuid))
           order by m.scheduled_at, m.id limit $4 offset $5`,
          [workspaceId, after?.at ?? null, after?.id ?? null, limit + 1, offset],
        ),
        countRows(pool, `select count(*) ${from}`, [workspaceId]),
      ])
      const last = rows.length > limit ? rows[limit - 1] : undefined
      const next = last ? { at: last.scheduledAt.toISOString().replace('Z', '000Z'), id: last.id } : null
      return { rows: rows.slice(0, limit), next, total }
    },

    /** A message that waits for its time; null if it has left, was cancelled or is not scheduled. */
    async find({ workspaceId }: Scope, id: string): Promise<ScheduledRow | null> {
      const row = await findRow<Omit<ScheduledRow, 'recipients'>>(
        pool,
        `select ${ownColumns}, waiting.count as "recipientCount"
         from messages m cross join lateral (${queuedSql}) waiting
         where ${isWaiting} and m.id = $2 and waiting.count > 0`,
        [workspaceId, id],
      )
      if (row === null) return null
      const { rows } = await pool.query<{ recipient: string }>(
        'select recipient from deliveries where workspace_id = $1 and message_id = $2 order by id',
        [workspaceId, id],
      )
      return { ...row, recipients: rows.map(({ recipient }) => recipient) }
    },

    /**
     * Replaces a message that waits for its time, and its deliveries, by another version with the same id. Null, and it
     * stays as it is, if one of its mails has left, it was cancelled, or its mailbox was deleted.
     */
    replace: (scope: Scope, message: NewMessage) =>
      unlessLeft(() =>
        inTransaction(pool, async ({ client }) => {
          const { workspaceId } = scope
          const { rows } = await client.query<{ createdAt: Date }>(
            `select m.created_at as "createdAt" from messages m where ${isWaiting} and m.id = $2 for update`,
            [workspaceId, message.id],
          )
          if (rows[0] === undefined) throw new LeftError()
          await lockWaiting(scope, client, message.id)
          await client.query('delete from deliveries where workspace_id = $1 and message_id = $2', [
            workspaceId,
            message.id,
          ])
          await client.query('delete from messages where workspace_id = $1 and id = $2', [workspaceId, message.id])
          if ((await messages.accept(scope, message, client)) === null) throw new LeftError()
          await client.query('update messages set created_at = $3 where workspace_id = $1 and id = $2', [
            workspaceId,
            message.id,
            rows[0].createdAt,
          ])
          return true
        }),
      ),

    /**
     * Cancels all mails of a message, or none: null if one of them has left or none waits. `isUndo`: only while the send
     * can be undone. Returns how many.
     */
    cancel: (scope: Scope, id: string, { isUndo }: { isUndo: boolean }) =>
      unlessLeft(() =>
        inTransaction(pool, async ({ client }) => {
          const { workspaceId } = scope
          const { rows } = await client.query(
            `select from messages where workspace_id = $1 and id = $2 and campaign_id is null
               and (not $3 or undo_until > now()) for update`,
            [workspaceId, id, isUndo],
          )
          if (rows.length === 0) throw new LeftError()
          await lockWaiting(scope, client, id)
          const { rowCount } = await client.query(
            `update deliveries set state = 'cancelled', settled_at = now()
             where workspace_id = $1 and message_id = $2 and state in ('queued', 'deferred')`,
            [workspaceId, id],
          )
          return rowCount ?? 0
        }),
      ),
  }
}
