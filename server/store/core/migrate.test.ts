import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import type { TestDatabase } from '../../../tests/support/postgres-server.ts'
import { openDatabase, type Database } from './database.ts'
import { listApplied, listMigrations, migrate } from './migrate.ts'

let made: TestDatabase
let database: Database

beforeEach(async () => {
  made = await createTestDatabase()
  database = openDatabase(made.connection, () => undefined)
})
afterEach(async () => {
  await database.close()
  await made.drop()
})

describe('migrations', () => {
  it('are applied once by processes that start together', async () => {
    await Promise.all([migrate(database.pool), migrate(database.pool)])
    expect(await listApplied(database.pool)).toEqual((await listMigrations()).map(({ when }) => when))
  })

  it('refuse a database of a preview version in one sentence and leave it as it is', async () => {
    await database.pool.query(
      'drop schema migrations cascade; create schema drizzle; create table drizzle.__drizzle_migrations (id int)',
    )
    await expect(migrate(database.pool)).rejects.toThrow(
      /^This database was created by a preview version of Sendwright and cannot be upgraded: start with an empty DATA_DIR/,
    )
    expect(await listApplied(database.pool)).toBeNull()
  })
})
