import type { Logger } from 'pino'
import { StartError, type Settings } from './settings.ts'
import { DataFolderError, lockDataFolder } from './postgres/data-folder-lock.ts'
import { openDatabase, type Database } from './store/core/database.ts'
import { findRunningPostgres } from './postgres/find-running.ts'
import { startEmbeddedPostgres } from './postgres/start.ts'

/** The database of a command that runs beside a server, or without one. */
export interface OpenedDatabase extends AsyncDisposable {
  database: Database
  /** Whether a server has locked the data folder. Servers elsewhere on the same DATABASE_URL are not detected. */
  isServerRunning: boolean
}

/**
 * Opens the database: the one of DATABASE_URL, the embedded one of a running server, or the embedded one of an unused data
 * folder, which is started for the duration of the command.
 * Throws errors whose message is one sentence for the operator.
 */
export async function openOperatorDatabase(settings: Settings, log: Logger): Promise<OpenedDatabase> {
  await using undo = new AsyncDisposableStack()
  const open = (connection: Parameters<typeof openDatabase>[0]) => {
    const database = openDatabase(connection, () => undefined) // The current statement reports the error.
    undo.defer(() => database.close())
    return database
  }
  const done = (database: Database, isServerRunning: boolean): OpenedDatabase => {
    const everything = undo.move()
    return { database, isServerRunning, [Symbol.asyncDispose]: () => everything.disposeAsync() }
  }
  const folder = await lockDataFolder(settings.dataDir).catch((error: unknown) => {
    if (error instanceof DataFolderError && error.message.includes('already runs')) return null
    throw error
  })
  if (folder) undo.defer(() => folder.release())
  if (settings.databaseUrl !== null) {
    return done(open({ url: settings.databaseDirectUrl ?? settings.databaseUrl }), folder === null)
  }
  if (folder) {
    const postgres = await startEmbeddedPostgres({ folder, log })
    undo.defer(() => postgres.stop())
    return done(open(postgres.connection), false)
  }
  const connection = await findRunningPostgres(settings.dataDir)
  if (connection === null) throw new StartError('The server on this data folder is starting or stopping; try again.')
  return done(open(connection), true)
}
