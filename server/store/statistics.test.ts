import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMailRows } from '../../tests/support/mail-rows.ts'
import { createTestDatabase } from '../../tests/support/postgres.ts'
import { openDatabase, type Database } from './database.ts'
import { ensureDeliveryPartitions } from './delivery-partitions.ts'
import { createStatisticsStore } from './statistics.ts'

let database: Database
let drop: () => Promise<void>
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

it('counts the same by the messages of a workspace and by reading all rows, which it does for the largest', async () => {
  const { pool } = database
  const [most, few] = [await createMailRows(pool), await createMailRows(pool)]
  for (const [rows, count] of [
    [most, 900],
    [few, 100],
  ] as const) {
    const configId = await rows.addMailbox()
    await rows.addMessage(
      configId,
      Array.from({ length: count }, (_person, at) => `person${at}@example.com`),
    )
  }
  await pool.query(
    `update deliveries set state = (array['sent', 'failed', 'queued'])[1 + id % 3],
       settled_at = case when id % 3 < 2 then now() - (id % 60) * interval '11 hours' end`,
  )
  const statistics = createStatisticsStore(pool)
  const ways = async () =>
    (await pool.query<{ name: string }>("select name from pg_prepared_statements where name like 'count-by-day%'")).rows
  const countAll = () =>
    Promise.all([most, few].map(({ workspaceId }) => statistics.countByDay(workspaceId, 30, 'Asia/Kathmandu')))
  const before = await countAll()
  expect(await ways()).not.toContainEqual({ name: 'count-by-day-of-most' })
  await pool.query('analyze deliveries')
  expect(await countAll()).toEqual(before)
  const total = (at: number) => before[at]?.reduce((sum, { sent, failed, waiting }) => sum + sent + failed + waiting, 0)
  expect([total(0), total(1)]).toEqual([900, 100])
  const single = await statistics.countByDay(most.workspaceId, 30, 'UTC')
  expect(single).toHaveLength(30)
  expect(await ways()).toContainEqual({ name: 'count-by-day-of-most' })
})
