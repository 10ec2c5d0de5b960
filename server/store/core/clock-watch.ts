import type { Pool, PoolClient } from 'pg'
import { inTransaction } from './database.ts'

/** A reading: the database's time, our monotonic time, and the last recorded jump. */
interface Reading {
  atMs: number
  tickMs: number
  jumpId: number
}

export type ClockWatch = ReturnType<typeof createClockWatch>

/** A smaller difference is latency or a gradual correction of the clock. */
const toleranceMs = 5000
/** A reading that took longer is too imprecise. */
const readingMaxMs = 1000
/** Times within a bucket's length of a reading may be before or after a jump. */
const bucketMaxMs = 300_000

/**
 * Detects jumps of the database's clock by a monotonic clock, and shifts the stored times that measure elapsed time:
 * use of quotas, leases of deliveries, idempotent calls. The first process that detects a jump corrects it for all.
 * Jumps while no process runs are not detected; but a clock that is before stored times was set back, and the first
 * reading corrects that.
 */
export function createClockWatch(pool: Pool, tickMs: () => number) {
  let last: Reading | null = null

  const jumpSince = (reading: Pick<Reading, 'atMs' | 'tickMs'>) =>
    last === null ? 0 : reading.atMs - last.atMs - (reading.tickMs - last.tickMs)

  /** Corrects a jump unless another process has; returns the last recorded jump. */
  const correctJump = (from: Reading, to: Reading): Promise<number> =>
    inTransaction(pool, async ({ client }) => {
      await client.query(lockSql)
      const { rows } = await client.query<{ id: number; ms: number }>(
        `select coalesce(max(id), 0) as id, coalesce(sum(jump_ms) filter (where id > $1), 0) as ms from clock_jumps`,
        [from.jumpId],
      )
      const [known = { id: from.jumpId, ms: 0 }] = rows
      const jumpMs = to.atMs - from.atMs - (to.tickMs - from.tickMs) - known.ms
      if (Math.abs(jumpMs) <= toleranceMs) return known.id
      return shiftTimes(client, jumpMs, from, to)
    })

  /**
   * Corrects a clock that was set back while no process ran, by the least possible difference: as if no time had passed
   * since the latest stored time, so that it counts too long rather than too short.
   */
  const correctUnseen = (): Promise<number> =>
    inTransaction(pool, async ({ client }) => {
      await client.query(lockSql)
      const { rows } = await client.query<{ jumpId: number; atMs: number; lastMs: number | null }>(lastCountedSql)
      const [found = { jumpId: 0, atMs: 0, lastMs: null }] = rows
      const { jumpId, atMs, lastMs } = found
      if (lastMs === null || lastMs - atMs <= toleranceMs) return jumpId
      return shiftTimes(client, atMs - lastMs, { atMs: lastMs, tickMs: 0 }, { atMs, tickMs: 0 })
    })

  return {
    /** Whether the database's clock agrees with the last reading; `atMs`: its time now. */
    isSteady: (atMs: number): boolean => Math.abs(jumpSince({ atMs, tickMs: tickMs() })) <= toleranceMs,

    /** Reads the clock and corrects a jump. False if the reading is too imprecise. To be called each second. */
    async correct(): Promise<boolean> {
      const startedMs = tickMs()
      const { rows } = await pool.query<{ atMs: number; jumpId: number }>({
        name: 'read-clock',
        text: `select (extract(epoch from clock_timestamp()) * 1000)::float8 as "atMs",
            (select coalesce(max(id), 0) from clock_jumps) as "jumpId"`,
      })
      const endedMs = tickMs()
      const [row] = rows
      if (row === undefined || endedMs - startedMs > readingMaxMs) return false
      const reading = { ...row, tickMs: (startedMs + endedMs) / 2 }
      if (last === null) reading.jumpId = await correctUnseen()
      else if (Math.abs(jumpSince(reading)) > toleranceMs) reading.jumpId = await correctJump(last, reading)
      last = reading
      return true
    },
  }
}

const lockSql = `select pg_advisory_xact_lock(hashtextextended('clock jumps', 0))`

/** The latest of the stored times that measure elapsed time. */
const lastCountedSql = `
  select (select coalesce(max(id), 0) from clock_jumps) as "jumpId",
    (extract(epoch from clock_timestamp()) * 1000)::float8 as "atMs",
    (extract(epoch from greatest(
      (select max(bucket_at) from mailbox_usage),
      (select max(renewed_at) from mailbox_slots),
      (select max(leased_at) from deliveries where state = 'sending'),
      (select max(started_at) from idempotency_keys))) * 1000)::float8 as "lastMs"`

/** Whether a time is before the jump in $1; of times that may be before or after a jump back, none is. */
const isBeforeJump = (column: string) => `${column} <= to_timestamp($2::float8 / 1000)
  and not ($1::float8 < 0 and ${column} between to_timestamp(($3::float8 - $4::float8) / 1000)
    and to_timestamp($3::float8 / 1000))`

/** Shift the stored times that measure elapsed time; past ones are left as they are. */
const shiftSql = [
  `update mailbox_usage set bucket_at = bucket_at + $1::float8 * interval '1 millisecond'
   where ${isBeforeJump('bucket_at')}`,
  `update mailbox_slots set renewed_at = renewed_at + $1::float8 * interval '1 millisecond'
   where ${isBeforeJump('renewed_at')}`,
  `update deliveries set leased_at = leased_at + $1::float8 * interval '1 millisecond'
   where state = 'sending' and ${isBeforeJump('leased_at')}`,
  `update idempotency_keys set started_at = started_at + $1::float8 * interval '1 millisecond'
   where ${isBeforeJump('started_at')}`,
]

/** Shifts the stored times by the jump and records it; returns the record's id. */
async function shiftTimes(
  client: PoolClient,
  jumpMs: number,
  from: Pick<Reading, 'atMs' | 'tickMs'>,
  to: Pick<Reading, 'atMs' | 'tickMs'>,
): Promise<number> {
  // After a jump back, new times overlap with old ones: ambiguous times are not shifted and count too long.
  const ambiguousMs = to.tickMs - from.tickMs + bucketMaxMs
  for (const sql of shiftSql) await client.query(sql, [jumpMs, from.atMs, to.atMs, ambiguousMs])
  const recorded = await client.query<{ id: number }>('insert into clock_jumps (jump_ms) values ($1) returning id', [
    jumpMs,
  ])
  return recorded.rows[0]?.id ?? 0
}
