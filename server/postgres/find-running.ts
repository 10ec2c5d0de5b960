import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { explainSystemError } from './errors.ts'
import { findExistingLocation } from './cluster-location.ts'
import { findPostmaster } from './postmaster.ts'
import { checkSocketFolder } from './socket-folder.ts'
import { connectionTo, passwordFileName, type EmbeddedConnection } from './start.ts'

/**
 * How to reach the PostgreSQL that another process runs on a data folder; null where none is ready. It is neither started
 * nor stopped. Throws EmbeddedPostgresError.
 */
export async function findRunningPostgres(dataDir: string): Promise<EmbeddedConnection | null> {
  try {
    const folder = await realpath(dataDir)
    const home = await findExistingLocation(folder)
    const noted = home === null ? null : await findPostmaster(home)
    if (home === null || noted?.status !== 'ready') return null
    await checkSocketFolder(home.user, noted.socketFolder)
    return connectionTo(noted.socketFolder, (await readFile(join(folder, passwordFileName), 'utf8')).trim())
  } catch (error) {
    throw explainSystemError(error, dataDir)
  }
}
