import { sandboxAddress } from '../../../contract/mail/config.limits.ts'
import type { ReadingState } from '../../../contract/inbox/inbox.ts'
import type { Scope, SystemScope } from '../../domain/auth/scope.ts'
import type { FolderPosition, ReaderLease } from '../../domain/inbox/reading.ts'
import type { Database } from '../core/database.ts'

const leaseSeconds = 60

/** A mailbox that a process holds, as it is now. */
interface HeldRow {
  workspaceId: string
  mailboxId: string
  token: string
  isReading: boolean
  credentialsVersion: number
  isCheckWanted: boolean
}

/** Which process reads which mailbox, and the states of reading. */
export function createReaderLeases({ pool }: Pick<Database, 'pool'>) {
  return {
    /** Takes due mailboxes that no living process reads, for 60 s; not the sandbox's where another process runs it. */
    async claim(
      _system: SystemScope,
      owner: string,
      limit: number,
      isSandboxElsewhere: boolean,
    ): Promise<ReaderLease[]> {
      const { rows } = await pool.query<ReaderLease>(
        `update mailbox_readers r set lease_owner = $1, lease_token = gen_random_uuid(),
           lease_until = now() + interval '${leaseSeconds} seconds'
         from (
           select m.workspace_id, m.config_id from mailbox_readers m
             join email_configs c on c.workspace_id = m.workspace_id and c.id = m.config_id
           where (m.lease_until is null or m.lease_until < now()) and m.next_poll_at <= now()
             and c.is_reading and c.deleted_at is null and not ($3 and c.email_address = '${sandboxAddress}')
           order by m.next_poll_at limit $2 for update of m skip locked
         ) as due
         where r.workspace_id = due.workspace_id and r.config_id = due.config_id
         returning r.workspace_id as "workspaceId", r.config_id as "mailboxId", r.lease_token as token, r.attempts`,
        [owner, limit, isSandboxElsewhere],
      )
      return rows
    },

    async renew(_system: SystemScope, owner: string): Promise<void> {
      await pool.query(
        `update mailbox_readers set lease_until = now() + interval '${leaseSeconds} seconds'
         where lease_owner = $1 and lease_until > now()`,
        [owner],
      )
    },

    async listHeld(_system: SystemScope, owner: string): Promise<HeldRow[]> {
      const { rows } = await pool.query<HeldRow>(
        `select r.workspace_id as "workspaceId", r.config_id as "mailboxId", r.lease_token as token,
           c.is_reading and c.deleted_at is null as "isReading", c.credentials_version as "credentialsVersion",
           coalesce(r.check_requested_at > r.last_seen_at, false) as "isCheckWanted"
         from mailbox_readers r
           join email_configs c on c.workspace_id = r.workspace_id and c.id = r.config_id
         where r.lease_owner = $1 and r.lease_until > now()`,
        [owner],
      )
      return rows
    },

    /** Gives a mailbox back until `delayMs` from now; null: until its owner acts. */
    async release(
      { workspaceId }: Scope,
      { mailboxId, token }: ReaderLease,
      delayMs: number | null,
      attempts: number,
    ): Promise<void> {
      await pool.query(
        `update mailbox_readers set lease_owner = null, lease_token = null, lease_until = null, attempts = $5,
           next_poll_at = case when $4::float8 is null then 'infinity' else now() + $4 * interval '1 millisecond' end
         where workspace_id = $1 and config_id = $2 and lease_token = $3`,
        [workspaceId, mailboxId, token, delayMs, attempts],
      )
    },

    async releaseAll(_system: SystemScope, owner: string): Promise<void> {
      await pool.query(
        `update mailbox_readers set lease_owner = null, lease_token = null, lease_until = null where lease_owner = $1`,
        [owner],
      )
    },

    /**
     * Notes the state, and where it is a good one that the server has answered now: unless a check was asked for since all
     * folders were read.
     */
    async setState(
      { workspaceId }: Scope,
      { mailboxId, token }: ReaderLease,
      { state, error, wholeMs = 0 }: { state: ReadingState; error: string | null; wholeMs?: number | undefined },
    ): Promise<void> {
      await pool.query(
        `with held as (
           update mailbox_readers
           set last_seen_at = case when $4 in ('live', 'polling')
               and coalesce(check_requested_at <= now() - $6 * interval '1 millisecond', true)
             then now() else last_seen_at end,
             attempts = case when $4 in ('live', 'polling') then 0 else attempts end
           where workspace_id = $1 and config_id = $2 and lease_token = $3 returning workspace_id, config_id
         )
         update email_configs c set reading_state = $4, reading_error = $5 from held
         where c.workspace_id = $1 and c.id = held.config_id and c.is_reading
           and (c.reading_state, coalesce(c.reading_error, '')) is distinct from ($4, coalesce($5, ''))`,
        [workspaceId, mailboxId, token, state, error, wholeMs],
      )
    },

    async listPositions({ workspaceId }: Scope, mailboxId: string): Promise<FolderPosition[]> {
      const { rows } = await pool.query<FolderPosition>(
        `select folder, role, uidvalidity as "uidValidity", last_uid as "lastUid" from mailbox_folders
         where workspace_id = $1 and config_id = $2`,
        [workspaceId, mailboxId],
      )
      return rows
    },

    async keepFolders({ workspaceId }: Scope, mailboxId: string, folders: readonly string[]): Promise<void> {
      await pool.query(
        'delete from mailbox_folders where workspace_id = $1 and config_id = $2 and folder <> all($3::text[])',
        [workspaceId, mailboxId, folders],
      )
    },
  }
}
