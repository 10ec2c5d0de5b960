import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { explainSystemError } from './errors.ts'
import { findExistingLocation } from './cluster-location.ts'
import { findPostmaster } from './postmaster.ts'
import { checkSocketFolder } from './socket-folder.ts'
import { connectionTo, passwordFileName, type EmbeddedConnection } from './start.ts'

/**
 * Connection settings of the PostgreSQL that another process runs on a data folder; null if none is ready. Throws
 * EmbeddedPostgresError.
 */
export async function findRunningPostgres(dataDir: string): Promise<EmbeddedConnection | null> {
  try {
    const folder = await realpath(dataDir)
    const location = await findExistingLocation(folder)
    const running = location === null ? null : await findPostmaster(location)
    if (location === null || running?.status !== 'ready') return null
    await checkSocketFolder(location.user, running.socketFolder)
    return connectionTo(running.socketFolder, (await readFile(join(folder, passwordFileName), 'utf8')).trim())
  } catch (error) {
    throw explainSystemError(error, dataDir)
  }
}
