import type { ReadingState } from '../../../contract/inbox/inbox.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { FolderPosition } from '../../domain/inbox/reading.ts'
import { findRow, inTransaction, type Database } from '../core/database.ts'

/** What is stored of reading in a mailbox. */
export interface ReadingRow {
  isReading: boolean
  state: ReadingState
  since: Date | null
  error: string | null
  lastCheckedAt: Date | null
  imapHost: string | null
  imapPort: number | null
  imapSecurity: 'tls' | 'starttls' | 'none' | null
  smtpHost: string | null
  /** Whether it has sent a mail, or reading was turned on, within 30 days. */
  isActive: boolean
}

export interface ReadingTotals {
  seen: number
  matched: number
  bounces: number
  replies: number
  autoReplies: number
  complaints: number
  unmatchedBounces: number
}

export interface ImapSettings {
  imapHost?: string | null
  imapPort?: number | null
  imapSecurity?: 'tls' | 'starttls' | 'none' | null
}

export type ReadingSwitchStore = ReturnType<typeof createReadingSwitch>

/** Turns reading of mailboxes on and off, and reports it. */
export function createReadingSwitch({ pool }: Pick<Database, 'pool'>) {
  return {
    /** Null where the workspace has no such mailbox. */
    find: ({ workspaceId }: Scope, mailboxId: string) =>
      findRow<ReadingRow>(
        pool,
        `select c.is_reading as "isReading", c.reading_state as state, c.reading_since as since, c.reading_error as error,
           r.last_seen_at as "lastCheckedAt", c.imap_host as "imapHost", c.imap_port as "imapPort",
           c.imap_security as "imapSecurity", c.smtp_host as "smtpHost",
           c.reading_since > now() - interval '30 days' or exists (
             select from mailbox_usage u
             where u.workspace_id = $1 and u.config_id = c.id and u.bucket_at > now() - interval '30 days'
           ) or exists (
             select from messages m
             where m.workspace_id = $1 and m.config_id = c.id and m.created_at > now() - interval '30 days'
           ) as "isActive"
         from email_configs c left join mailbox_readers r on r.workspace_id = $1 and r.config_id = c.id
         where c.workspace_id = $1 and c.id = $2 and c.deleted_at is null`,
        [workspaceId, mailboxId],
      ),

    /** Addresses of the workspace's mailboxes, in lower case. */
    async ownAddresses({ workspaceId }: Scope): Promise<Set<string>> {
      const { rows } = await pool.query<{ address: string }>(
        `select lower(email_address) as address from email_configs where workspace_id = $1 and deleted_at is null`,
        [workspaceId],
      )
      return new Set(rows.map(({ address }) => address))
    },

    async setImap({ workspaceId }: Scope, mailboxId: string, settings: ImapSettings): Promise<void> {
      const { imapHost = null, imapPort = null, imapSecurity = null } = settings
      await pool.query(
        `update email_configs set imap_host = $3, imap_port = $4, imap_security = $5
         where workspace_id = $1 and id = $2 and deleted_at is null`,
        [workspaceId, mailboxId, imapHost, imapPort, imapSecurity],
      )
    },

    /** Reads from these positions on, which are those of now. */
    turnOn: ({ workspaceId }: Scope, mailboxId: string, positions: readonly FolderPosition[], now: Date) =>
      inTransaction(pool, async ({ client }) => {
        const { rowCount } = await client.query(
          `update email_configs set is_reading = true, reading_since = $3, reading_state = 'starting', reading_error = null
           where workspace_id = $1 and id = $2 and deleted_at is null`,
          [workspaceId, mailboxId, now],
        )
        if (rowCount === 0) return
        await client.query('delete from mailbox_folders where workspace_id = $1 and config_id = $2', [
          workspaceId,
          mailboxId,
        ])
        await client.query(
          `insert into mailbox_folders (workspace_id, config_id, folder, role, uidvalidity, last_uid, checked_at)
           select $1, $2, p.*, now() from unnest($3::text[], $4::text[], $5::bigint[], $6::bigint[]) as p`,
          [
            workspaceId,
            mailboxId,
            positions.map(({ folder }) => folder),
            positions.map(({ role }) => role),
            positions.map(({ uidValidity }) => uidValidity),
            positions.map(({ lastUid }) => lastUid),
          ],
        )
        await client.query(
          `insert into mailbox_readers (workspace_id, config_id) values ($1, $2)
           on conflict (workspace_id, config_id) do update set next_poll_at = now(), attempts = 0, lease_owner = null,
             lease_token = null, lease_until = null`,
          [workspaceId, mailboxId],
        )
      }),

    /** Ends reading and forgets the positions. `error`: why it cannot be read. The process that reads notices within a second. */
    turnOff: ({ workspaceId }: Scope, mailboxId: string, state: ReadingState = 'off', error: string | null = null) =>
      inTransaction(pool, async ({ client }) => {
        await client.query(
          `update email_configs set is_reading = false, reading_since = null, reading_state = $3, reading_error = $4
           where workspace_id = $1 and id = $2`,
          [workspaceId, mailboxId, state, error],
        )
        for (const table of ['mailbox_folders', 'mailbox_readers'] as const) {
          await client.query(
            table === 'mailbox_folders'
              ? 'delete from mailbox_folders where workspace_id = $1 and config_id = $2'
              : 'delete from mailbox_readers where workspace_id = $1 and config_id = $2',
            [workspaceId, mailboxId],
          )
        }
      }),

    /** Reads a mailbox again that waits for its owner. */
    async retry({ workspaceId }: Scope, mailboxId: string): Promise<void> {
      await pool.query(
        `update mailbox_readers set next_poll_at = now(), attempts = 0 where workspace_id = $1 and config_id = $2`,
        [workspaceId, mailboxId],
      )
    },

    async listFolders({ workspaceId }: Scope, mailboxId: string) {
      const { rows } = await pool.query<{ folder: string; role: 'inbox' | 'junk' | 'sent'; checkedAt: Date | null }>(
        `select folder, role, checked_at as "checkedAt" from mailbox_folders
         where workspace_id = $1 and config_id = $2 order by array_position(array['inbox', 'junk', 'sent'], role)`,
        [workspaceId, mailboxId],
      )
      return rows
    },

    /** Counts of the last 30 days. */
    async totals({ workspaceId }: Scope, mailboxId: string): Promise<ReadingTotals> {
      const { rows } = await pool.query<ReadingTotals>(
        `select coalesce(sum(seen), 0)::int as seen, coalesce(sum(matched), 0)::int as matched,
           coalesce(sum(bounces), 0)::int as bounces, coalesce(sum(replies), 0)::int as replies,
           coalesce(sum(auto_replies), 0)::int as "autoReplies", coalesce(sum(complaints), 0)::int as complaints,
           coalesce(sum(unmatched_bounces), 0)::int as "unmatchedBounces"
         from reading_counts
         where workspace_id = $1 and config_id = $2 and day > (now() at time zone 'utc')::date - 30`,
        [workspaceId, mailboxId],
      )
      const [row] = rows
      if (row === undefined) throw new Error('An aggregate returned no row.')
      return row
    },

    /** When the mailbox was read last; null: it is not read. */
    async checkedAt({ workspaceId }: Scope, mailboxId: string): Promise<Date | null> {
      const row = await findRow<{ at: Date | null }>(
        pool,
        'select last_seen_at as at from mailbox_readers where workspace_id = $1 and config_id = $2',
        [workspaceId, mailboxId],
      )
      return row?.at ?? null
    },

    /** Asks the process that reads the mailbox to check it now. */
    async requestCheck({ workspaceId }: Scope, mailboxId: string): Promise<void> {
      await pool.query(
        `update mailbox_readers set check_requested_at = now(),
           next_poll_at = case when next_poll_at < 'infinity' then least(next_poll_at, now()) else next_poll_at end
         where workspace_id = $1 and config_id = $2`,
        [workspaceId, mailboxId],
      )
    },
  }
}
