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
import { listDueSql, lockMailboxSql, settleAndClaimSql } from './delivery-queue.sql.ts'
import type { SystemScope } from '../../domain/auth/scope.ts'

export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>

type HeadRow = Pick<ClaimResult, 'isLimited'> & { month: null; messageIds: string[] | null; waitMs: number | null }
type ClaimedRow = Omit<ClaimedDelivery, 'workspaceId' | 'mailboxId'>

/** How soon to ask again where another process counts the same quota at this moment. */
const lockedWaitMs = 30

/**
 * The queue as senders use it. Whatever counts as time is the database's clock, which all processes share. The hot
 * statements are named, so that each connection plans them once. While that clock has just jumped, quotas give nothing.
 */
export function createDeliveryQueue(pool: Pool, clock: Pick<ClockWatch, 'isSteady'> = { isSteady: () => true }) {
  const exchange = async (
    executor: Queryable,
    settlements: readonly DeliveryOutcome[],
    claim: Claim | null,
    isLocked: boolean,
  ): Promise<ClaimResult> => {
    const { rows } = await executor.query<HeadRow | ClaimedRow>({
      name: 'settle-and-claim',
      text: settleAndClaimSql,
      values: [
        ...settlementValues(settlements),
        ...claimValues(claim, isLocked),
        settlements.map(({ workspaceId }) => workspaceId),
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
    /**
     * Ends the pauses that are over, and lists the active mailboxes that have deliveries due, each with its owner's limits
     * as one text that changes when they do.
     */
    async listDueMailboxes(_system: SystemScope): Promise<DueMailbox[]> {
      const { rows } = await pool.query<DueMailbox>({ name: 'list-due-mailboxes', text: listDueSql })
      return rows
    },

    /**
     * Lets rows go and takes others, in one statement. A row whose claim is not the one named is left alone, so settling
     * twice does no harm. Takes the oldest due rows of an active mailbox within its quota: single sends before campaigns, of
     * campaigns only those that are sending. Rows that another process is taking are passed over.
     */
    async writeOutcomesAndClaim(
      _system: SystemScope,
      settlements: readonly DeliveryOutcome[],
      claim: Claim,
    ): Promise<ClaimResult> {
      if (!claim.isLimited) return exchange(pool, settlements, claim, false)
      // The lock comes first, in a statement of its own: only a statement that begins after it sees what another process
      // has just taken from the same quota.
      return inTransaction(pool, async ({ client }) => {
        const { rows } = await client.query<{ atMs: number }>({
          name: 'lock-mailbox',
          text: lockMailboxSql,
          values: [claim.workspaceId, claim.mailboxId],
        })
        const [locked] = rows
        const isLocked = locked !== undefined && clock.isSteady(locked.atMs)
        const exchanged = await exchange(client, settlements, claim, isLocked)
        return isLocked ? exchanged : { ...exchanged, waitMs: lockedWaitMs }
      })
    },

    /** Lets rows go, as `settleAndClaim` does. Gives the messages whose rows changed, each once. */
    async writeOutcomes(_system: SystemScope, settlements: readonly DeliveryOutcome[]): Promise<string[]> {
      if (settlements.length === 0) return []
      return (await exchange(pool, settlements, null, false)).messageIds
    },

    /** Rows that a sender holds by the database's word. */
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
     * Sends back rows that were claimed without the claimer learning of it. The claims it knows are read only after the
     * instant from which on leases are left alone: a claim made meanwhile is never mistaken for a lost one.
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

    /**
     * Settles as unknown what a process holds that has not been back for so many hours: its journal knows better, but
     * nobody waits for ever.
     */
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

    /** Cancels what came back to the queue after its mailbox was deleted. */
    async cancelOrphans(_system: SystemScope): Promise<number> {
      const { rowCount } = await pool.query(
        `update deliveries set state = 'cancelled', settled_at = now()
         from email_configs
         where email_configs.workspace_id = deliveries.workspace_id and email_configs.id = deliveries.config_id and email_configs.deleted_at is not null
           and deliveries.state in ('queued', 'deferred')`,
      )
      return rowCount ?? 0
    },

    /** Of these mailboxes and campaigns, those of which nothing may leave at this moment. */
    async listPaused(
      _system: SystemScope,
      mailboxes: readonly MailboxKey[],
      campaigns: readonly CampaignKey[],
    ): Promise<string[]> {
      const { rows } = await pool.query<{ id: string }>({
        name: 'list-halted',
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

function settlementValues(settlements: readonly DeliveryOutcome[]): unknown[] {
  const column = <T>(pick: (settlement: DeliveryOutcome) => T) => settlements.map(pick)
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
