import { DataFolderError, lockDataFolder } from '../../postgres/data-folder-lock.ts'
import { openDatabase, type Connection, type Database } from '../core/database.ts'
import { findRunningPostgres } from '../../postgres/find-running.ts'
import { startEmbeddedPostgres } from '../../postgres/start.ts'

const silent = { info: () => undefined, warn: () => undefined }

/**
 * Does an operator's work on the database, beside a running server or without one: an embedded PostgreSQL that nobody
 * runs is started for the work, and stopped after it. The schema is taken as it is.
 * Throws DataFolderError, EmbeddedPostgresError and what `pg` throws.
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
    // A server holds the folder: its database is there to be used. Where not, the first error says it better.
    const running = await findRunningPostgres(dataDir).catch(() => null)
    if (running === null) throw error
    return running
  }
}
