import type { Pool } from 'pg'
import type {
  CampaignKey,
  Claim,
  ClaimedDelivery,
  ClaimResult,
  DueMailbox,
  LeasedDelivery,
  DeliveryOutcome,
  MailboxKey,
} from '../../domain/messages/delivery.ts'
import type { ClockWatch } from '../core/clock-watch.ts'
import { inTransaction, type Queryable } from '../core/database.ts'
import { listDueSql, lockMailboxSql, writeOutcomesAndClaimSql } from './delivery-queue.sql.ts'
import type { SystemScope } from '../../domain/auth/scope.ts'

type HeadRow = Pick<ClaimResult, 'isLimited'> & { month: null; messageIds: string[] | null; waitMs: number | null }
type ClaimedRow = Omit<ClaimedDelivery, 'workspaceId' | 'mailboxId'>

/** Retry delay while another process counts the same quota. */
const lockedWaitMs = 30

/**
 * The queue of the senders. All times are of the database's clock, which the processes share; right after a jump of it,
 * quotas allow nothing. Frequent statements are named, so that each connection plans them once.
 */
export function createDeliveryQueue(pool: Pool, clock: Pick<ClockWatch, 'isSteady'> = { isSteady: () => true }) {
  const exchange = async (
    executor: Queryable,
    outcomes: readonly DeliveryOutcome[],
    claim: Claim | null,
    isLocked: boolean,
  ): Promise<ClaimResult> => {
    const { rows } = await executor.query<HeadRow | ClaimedRow>({
      name: 'write-outcomes-and-claim',
      text: writeOutcomesAndClaimSql,
      values: [
        ...outcomeValues(outcomes),
        ...claimValues(claim, isLocked),
        outcomes.map(({ workspaceId }) => workspaceId),
        claim?.workspaceId ?? null,
      ],
    })
    const [head, ...claimed] = rows as [HeadRow, ...ClaimedRow[]]
    return {
      messageIds: head.messageIds ?? [],
      rows: claimed.map((row) => toDelivery(row, claim)).sort((a, b) => a.id - b.id),
      isLimited: head.isLimited,
      waitMs: head.waitMs,
    }
  }

  return {
    /** Ends expired pauses, and lists the active mailboxes with due deliveries. */
    async listDueMailboxes(_system: SystemScope): Promise<DueMailbox[]> {
      const { rows } = await pool.query<DueMailbox>({ name: 'list-due-mailboxes', text: listDueSql })
      return rows
    },

    /**
     * Writes outcomes and claims rows in one statement. An outcome with another claim token is ignored, so the write is
     * idempotent. Claims the oldest due rows of an active mailbox within its quota: single sends before campaigns in
     * state `sending`. Skips rows that another process is claiming.
     */
    async writeOutcomesAndClaim(
      _system: SystemScope,
      outcomes: readonly DeliveryOutcome[],
      claim: Claim,
    ): Promise<ClaimResult> {
      if (!claim.isLimited) return exchange(pool, outcomes, claim, false)
      // The lock is a separate statement: only a statement that begins after it sees what another process has just used
      // of the quota.
      return inTransaction(pool, async ({ client }) => {
        const { rows } = await client.query<{ atMs: number }>({
          name: 'lock-mailbox',
          text: lockMailboxSql,
          values: [claim.workspaceId, claim.mailboxId],
        })
        const [locked] = rows
        const isLocked = locked !== undefined && clock.isSteady(locked.atMs)
        const exchanged = await exchange(client, outcomes, claim, isLocked)
        return isLocked ? exchanged : { ...exchanged, waitMs: lockedWaitMs }
      })
    },

    /** Writes outcomes, as `writeOutcomesAndClaim` does. Returns the messages whose rows changed. */
    async writeOutcomes(_system: SystemScope, outcomes: readonly DeliveryOutcome[]): Promise<string[]> {
      if (outcomes.length === 0) return []
      return (await exchange(pool, outcomes, null, false)).messageIds
    },

    /** Rows that the database records as claimed by a sender. */
    async listLeased(_system: SystemScope, owner: string): Promise<LeasedDelivery[]> {
      const { rows } = await pool.query<LeasedDelivery>(
        `select workspace_id as "workspaceId", month::text, id, message_id as "messageId", config_id as "mailboxId", recipient, lease_token as token,
           attempts
         from deliveries where lease_owner = $1 and state = 'sending' order by id`,
        [owner],
      )
      return rows
    },

    /**
     * Releases rows whose claim succeeded but whose answer was lost. `readTokens` is called after the cut-off time is
     * set, so that a concurrent claim is not released.
     */
    async releaseLost(_system: SystemScope, owners: readonly string[], readTokens: () => string[]): Promise<number> {
      const cutOff = await pool.query<{ at: string }>('select clock_timestamp()::text as at')
      const { rowCount } = await pool.query(
        `update deliveries set state = 'queued', lease_owner = null, lease_token = null, leased_at = null
         where lease_owner = any($1::uuid[]) and state = 'sending' and lease_token <> all($2::uuid[]) and leased_at < $3`,
        [owners, readTokens(), cutOff.rows[0]?.at],
      )
      return rowCount ?? 0
    },

    /** Sets rows to `unknown` that a process has held for more than `hours`: only its journal has their results. */
    async expireLeases(_system: SystemScope, hours: number): Promise<number> {
      const { rowCount } = await pool.query(
        `update deliveries set state = 'unknown', settled_at = now(), attempts = attempts + 1,
           reply = 'The process that was sending this never came back',
           lease_owner = null, lease_token = null, leased_at = null
         where state = 'sending' and leased_at < now() - make_interval(hours => $1)`,
        [hours],
      )
      return rowCount ?? 0
    },

    /** Cancels deliveries that returned to the queue after their mailbox was deleted. */
    async cancelOrphans(_system: SystemScope): Promise<number> {
      const { rowCount } = await pool.query(
        `update deliveries set state = 'cancelled', settled_at = now()
         from email_configs
         where email_configs.workspace_id = deliveries.workspace_id and email_configs.id = deliveries.config_id and email_configs.deleted_at is not null
           and deliveries.state in ('queued', 'deferred')`,
      )
      return rowCount ?? 0
    },

    /** The ids of those mailboxes and campaigns that are paused. */
    async listPaused(
      _system: SystemScope,
      mailboxes: readonly MailboxKey[],
      campaigns: readonly CampaignKey[],
    ): Promise<string[]> {
      const { rows } = await pool.query<{ id: string }>({
        name: 'list-paused',
        text: `
          select id from email_configs
          where (workspace_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))
            and (status <> 'active' or deleted_at is not null)
          union all
          select id from campaigns
          where (workspace_id, id) in (select * from unnest($3::uuid[], $4::uuid[])) and status <> 'sending'`,
        values: [
          mailboxes.map(({ workspaceId }) => workspaceId),
          mailboxes.map(({ mailboxId }) => mailboxId),
          campaigns.map(({ workspaceId }) => workspaceId),
          campaigns.map(({ campaignId }) => campaignId),
        ],
      })
      return rows.map(({ id }) => id)
    },
  }
}

function toDelivery(row: ClaimedRow, claim: Claim | null): ClaimedDelivery {
  const { month, id, messageId, campaignId, recipient, context, attempts } = row
  const { workspaceId = '', mailboxId = '' } = claim ?? {}
  return { workspaceId, month, id, messageId, mailboxId, campaignId, recipient, context, attempts }
}

function outcomeValues(outcomes: readonly DeliveryOutcome[]): unknown[] {
  const column = <T>(pick: (outcome: DeliveryOutcome) => T) => outcomes.map(pick)
  return [
    column(({ month }) => month),
    column(({ id }) => id),
    column(({ token }) => token),
    column(({ state }) => state),
    column(({ reply }) => reply),
    column(({ isAttempt }) => (isAttempt ? 1 : 0)),
    column(({ isCounted }) => isCounted),
    column(({ delayMs }) => delayMs),
  ]
}

function claimValues(claim: Claim | null, isLocked: boolean): unknown[] {
  if (claim === null) return [null, null, null, 0, false, null, null]
  const { mailboxId, owner, token, limit, limits } = claim
  return [mailboxId, owner, token, limit, isLocked, limits.perMinuteCount, limits.perDayCount]
}
