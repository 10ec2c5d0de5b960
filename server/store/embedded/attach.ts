import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseName, roleName } from './cluster.ts'
import { findHome } from './home.ts'
import { findPostmaster } from './postmaster.ts'
import { checkSocketFolder, socketPort } from './socket-folder.ts'
import type { EmbeddedConnection } from './start.ts'

/**
 * How to reach the PostgreSQL that a server runs on this data folder at this moment; null where none is ready. For
 * commands beside a running server: nothing is started, and nothing is to be stopped.
 */
export async function findRunningPostgres(dataDir: string): Promise<EmbeddedConnection | null> {
  const path = await realpath(dataDir)
  // A home is only made with the folder's own name, and a server that runs has one.
  const home = await findHome({ path, nameFor: () => '', release: () => Promise.resolve() })
  const noted = await findPostmaster(home)
  if (noted?.status !== 'ready') return null
  await checkSocketFolder(home.runner, noted.socketFolder)
  const password = (await readFile(join(path, 'postgres.password'), 'utf8')).trim()
  return {
    host: noted.socketFolder,
    port: socketPort,
    user: roleName,
    password,
    database: databaseName,
    ssl: false,
  }
}
