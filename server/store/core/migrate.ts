import { fileURLToPath } from 'node:url'
import { drizzle, runMigrations } from './drizzle.ts'
import type { Pool } from 'pg'

/** Where the migrations stand. */
export const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url))
/** Any number that no other program on the same database locks. */
const lockId = 7_369_021

/** Brings the schema up to date. Processes that start together wait for one another. `folder`: other migrations than ours. */
export async function migrate(pool: Pool, folder = migrationsFolder): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockId])
    await runMigrations(drizzle(client), { migrationsFolder: folder })
  } finally {
    // Ending the connection gives the lock back, also when a migration failed half-way.
    client.release(true)
  }
}
