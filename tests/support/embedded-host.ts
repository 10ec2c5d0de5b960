import { once } from 'node:events'
import pg from 'pg'
import { lockDataFolder } from '../../server/postgres/data-folder-lock.ts'
import { startEmbeddedPostgres } from '../../server/postgres/start.ts'
import { silentLog } from './postgres-server.ts'

/** The command line of a host, and its output in one line of JSON. */
export interface HostCommand {
  dataDir: string
  runtimeDir?: string
}
export type HostMessage =
  | { pid: number; adopted: boolean; host: string }
  | { error: string; message: string }
  | { drained: number }

/**
 * A process that runs a data folder's PostgreSQL as the product does, for tests that kill it, interrupt it or run it as
 * another user. At SIGINT it still uses the database, then stops it.
 */
const answer = (line: HostMessage) => process.stdout.write(`${JSON.stringify(line)}\n`)

if (process.argv[2] !== undefined) {
  const { dataDir, ...order } = JSON.parse(process.argv[2]) as HostCommand
  const interrupted = once(process, 'SIGINT')
  try {
    const folder = await lockDataFolder(dataDir)
    const { connection, pid, adopted, stop } = await startEmbeddedPostgres({ folder, log: silentLog, ...order })
    answer({ pid, adopted, host: connection.host })
    // A pending event keeps no process alive.
    const alive = setInterval(() => {}, 60_000)
    await interrupted
    const client = new pg.Client(connection)
    await client.connect()
    const { rows } = await client.query<{ count: number }>('select count(*)::int as count from pg_database')
    await client.end()
    answer({ drained: rows[0]!.count })
    await stop()
    await folder.release()
    clearInterval(alive)
  } catch (error) {
    answer({ error: (error as Error).name, message: (error as Error).message })
    process.exitCode = 1
  }
}
