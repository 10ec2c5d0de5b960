import type { Pool } from 'pg'
import { countRows, inTransaction } from '../core/database.ts'
import type { SystemScope } from '../../domain/auth/scope.ts'
import type { MailboxKey } from '../../domain/messages/delivery.ts'

/** A slot expires this long after its last renewal. */
const leaseSeconds = 45

const isHeld = `renewed_at > now() - interval '${leaseSeconds} seconds'`

/** Connection slots of mailboxes, shared by all processes. */
export function createMailboxSlots(pool: Pool) {
  return {
    /**
     * Replaces the holder's slots by up to `wantedCount` free ones; returns their number. `limitCount`: for a mailbox
     * without its own limit.
     */
    acquire(
      _system: SystemScope,
      given: MailboxKey & { holder: string; wantedCount: number; limitCount: number },
    ): Promise<number> {
      const { workspaceId, mailboxId, holder, wantedCount, limitCount } = given
      return inTransaction(pool, async ({ client }) => {
        // Concurrent calls wait here and then see the slots of this one.
        const mailbox = await client.query<{ limit: number }>(
          `select coalesce(limit_connections, $2) as limit from email_configs
           where workspace_id = $3 and id = $1 and deleted_at is null for no key update`,
          [mailboxId, limitCount, workspaceId],
        )
        return countRows(
          client,
          `insert into mailbox_slots as slot (workspace_id, config_id, holder, count)
           select $5, $1, $2, least($3::int, greatest(0, $4::int - coalesce(sum(count), 0)))
           from mailbox_slots where workspace_id = $5 and config_id = $1 and holder <> $2 and ${isHeld}
           on conflict (workspace_id, config_id, holder) do update set count = excluded.count, renewed_at = now()
           returning count`,
          [mailboxId, holder, wantedCount, mailbox.rows[0]?.limit ?? 0, workspaceId],
        )
      })
    },

    /** Renews the holder's slots of these mailboxes. Returns the ids of those that it still has. */
    async renew(_system: SystemScope, holder: string, mailboxes: readonly MailboxKey[]): Promise<string[]> {
      const { rows } = await pool.query<{ id: string }>(
        `update mailbox_slots set renewed_at = now()
         where holder = $1 and (workspace_id, config_id) in (select * from unnest($2::uuid[], $3::uuid[])) and ${isHeld}
         returning config_id as id`,
        [holder, mailboxes.map(({ workspaceId }) => workspaceId), mailboxes.map(({ mailboxId }) => mailboxId)],
      )
      return rows.map(({ id }) => id)
    },

    /** Releases the holder's slots of one mailbox, or all (null). */
    async release(_system: SystemScope, holder: string, mailbox: MailboxKey | null): Promise<void> {
      await (mailbox === null
        ? pool.query('delete from mailbox_slots where holder = $1', [holder])
        : pool.query('delete from mailbox_slots where workspace_id = $1 and config_id = $2 and holder = $3', [
            mailbox.workspaceId,
            mailbox.mailboxId,
            holder,
          ]))
    },

    /** Deletes expired slots. To be called periodically. */
    async prune(_system: SystemScope): Promise<void> {
      await pool.query(`delete from mailbox_slots where renewed_at < now() - interval '1 hour'`)
    },
  }
}
