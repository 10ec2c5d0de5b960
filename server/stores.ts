import { createAccountStore } from './store/account.ts'
import { createConfigStore } from './store/config.ts'
import type { DataFolder } from './store/data-folder-lock.ts'
import { openDatabase, type Connection, type Database } from './store/database.ts'
import { ensureDeliveryPartitions } from './store/delivery-partitions.ts'
import { createDeliveryStore } from './store/delivery.ts'
import { startEmbeddedPostgres } from './store/embedded/start.ts'
import { createMessageStore } from './store/message.ts'
import { migrate } from './store/migrate.ts'
import { createPasswords } from './store/passwords.ts'
import { readQueueDepth } from './store/queue-depth.ts'
import { createSandboxMessageStore } from './store/sandbox-message.ts'
import { openVault } from './store/vault-keys.ts'
import { sessionIdleDays } from '../contract/limits.ts'
import { StartError, type Settings } from './settings.ts'
import type { Logger } from 'pino'

export type Stores = Awaited<ReturnType<typeof openStores>>

/**
 * Reaches PostgreSQL (starting or adopting the embedded one), brings the schema up to date and opens the vault.
 * Throws errors whose message is one sentence for the operator.
 */
export async function openStores(settings: Settings, folder: DataFolder, log: Logger, now: () => Date) {
  await using undo = new AsyncDisposableStack()
  let connection: Connection
  if (settings.databaseUrl === null) {
    const postgres = await startEmbeddedPostgres({ folder, log })
    undo.defer(() => postgres.stop())
    connection = postgres.connection
  } else connection = { url: settings.databaseUrl }

  const database = openDatabase(connection, (error) => log.warn({ err: error }, 'A connection to the database broke'))
  undo.defer(() => database.close())
  await reach(database)
  await migrate(database.pool)
  await ensureDeliveryPartitions(database.pool)
  const vault = await openVault(database.pool, settings.secretKeyFile)

  const messages = createMessageStore(database, vault)
  const stores = {
    messages,
    accounts: createAccountStore(database, messages, { sessionIdleDays }),
    configs: createConfigStore(database, vault, now),
    deliveries: createDeliveryStore(database.pool),
    sandboxMessages: createSandboxMessageStore(database.pool),
    passwords: createPasswords(),
    prepareMonths: () => ensureDeliveryPartitions(database.pool),
    readQueueDepth: () => readQueueDepth(database.pool),
    cookieKey: vault.cookieKey.export(),
    /** Whether a query is answered. */
    isReachable: () =>
      database.pool.query('select 1').then(
        () => true,
        () => false, // Whoever asks wants to know just this.
      ),
  }
  const open = undo.move()
  return { ...stores, close: () => open.disposeAsync() }
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

/** First contact: what is wrong with DATABASE_URL shows here. The sentence holds neither password nor address. */
async function reach({ pool }: Database): Promise<void> {
  let version: number
  try {
    const { rows } = await pool.query<{ version: string }>("select current_setting('server_version_num') as version")
    version = Number(rows[0]?.version)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason =
      advice[code ?? ''] ?? (/timeout/i.test(message) ? advice['ETIMEDOUT'] : `it said ${code ?? 'nothing'}`)
    throw new StartError(`The database of DATABASE_URL cannot be used: ${reason ?? ''}.`, { cause: error })
  }
  if (version < oldestVersion) {
    throw new StartError('The database of DATABASE_URL is older than PostgreSQL 15; use 15 or newer.')
  }
}
