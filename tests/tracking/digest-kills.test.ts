import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from '../../server/store/core/database.ts'
import { ensureDeliveryPartitions } from '../../server/store/messages/delivery-partitions.ts'
import { createEventWorld, type Act } from '../support/event-world.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { startServerProcess, workerCommand } from '../support/server-process.ts'
import { soakSize } from '../support/soak.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const killCount = soakSize(4, 20)
const actsPerRound = 4000
const peopleCount = 200

it('DIGEST-01 after repeated `kill -9` during a digest each figure equals the number of events: none lost, none doubled', async () => {
  await using folder = await temporaryFolder()
  const test = await createTestDatabase()
  const database = openDatabase(test.connection, () => undefined)
  const start = () =>
    startServerProcess({
      command: workerCommand,
      environment: {
        DATABASE_URL: test.url,
        DATA_DIR: join(folder.path, 'worker'),
        SECRET_KEY_FILE: join(folder.path, 'secret.key'),
        LOG_LEVEL: 'error',
      },
    })
  try {
    await ensureDeliveryPartitions(database.pool)
    const world = await createEventWorld(database, { count: peopleCount })
    let seed = 11
    const random = (limit: number) => (seed = (seed * 16_807) % 2_147_483_647) % limit
    const anyAct = (): Act => ({
      who: random(peopleCount),
      afterMs: 20_000 + random(250_000),
      ...(random(2) === 0 && { link: random(5) }),
      agent: (['firefox', 'chrome', 'gmail', 'apple', 'slack'] as const)[random(5)] ?? 'firefox',
    })
    let actCount = 0
    for (let kill = 1; kill <= killCount; kill++) {
      await world.act(...Array.from({ length: actsPerRound }, anyAct))
      actCount += actsPerRound
      const waiting = await world.waitingCount()
      const worker = await start()
      // Some batches are done and the next one is under way.
      await expect.poll(() => world.waitingCount(), { timeout: 60_000, interval: 2 }).toBeLessThan(waiting)
      await worker.end('SIGKILL')
      // The lease of the killed worker ends by itself; the test does not wait for it.
      await database.pool.query('delete from digest_leases where workspace_id = $1', [world.workspaceId])
    }
    const worker = await start()
    await expect.poll(() => world.waitingCount(), { timeout: 60_000, interval: 50 }).toBe(0)
    await worker.end('SIGTERM')
    const { counted, fromEvents } = await world.recount()
    expect(counted).toEqual(fromEvents)
    const figures = Object.entries(await world.figures()).filter(([name]) => /^(?:opened|clicked) /.test(name))
    expect(figures.reduce((sum, [, { n }]) => sum + n, 0)).toBe(actCount)
  } finally {
    await database.close()
    await test.drop()
  }
}, 600_000)
