import { findRunningPostgres } from '../../server/postgres/find-running.ts'
import { openDatabase, type Database } from '../../server/store/core/database.ts'

/** Opens the database that a server runs in its data folder. */
export async function openOwnDatabase(dataDir: string): Promise<Database> {
  const connection = await findRunningPostgres(dataDir)
  if (connection === null) throw new Error('the database is not open')
  return openDatabase(connection, () => undefined)
}
