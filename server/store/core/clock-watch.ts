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
const answerMaxMs = 1000
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
      if (row === undefined || endedMs - startedMs > answerMaxMs) return false
      const reading = { ...row, tickMs: (startedMs + endedMs) / 2 }
      if (last === null) reading.jumpId = await correctUnseen()
      else if (Math.abs(jumpSince(reading)) > toleranceMs) reading.jumpId = await correctJump(last, reading)
      last = reading
      return true
    },
  }
}

/** Stored times that measure elapsed time; `where` omits past ones. */
const counted = [
  { table: 'mailbox_usage', column: 'bucket_at', where: 'true' },
  { table: 'mailbox_slots', column: 'renewed_at', where: 'true' },
  { table: 'deliveries', column: 'leased_at', where: `state = 'sending'` },
  { table: 'idempotency_keys', column: 'started_at', where: 'true' },
] as const

const lockSql = `select pg_advisory_xact_lock(hashtextextended('clock jumps', 0))`

/** The latest of these times. */
const lastCountedSql = `
  select (select coalesce(max(id), 0) from clock_jumps) as "jumpId",
    (extract(epoch from clock_timestamp()) * 1000)::float8 as "atMs",
    (extract(epoch from greatest(${counted
      .map(({ table, column, where }) => `(select max(${column}) from ${table} where ${where})`)
      .join(', ')})) * 1000)::float8 as "lastMs"`

/** Shifts the stored times by the jump and records it; returns the record's id. */
async function shiftTimes(
  client: PoolClient,
  jumpMs: number,
  from: Pick<Reading, 'atMs' | 'tickMs'>,
  to: Pick<Reading, 'atMs' | 'tickMs'>,
): Promise<number> {
  // After a jump back, new times overlap with old ones: ambiguous times are not shifted and count too long.
  const doubtfulMs = to.tickMs - from.tickMs + bucketMaxMs
  for (const { table, column, where } of counted) {
    await client.query(
      `update ${table} set ${column} = ${column} + $1::float8 * interval '1 millisecond'
       where ${column} <= to_timestamp($2::float8 / 1000) and ${where}
         and not ($1::float8 < 0 and ${column} between to_timestamp(($3::float8 - $4::float8) / 1000)
           and to_timestamp($3::float8 / 1000))`,
      [jumpMs, from.atMs, to.atMs, doubtfulMs],
    )
  }
  const noted = await client.query<{ id: number }>('insert into clock_jumps (jump_ms) values ($1) returning id', [
    jumpMs,
  ])
  return noted.rows[0]?.id ?? 0
}
