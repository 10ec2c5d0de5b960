import { expect, it } from 'vitest'
import { checkEvents } from '../../commands/doctor/database.ts'
import { openDatabase } from '../../server/store/core/database.ts'
import { repeatParked } from '../../server/store/events/parked.ts'
import { ensureDeliveryPartitions } from '../../server/store/messages/delivery-partitions.ts'
import { createEventWorld } from '../support/event-world.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { systemScope } from '../support/scope.ts'

it('DIGEST-07 the doctor names events that were set aside, and each is counted once after they are repeated', async () => {
  const test = await createTestDatabase()
  const database = openDatabase(test.connection, () => undefined)
  try {
    await ensureDeliveryPartitions(database.pool)
    const world = await createEventWorld(database)
    await world.act({ who: 0, afterMs: 60_000, agent: 'gmail' }, { who: 1, afterMs: 60_000, agent: 'gmail' })
    await database.pool.query(`update event_inbox set parked_error = 'disk full'`)
    const [finding] = await checkEvents(database.pool)
    expect(finding?.message).toMatch(/^2 events could not be counted .* npm run events:repeat\.$/)
    await world.digest()
    expect(await world.figures()).toEqual({})
    expect(await repeatParked(systemScope, database.pool)).toBe(2)
    await world.digest()
    await world.digest()
    expect(await world.figures()).toEqual({ 'opened 1': { n: 2, people: 2 } })
    expect(await checkEvents(database.pool)).toEqual([])
  } finally {
    await database.close()
    await test.drop()
  }
})
