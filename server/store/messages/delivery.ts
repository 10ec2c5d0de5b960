import type { MessageResults } from '../../domain/messages/delivery.ts'
import type { Queryable } from '../core/database.ts'
import { erasedRecipient } from '../suppressions/erased-address.sql.ts'
import { isSuppressedSql } from '../suppressions/suppression.ts'
import type { Scope } from '../../domain/auth/scope.ts'

export type DeliveryStore = ReturnType<typeof createDeliveryStore>

/** Deliveries, except the operations of the queue. */
export function createDeliveryStore(pool: Queryable) {
  return {
    /** Fails the pending deliveries of a message. */
    async failUnsent({ workspaceId }: Scope, messageId: string, reply: string): Promise<number> {
      const { rowCount } = await pool.query(
        `update deliveries set state = 'failed', settled_at = now(), reply = $2
         where workspace_id = $3 and message_id = $1 and state in ('queued', 'deferred')`,
        [messageId, reply, workspaceId],
      )
      return rowCount ?? 0
    },

    /** Cancels the pending deliveries of a mailbox. Deliveries that are being sent keep their result. */
    async cancelUnsent({ workspaceId }: Scope, mailboxId: string): Promise<number> {
      const { rowCount } = await pool.query(
        `update deliveries set state = 'cancelled', settled_at = now()
         where workspace_id = $1 and config_id = $2 and state in ('queued', 'deferred')`,
        [workspaceId, mailboxId],
      )
      return rowCount ?? 0
    },

    /**
     * Queues the failed deliveries of a send call again, with their Message-IDs; once for concurrent calls. Skips
     * deleted mailboxes, and counts suppressed recipients.
     */
    requeueFailed: (scope: Scope, messageId: string): Promise<Requeued> => requeueFailed(scope, messageId, pool),

    /**
     * Queues the deliveries of a message in state `unknown` again: of these addresses, or of all (null); once for
     * concurrent calls. Skips deleted mailboxes and erased recipients.
     */
    async requeueUnknown(
      { workspaceId }: Scope,
      messageId: string,
      addresses: readonly string[] | null,
    ): Promise<{ mailboxId: string }[]> {
      const { rows } = await pool.query<{ mailboxId: string }>(
        `update deliveries d set state = 'queued', next_attempt_at = now(), settled_at = null
         from email_configs c
         where d.workspace_id = $3 and d.message_id = $1 and d.state = 'unknown' and d.recipient <> '${erasedRecipient}'
           and ($2::text[] is null or d.recipient = any($2::text[]))
           and c.workspace_id = d.workspace_id and c.id = d.config_id and c.deleted_at is null
         returning d.config_id as "mailboxId"`,
        [messageId, addresses, workspaceId],
      )
      return rows
    },

    /** Number of pending mails of send calls (not of campaigns) in a workspace, up to `maxCount`. */
    async countWaiting({ workspaceId }: Scope, maxCount: number): Promise<number> {
      const { rows } = await pool.query<{ count: number }>({
        name: 'count-waiting',
        text: `
          select count(*)::int as count from (
            select from email_configs c cross join lateral (
              select from deliveries d
              where d.workspace_id = $1 and d.config_id = c.id and d.campaign_id is null and d.state in ('queued', 'deferred') limit $2
            ) waiting
            where c.workspace_id = $1 limit $2
          ) counted`,
        values: [workspaceId, maxCount],
      })
      return rows[0]?.count ?? 0
    },

    /** Delivery results of a message, for a call that waits for the first one; null if there is no such message. */
    async readResults({ workspaceId }: Scope, messageId: string): Promise<MessageResults | null> {
      const { rows } = await pool.query<MessageResults>({
        name: 'read-results',
        text: resultsSql,
        values: [workspaceId, messageId],
      })
      return rows[0] ?? null
    },
  }
}

/** Deliveries that were queued again, and the number of suppressed ones that stay failed. */
export interface Requeued {
  requeued: { mailboxId: string }[]
  suppressedCount: number
}

/** Queues the failed deliveries of a send call's message again. */
export async function requeueFailed({ workspaceId }: Scope, messageId: string, executor: Queryable): Promise<Requeued> {
  const { rows: requeued } = await executor.query<{ mailboxId: string }>(
    `update deliveries d set state = 'queued', next_attempt_at = now(), settled_at = null, attempts = 0
     from email_configs c
     where d.workspace_id = $1 and d.message_id = $2 and d.state = 'failed' and d.campaign_id is null
       and c.workspace_id = d.workspace_id and c.id = d.config_id and c.deleted_at is null and not ${isSuppressedSql}
     returning d.config_id as "mailboxId"`,
    [workspaceId, messageId],
  )
  const { rows } = await executor.query<{ count: number }>(
    `select count(*)::int as count from deliveries d
     where d.workspace_id = $1 and d.message_id = $2 and d.state = 'failed' and d.campaign_id is null and ${isSuppressedSql}`,
    [workspaceId, messageId],
  )
  return { requeued, suppressedCount: rows[0]?.count ?? 0 }
}

const resultsSql = `
  select
    count(d.id) filter (where d.state = 'queued')::int as "queuedCount",
    count(d.id) filter (where d.state = 'sending')::int as "sendingCount",
    count(d.id) filter (where d.state in ('sent', 'deferred', 'unknown'))::int as "takenCount",
    count(d.id) filter (where d.state in ('failed', 'cancelled', 'suppressed'))::int as "failedCount",
    (array_agg(d.reply order by d.settled_at desc) filter (where d.state = 'failed'))[1] as "failureReply",
    c.pause_reason as "pauseReason"
  from deliveries d
    left join email_configs c on c.workspace_id = d.workspace_id and c.id = d.config_id
      and c.status = 'paused' and c.paused_until is null
  where d.workspace_id = $1 and d.message_id = $2
  group by d.message_id, c.pause_reason`
