import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createMailRows, emptyTables, type MailRows } from '../../tests/support/mail-rows.ts'
import { createTestDatabase } from '../../tests/support/postgres.ts'
import { createClockWatch, type ClockWatch } from './clock-watch.ts'
import { openDatabase, type Database } from './database.ts'
import { ensureDeliveryPartitions } from './delivery-partitions.ts'
import { createDeliveryQueue } from './delivery-queue.ts'
import { createMailboxUsage } from './mailbox-usage.ts'

let database: Database
let drop: () => Promise<void>
let rows: MailRows
/** How far the database's clock has gone ahead of that of the processes. */
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

/** The database's clock cannot be set here: what was written moves into its past, and the processes' time goes back. */
async function jump(ms: number): Promise<void> {
  aheadMs += ms
  await database.pool.query(`update mailbox_usage set bucket_at = bucket_at - $1 * interval '1 millisecond'`, [ms])
}

async function use(configId: string, count: number): Promise<void> {
  await database.pool.query(
    `insert into mailbox_usage (config_id, bucket_seconds, bucket_at, count)
     select $1, seconds, to_timestamp(floor(extract(epoch from now()) / seconds) * seconds - seconds), $2
     from unnest(array[1, 300]) as seconds`,
    [configId, count],
  )
}

const usageOf = async (configId: string) => (await createMailboxUsage(database.pool).read([configId]))[0]

function claim(clock: ClockWatch, configId: string) {
  const limits = { perMinuteCount: null, perDayCount: 5 }
  const given = { configId, owner: randomUUID(), token: randomUUID(), limit: 10, limits, isLimited: true }
  return createDeliveryQueue(database.pool, clock).settleAndClaim([], given)
}

describe('a clock of the database that jumps', () => {
  it.each([25 * hourMs, -25 * hourMs])('by %i ms forgets nothing of a quota, from its first moment on', async (ms) => {
    const configId = await rows.addMailbox()
    await rows.addMessage(configId, ['a@example.com', 'b@example.com'])
    const clock = watch()
    await clock.look()
    await use(configId, 5)
    await jump(ms)
    expect((await claim(clock, configId)).rows).toEqual([])
    expect(await clock.look()).toBe(true)
    expect(await usageOf(configId)).toMatchObject({ dayCount: 5 })
    expect((await claim(clock, configId)).rows).toEqual([])
  })

  it('is made up for once, whoever notices, and again when it is set right', async () => {
    const configId = await rows.addMailbox()
    const clocks = [watch(), watch(), watch()]
    for (const clock of clocks) await clock.look()
    await use(configId, 5)
    await jump(48 * hourMs)
    await Promise.all(clocks.map((clock) => clock.look()))
    await use(configId, 1)
    for (const clock of clocks) await clock.look()
    expect(await usageOf(configId)).toMatchObject({ dayCount: 6 })
    await jump(-48 * hourMs)
    await Promise.all(clocks.map((clock) => clock.look()))
    const { rows: jumps } = await database.pool.query<{ hours: number }>(
      'select round(jump_ms / 3600000)::int as hours from clock_jumps order by id',
    )
    expect(jumps).toEqual([{ hours: 48 }, { hours: -48 }])
    expect(await usageOf(configId)).toMatchObject({ dayCount: 6 })
  })

  it('is none while it merely runs a little differently', async () => {
    const configId = await rows.addMailbox()
    const clock = watch()
    await clock.look()
    await use(configId, 2)
    await jump(3000)
    await clock.look()
    const { rows: jumps } = await database.pool.query('select from clock_jumps')
    expect(jumps).toEqual([])
    expect(await usageOf(configId)).toMatchObject({ dayCount: 2 })
  })
})
