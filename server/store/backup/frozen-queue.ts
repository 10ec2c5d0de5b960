import type { Pool, PoolClient } from 'pg'
import { nextStateSql, statesBeforeSql } from '../campaigns/campaign-state.sql.ts'
import type { SystemScope } from '../../domain/auth/scope.ts'

/** Result of a freeze. */
export interface FrozenCounts {
  /** Deliveries that are frozen until they are released. */
  frozenCount: number
  /** Deliveries that were being sent when the backup was made: their result is unknown. */
  unknownCount: number
  /** Scheduled and sending campaigns, which are paused now. */
  pausedCount: number
}

/** Frozen deliveries are postponed by a whole cycle of the calendar, so that subtracting it restores the exact time. */
const away = `interval '400 years'`
const frozen = `state in ('queued', 'deferred') and next_attempt_at > now() + interval '300 years'`
const waits = 'Restored from a backup; waits for the operator to release the queue'
const lost = 'Was being sent when the backup was made'

/**
 * Freezes the queue of a restored database: its mails may have been sent after the backup. Rows are postponed rather
 * than marked, so that claims need no further condition.
 */
export async function freezeQueue(_operator: SystemScope, client: PoolClient): Promise<FrozenCounts> {
  const unknown = await client.query(
    `update deliveries set state = 'unknown', settled_at = now(), reply = $1,
       lease_owner = null, lease_token = null, leased_at = null
     where state = 'sending'`,
    [lost],
  )
  const put = await client.query(
    `update deliveries set next_attempt_at = next_attempt_at + ${away}, reply = $1
     where state in ('queued', 'deferred') and next_attempt_at < now() + interval '300 years'`,
    [waits],
  )
  return {
    frozenCount: put.rowCount ?? 0,
    unknownCount: unknown.rowCount ?? 0,
    pausedCount: await pauseCampaigns(client),
  }
}

/** The schema of an older backup has no campaigns. */
async function pauseCampaigns(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ isThere: boolean }>(`select to_regclass('campaigns') is not null as "isThere"`)
  if (rows[0]?.isThere !== true) return 0
  const paused = await client.query(
    `update campaigns set status = ${nextStateSql('pause')} where status in (${statesBeforeSql('pause')})`,
  )
  return paused.rowCount ?? 0
}

/** Releases frozen deliveries with their original times; returns how many. */
export async function releaseQueue(_operator: SystemScope, pool: Pick<Pool, 'query'>): Promise<number> {
  const { rowCount } = await pool.query(
    `update deliveries set next_attempt_at = next_attempt_at - ${away}, reply = null where ${frozen}`,
  )
  return rowCount ?? 0
}

/** Cancels frozen deliveries; returns how many. */
export async function cancelFrozen(_operator: SystemScope, pool: Pick<Pool, 'query'>): Promise<number> {
  const { rowCount } = await pool.query(
    `update deliveries set state = 'cancelled', settled_at = now(), next_attempt_at = next_attempt_at - ${away},
       reply = 'Cancelled by the operator after a restore'
     where ${frozen}`,
  )
  return rowCount ?? 0
}
