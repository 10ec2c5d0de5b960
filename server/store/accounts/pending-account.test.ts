import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import { openDatabase, type Database } from '../core/database.ts'
import { createPendingAccountStore } from './pending-account.ts'

let database: Database
let drop: () => Promise<void>
beforeAll(async () => {
  const test = await createTestDatabase()
  drop = test.drop
  database = openDatabase(test.connection, () => undefined)
})
afterAll(async () => {
  await database.close()
  await drop()
})

it('deletes expired handles only', async () => {
  const store = createPendingAccountStore(database)
  const handle = (name: string, ms: number) => ({
    handleHash: Buffer.from(name),
    userId: null,
    expiresAt: new Date(Date.now() + ms),
  })
  await store.add(handle('old', -1000))
  await store.add(handle('new', 60_000))
  await store.prune()
  const { rows } = await database.pool.query("select convert_from(handle_hash, 'utf8') as name from pending_accounts")
  expect(rows).toEqual([{ name: 'new' }])
})
