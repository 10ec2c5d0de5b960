import { scopeOf, systemScope } from '../../../tests/support/scope.ts'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createMailRows, emptyTables, type MailRows } from '../../../tests/support/mail-rows.ts'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import { createClockWatch, type ClockWatch } from './clock-watch.ts'
import { openDatabase, type Database } from './database.ts'
import { ensureDeliveryPartitions } from '../messages/delivery-partitions.ts'
import { createDeliveryQueue } from '../messages/delivery-queue.ts'
import { createMailboxQuota } from '../quota/mailbox-quota.ts'
import { bindScope } from '../../domain/auth/scope.ts'

let database: Database
let drop: () => Promise<void>
let rows: MailRows
/** Lead of the database's clock over that of the processes. */
let aheadMs: number

beforeAll(async () => {
  const test = await createTestDatabase()
  drop = test.drop
  database = openDatabase(test.connection, () => {})
  await ensureDeliveryPartitions(database.pool)
})
afterAll(async () => {
  await database.close()
  await drop()
})
beforeEach(async () => {
  await emptyTables(database.pool)
  await database.pool.query('truncate clock_jumps')
  rows = await createMailRows(database.pool)
  aheadMs = 0
})

const hourMs = 3_600_000
const watch = () => createClockWatch(database.pool, () => performance.now() - aheadMs)

/** The database's clock cannot be set here: stored times move into the past, and the processes' time goes back. */
async function jump(ms: number): Promise<void> {
  aheadMs += ms
  await database.pool.query(`update mailbox_usage set bucket_at = bucket_at - $1 * interval '1 millisecond'`, [ms])
}

async function use(mailboxId: string, count: number): Promise<void> {
  await database.pool.query(
    `insert into mailbox_usage (workspace_id, config_id, bucket_seconds, bucket_at, count)
     select $3, $1, seconds, to_timestamp(floor(extract(epoch from now()) / seconds) * seconds - seconds), $2
     from unnest(array[1, 300]) as seconds`,
    [mailboxId, count, rows.workspaceId],
  )
}

const usageOf = async (mailboxId: string) => {
  const { rows: listed } = await createMailboxQuota(database.pool).list(scopeOf(rows.workspaceId), {
    limit: 100,
    offset: 0,
  })
  return listed.find(({ id }) => id === mailboxId)
}

function claim(clock: ClockWatch, mailboxId: string) {
  const limits = { perMinuteCount: null, perDayCount: 5 }
  const { workspaceId } = rows
  const given = { workspaceId, mailboxId, owner: randomUUID(), token: randomUUID(), limit: 10, limits, isLimited: true }
  return bindScope(createDeliveryQueue(database.pool, clock), systemScope).writeOutcomesAndClaim([], given)
}

describe('a jump of the database’s clock', () => {
  it.each([25 * hourMs, -25 * hourMs])('by %i ms keeps the use of a quota from the start', async (ms) => {
    const mailboxId = await rows.addMailbox()
    await rows.addMessage(mailboxId, ['a@example.com', 'b@example.com'])
    const clock = watch()
    await clock.correct()
    await use(mailboxId, 5)
    await jump(ms)
    expect((await claim(clock, mailboxId)).rows).toEqual([])
    expect(await clock.correct()).toBe(true)
    expect(await usageOf(mailboxId)).toMatchObject({ dayCount: 5 })
    expect((await claim(clock, mailboxId)).rows).toEqual([])
  })

  it('is corrected once by any process, and again when the clock is set right', async () => {
    const mailboxId = await rows.addMailbox()
    const clocks = [watch(), watch(), watch()]
    for (const clock of clocks) await clock.correct()
    await use(mailboxId, 5)
    await jump(48 * hourMs)
    await Promise.all(clocks.map((clock) => clock.correct()))
    await use(mailboxId, 1)
    for (const clock of clocks) await clock.correct()
    expect(await usageOf(mailboxId)).toMatchObject({ dayCount: 6 })
    await jump(-48 * hourMs)
    await Promise.all(clocks.map((clock) => clock.correct()))
    const { rows: jumps } = await database.pool.query<{ hours: number }>(
      'select round(jump_ms / 3600000)::int as hours from clock_jumps order by id',
    )
    expect(jumps).toEqual([{ hours: 48 }, { hours: -48 }])
    expect(await usageOf(mailboxId)).toMatchObject({ dayCount: 6 })
  })

  it('is not detected for a small drift', async () => {
    const mailboxId = await rows.addMailbox()
    const clock = watch()
    await clock.correct()
    await use(mailboxId, 2)
    await jump(3000)
    await clock.correct()
    const { rows: jumps } = await database.pool.query('select from clock_jumps')
    expect(jumps).toEqual([])
    expect(await usageOf(mailboxId)).toMatchObject({ dayCount: 2 })
  })
})

describe('a clock of the database that was set back while no process ran', () => {
  it('does not block a quota until the clock has caught up', async () => {
    const mailboxId = await rows.addMailbox()
    await use(mailboxId, 5)
    // The last mail was sent 400 days from now by the current clock.
    await jump(-400 * 24 * hourMs)
    expect(await usageOf(mailboxId)).toMatchObject({ dayCount: 5 })
    const clocks = [watch(), watch()]
    await Promise.all(clocks.map((clock) => clock.correct()))
    expect(await usageOf(mailboxId)).toMatchObject({ dayCount: 5 })
    const left = await database.pool.query<{ day: number }>(
      'select max(extract(epoch from bucket_at - now()) / 86400)::float8 as day from mailbox_usage',
    )
    expect(left.rows[0]?.day).toBeLessThanOrEqual(0)
    expect(left.rows[0]?.day).toBeGreaterThan(-1 / 24)
    const { rows: jumps } = await database.pool.query<{ days: number }>(
      'select round(jump_ms / 86400000)::int as days from clock_jumps',
    )
    expect(jumps).toEqual([{ days: -400 }])
  })

  it('keeps leases for their usual time', async () => {
    const mailboxId = await rows.addMailbox()
    await rows.addMessage(mailboxId, ['a@example.com'])
    await claim(watch(), mailboxId)
    await database.pool.query(`update deliveries set leased_at = leased_at + interval '30 days'`)
    await watch().correct()
    const queue = bindScope(createDeliveryQueue(database.pool), systemScope)
    expect(await queue.expireLeases(24)).toBe(0)
    await database.pool.query(`update deliveries set leased_at = leased_at - interval '25 hours'`)
    expect(await queue.expireLeases(24)).toBe(1)
  })

  it('is not detected if no stored time is later', async () => {
    const mailboxId = await rows.addMailbox()
    await use(mailboxId, 5)
    const before = await database.pool.query('select bucket_at from mailbox_usage order by 1')
    await watch().correct()
    expect((await database.pool.query('select from clock_jumps')).rowCount).toBe(0)
    expect((await database.pool.query('select bucket_at from mailbox_usage order by 1')).rows).toEqual(before.rows)
  })
})
