import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEventWorld } from '../../../tests/support/event-world.ts'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import { systemScope } from '../../../tests/support/scope.ts'
import { openDatabase, type Database } from '../core/database.ts'
import { ensureDeliveryPartitions } from '../messages/delivery-partitions.ts'
import { createDigestLeaseStore } from './digest-lease.ts'
import { writeEvents } from './inbox.ts'

let database: Database
let drop: () => Promise<void>

beforeAll(async () => {
  const test = await createTestDatabase()
  drop = test.drop
  database = openDatabase(test.connection, () => undefined)
  await ensureDeliveryPartitions(database.pool)
})
afterAll(async () => {
  await database.close()
  await drop()
})

const minuteMs = 60_000

it('a process that sends leaves events of the last moments to others, and takes those that wait or are ahead of the clock', async () => {
  const leases = createDigestLeaseStore(database)
  const addWorkspace = async (...agesMs: number[]) => {
    const { scope, mailboxId } = await createEventWorld(database)
    await database.pool.query('delete from event_inbox where workspace_id = $1', [scope.workspaceId])
    for (const ageMs of agesMs) {
      const at = new Date(Date.now() - ageMs)
      await writeEvents(scope, [{ kind: 'mailbox_resumed', at, detail: { config_id: mailboxId } }], database.pool)
    }
    return scope.workspaceId
  }
  const fresh = await addWorkspace(0)
  const waiting = await addWorkspace(10 * minuteMs, 0)
  const ahead = await addWorkspace(-10 * minuteMs)
  const all = [fresh, waiting, ahead].sort()
  expect((await leases.listWaiting(systemScope)).sort()).toEqual(all)
  expect((await leases.listWaiting(systemScope, 5 * minuteMs)).sort()).toEqual([waiting, ahead].sort())
})
