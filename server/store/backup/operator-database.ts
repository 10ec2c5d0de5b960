import { DataFolderError, lockDataFolder } from '../../postgres/data-folder-lock.ts'
import { openDatabase, type Connection, type Database } from '../core/database.ts'
import { findRunningPostgres } from '../../postgres/find-running.ts'
import { startEmbeddedPostgres } from '../../postgres/start.ts'

const silent = { info: () => undefined, warn: () => undefined }

/**
 * Opens the database for an operator command, beside a running server or without one: starts the embedded PostgreSQL if
 * it is stopped, and stops it afterwards. Runs no migrations. Throws DataFolderError, EmbeddedPostgresError and errors
 * of `pg`.
 */
export async function withOperatorDatabase<T>(
  { databaseUrl, dataDir }: { databaseUrl: string | null; dataDir: string },
  work: (database: Database) => Promise<T>,
): Promise<T> {
  await using undo = new AsyncDisposableStack()
  const connection = databaseUrl === null ? await reachEmbedded(dataDir, undo) : { url: databaseUrl }
  const database = openDatabase(connection, () => undefined) // The query that meets it says so.
  undo.defer(() => database.close())
  return await work(database)
}

async function reachEmbedded(dataDir: string, undo: AsyncDisposableStack): Promise<Connection> {
  try {
    const folder = await lockDataFolder(dataDir)
    undo.defer(() => folder.release())
    const postgres = await startEmbeddedPostgres({ folder, log: silent })
    undo.defer(() => postgres.stop())
    return postgres.connection
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error
    // A server holds the folder, so its database should answer. If not, the first error is more precise.
    const running = await findRunningPostgres(dataDir).catch(() => null)
    if (running === null) throw error
    return running
  }
}
