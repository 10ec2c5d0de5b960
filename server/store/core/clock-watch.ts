import type { Pool, PoolClient } from 'pg'
import { inTransaction } from './database.ts'

/** What the database's clock said, at which instant of our own, and the last jump that somebody had noticed by then. */
interface Look {
  atMs: number
  tickMs: number
  jumpId: number
}

export type ClockWatch = ReturnType<typeof createClockWatch>

/** Less than this is no jump: it may be the way to the database, or a clock that is being set right little by little. */
const toleranceMs = 5000
/** An answer that took longer says too little about when it was given. */
const answerMaxMs = 1000
/** What was written within a bucket's length of a look may belong to either side of a jump. */
const bucketMaxMs = 300_000

/**
 * Notices when the database's clock jumps, by a clock of ours that never does, and moves along what is counted by elapsed
 * time: what mailboxes have used of their quotas, who holds deliveries, what was answered under an Idempotency-Key. Whoever
 * notices first does it, for all processes. While no process runs nobody sees a jump; but a clock that stands before what
 * was counted by it has been set back, and its first look makes up for that.
 */
export function createClockWatch(pool: Pool, tickMs: () => number) {
  let last: Look | null = null

  const jumpSince = (look: Pick<Look, 'atMs' | 'tickMs'>) =>
    last === null ? 0 : look.atMs - last.atMs - (look.tickMs - last.tickMs)

  /** Makes up for what nobody has made up for yet; gives the last jump that is accounted for. */
  const absorb = (from: Look, to: Look): Promise<number> =>
    inTransaction(pool, async ({ client }) => {
      await client.query(lockSql)
      const { rows } = await client.query<{ id: number; ms: number }>(
        `select coalesce(max(id), 0) as id, coalesce(sum(jump_ms) filter (where id > $1), 0) as ms from clock_jumps`,
        [from.jumpId],
      )
      const [known = { id: from.jumpId, ms: 0 }] = rows
      const jumpMs = to.atMs - from.atMs - (to.tickMs - from.tickMs) - known.ms
      if (Math.abs(jumpMs) <= toleranceMs) return known.id
      return moveAlong(client, jumpMs, from, to)
    })

  /**
   * Makes up for a clock that was set back while nobody looked, by as little as it must have been: as if no time had passed
   * since the last thing that was counted, which can only make it count for longer.
   */
  const absorbUnseen = (): Promise<number> =>
    inTransaction(pool, async ({ client }) => {
      await client.query(lockSql)
      const { rows } = await client.query<{ jumpId: number; atMs: number; lastMs: number | null }>(lastCountedSql)
      const [found = { jumpId: 0, atMs: 0, lastMs: null }] = rows
      const { jumpId, atMs, lastMs } = found
      if (lastMs === null || lastMs - atMs <= toleranceMs) return jumpId
      return moveAlong(client, atMs - lastMs, { atMs: lastMs, tickMs: 0 }, { atMs, tickMs: 0 })
    })

  return {
    /** Whether the database's clock still goes as it did at the last look; `atMs` is what it has just said. */
    isSteady: (atMs: number): boolean => Math.abs(jumpSince({ atMs, tickMs: tickMs() })) <= toleranceMs,

    /** Looks at the clock and makes up for a jump. False where it cannot be told how it goes. To be called each second. */
    async look(): Promise<boolean> {
      const startedMs = tickMs()
      const { rows } = await pool.query<{ atMs: number; jumpId: number }>({
        name: 'look-at-clock',
        text: `select (extract(epoch from clock_timestamp()) * 1000)::float8 as "atMs",
            (select coalesce(max(id), 0) from clock_jumps) as "jumpId"`,
      })
      const endedMs = tickMs()
      const [row] = rows
      if (row === undefined || endedMs - startedMs > answerMaxMs) return false
      const look = { ...row, tickMs: (startedMs + endedMs) / 2 }
      if (last === null) look.jumpId = await absorbUnseen()
      else if (Math.abs(jumpSince(look)) > toleranceMs) look.jumpId = await absorb(last, look)
      last = look
      return true
    },
  }
}

/** What is counted by elapsed time; `where` leaves out what is over. */
const counted = [
  { table: 'mailbox_usage', column: 'bucket_at', where: 'true' },
  { table: 'mailbox_slots', column: 'renewed_at', where: 'true' },
  { table: 'deliveries', column: 'leased_at', where: `state = 'sending'` },
  { table: 'idempotency_keys', column: 'started_at', where: 'true' },
] as const

const lockSql = `select pg_advisory_xact_lock(hashtextextended('clock jumps', 0))`

/** The latest of all that is counted by elapsed time. */
const lastCountedSql = `
  select (select coalesce(max(id), 0) from clock_jumps) as "jumpId",
    (extract(epoch from clock_timestamp()) * 1000)::float8 as "atMs",
    (extract(epoch from greatest(${counted
      .map(({ table, column, where }) => `(select max(${column}) from ${table} where ${where})`)
      .join(', ')})) * 1000)::float8 as "lastMs"`

/** Moves what is counted by as much as the clock has jumped, and notes it; gives the note's id. */
async function moveAlong(
  client: PoolClient,
  jumpMs: number,
  from: Pick<Look, 'atMs' | 'tickMs'>,
  to: Pick<Look, 'atMs' | 'tickMs'>,
): Promise<number> {
  // After a jump back the new times lie among the old: what is in doubt stays where it is, and counts for longer.
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
