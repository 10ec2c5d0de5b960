import type { Logger } from 'pino'
import type { DataFolder } from '../../postgres/data-folder-lock.ts'
import { startEmbeddedPostgres } from '../../postgres/start.ts'
import { StartError, type Settings } from '../../settings.ts'
import { openDatabase, type Connection, type Database } from '../../store/core/database.ts'
import { migrate } from '../../store/core/migrate.ts'
import { ensureDeliveryPartitions } from '../../store/messages/delivery-partitions.ts'

/**
 * Connects to PostgreSQL (starts or adopts the embedded one) and migrates the schema. `undo` collects the functions that close
 * it. Throws errors whose message is one sentence for the operator.
 */
export async function openServerDatabase(
  settings: Settings,
  folder: DataFolder,
  log: Logger,
  undo: AsyncDisposableStack,
): Promise<{ database: Database; direct: Connection }> {
  let connection: Connection
  if (settings.databaseUrl === null) {
    const postgres = await startEmbeddedPostgres({ folder, log, keepsRunning: true })
    undo.defer(() => postgres.stop())
    connection = postgres.connection
  } else connection = { url: settings.databaseUrl }
  const { databaseUrl, databaseDirectUrl } = settings
  const direct = databaseUrl === null || databaseDirectUrl === null ? connection : { url: databaseDirectUrl }
  const database = openDatabase(connection, (error) => log.warn({ err: error }, 'A connection to the database broke'))
  undo.defer(() => database.close())
  await reach(database, 'DATABASE_URL')
  await prepare(settings, database)
  return { database, direct }
}

const advice: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; check its host and port, and that PostgreSQL runs',
  ENOTFOUND: 'its host is not known; check its spelling',
  EAI_AGAIN: 'its host cannot be looked up; check its spelling and the network',
  ETIMEDOUT: 'it does not answer; check its host, port and firewall',
  '28P01': 'the password is wrong',
  '28000': 'this user may not sign in',
  '3D000': 'there is no such database; create it first',
  '42501': 'this user may not do what is needed; make it the owner of the database',
}

const oldestVersion = 150_000

/** Migrates the schema, past a pooler if there is one: the migration's lock does not work through it. */
async function prepare({ databaseUrl, databaseDirectUrl }: Settings, database: Database): Promise<void> {
  if (databaseUrl === null || databaseDirectUrl === null) return bringUp(database)
  const direct = openDatabase({ url: databaseDirectUrl }, () => undefined) // Its next query reports the error.
  try {
    await reach(direct, 'DATABASE_DIRECT_URL')
    await bringUp(direct)
  } finally {
    await direct.close()
  }
}

async function bringUp({ pool }: Database): Promise<void> {
  await migrate(pool)
  await ensureDeliveryPartitions(pool)
}

/** The first connection, which reports a wrong URL. The message contains neither password nor address. */
async function reach({ pool }: Database, name: string): Promise<void> {
  let version: number
  try {
    const { rows } = await pool.query<{ version: string }>("select current_setting('server_version_num') as version")
    version = Number(rows[0]?.version)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason =
      advice[code ?? ''] ?? (/timeout/i.test(message) ? advice['ETIMEDOUT'] : `its error was ${code ?? 'nothing'}`)
    throw new StartError(`The database of ${name} cannot be used: ${reason ?? ''}.`, { cause: error })
  }
  if (version < oldestVersion) {
    throw new StartError(`The database of ${name} is older than PostgreSQL 15; use 15 or newer.`)
  }
}
