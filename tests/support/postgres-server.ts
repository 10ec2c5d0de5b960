import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { lockDataFolder, type DataFolder } from '../../server/postgres/data-folder-lock.ts'
import { createCluster, databaseName, roleName } from '../../server/postgres/cluster.ts'
import { launch } from '../../server/postgres/launch.ts'
import { readOrCreatePassword } from '../../server/postgres/password.ts'
import { startEmbeddedPostgres, type EmbeddedConnection } from '../../server/postgres/start.ts'
import { waitUntil } from '../../server/postgres/wait-until.ts'
import { resolvePaths, type PostgresPaths } from '../../server/postgres/paths.ts'
import { migrate } from '../../server/store/core/migrate.ts'
import type { TestCertificate } from './certificate.ts'
import { baseFolder } from './temporary-folder.ts'

/** A PostgreSQL for tests: nothing in it outlives the run. Plain data, so that vitest can pass it to test files. */
export interface TestServer {
  reach: 'socket' | 'tcp'
  /** Of a role that may create databases; `database` is one to connect to for that. */
  connection: EmbeddedConnection
}

/** One that this process started and stops. */
export interface OwnTestServer extends TestServer {
  stop: () => Promise<void>
}

/** A database of one test file's own. */
export interface TestDatabase {
  connection: EmbeddedConnection
  /** The same as a URL, for DATABASE_URL. */
  url: string
  /** Fails while connections to it are open: a test that leaks one is detected here. */
  drop: () => Promise<void>
}

const template = 'migrated'
export const silentLog = { info: () => {}, warn: () => {} }

/** Starts a server on a unix socket, with the product's own supervisor. */
export async function startSocketPostgres(): Promise<OwnTestServer> {
  return startIn(async (folder) => {
    const { connection } = await startEmbeddedPostgres({ folder, log: silentLog, isForTests: true })
    return { reach: 'socket', connection }
  })
}

/**
 * Starts a server from the same binaries that listens on 127.0.0.1 and has no socket, for DATABASE_URL. With a certificate it
 * speaks TLS too.
 */
export async function startTcpPostgres({ tls }: { tls?: TestCertificate } = {}): Promise<OwnTestServer> {
  return startIn(async (folder) => {
    const place = await resolvePaths({ folder, log: silentLog, isForTests: true })
    const { password } = await readOrCreatePassword(join(folder.path, 'postgres.password'))
    await createCluster(place, password)
    await writeFile(join(place.location.cluster, 'pg_hba.conf'), `host all ${roleName} 127.0.0.1/32 scram-sha-256\n`)
    if (tls) await writeCertificate(place, tls)
    const port = await launchOnFreePort(place, tls ? { ssl: 'on' } : {})
    const connection = {
      host: '127.0.0.1',
      port,
      user: roleName,
      password,
      database: databaseName,
      ssl: false as const,
    }
    return { reach: 'tcp', connection }
  })
}

/** Creates a database with the schema. */
export async function createDatabase(server: TestServer): Promise<TestDatabase> {
  const database = `test_${randomBytes(6).toString('hex')}`
  await execute(server, `CREATE DATABASE ${database} TEMPLATE ${template} STRATEGY file_copy`)
  const connection = { ...server.connection, database }
  return { connection, url: urlOf(connection), drop: () => drop(server, database) }
}

async function startIn(start: (folder: DataFolder) => Promise<TestServer>): Promise<OwnTestServer> {
  const path = await mkdtemp(join(baseFolder, 'sendwright-test-'))
  await chmod(path, 0o711)
  const stop = watch(path)
  try {
    const folder = await lockDataFolder(path)
    const server = await start(folder)
    await execute(server, `CREATE DATABASE ${template}`)
    await migrateTemplate(server)
    const release = async () => {
      await stop()
      await folder.release()
    }
    return { ...server, stop: release }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Starts the process that stops the server and removes its folder when this process closes the pipe: by the returned
 * function, or by any exit, an interrupted run included.
 */
function watch(path: string): () => Promise<void> {
  const script = fileURLToPath(new URL('postgres-reaper.ts', import.meta.url))
  const reaper = spawn(process.execPath, [script, path], { detached: true, stdio: ['pipe', 'ignore', 'inherit'] })
  reaper.unref()
  return async () => {
    if (reaper.exitCode !== null || reaper.signalCode !== null) return
    const exited = once(reaper, 'exit')
    reaper.ref()
    reaper.stdin.end()
    await exited
  }
}

async function migrateTemplate(server: TestServer): Promise<void> {
  const pool = new pg.Pool({ ...server.connection, database: template, max: 1 })
  try {
    await migrate(pool)
  } finally {
    await pool.end()
  }
}

/** The server removes a closed connection from its list a moment later. */
async function drop(server: TestServer, database: string): Promise<void> {
  let openCount = 0
  const isIdle = async () => {
    const rows = await execute(
      server,
      `SELECT FROM pg_stat_activity WHERE datname = '${database}' AND usename = current_user`,
    )
    openCount = rows.length
    return openCount === 0
  }
  if (!(await waitUntil(isIdle, 2_000))) {
    const what =
      openCount === 1 ? '1 connection to the test database is' : `${openCount} connections to the test database are`
    throw new Error(`${what} still open: close what the test has opened before drop()`)
  }
  await execute(server, `DROP DATABASE ${database}`)
}

async function execute({ connection }: TestServer, statement: string): Promise<unknown[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<pg.QueryResultRow>(statement)).rows
  } finally {
    await client.end()
  }
}

async function launchOnFreePort(
  place: PostgresPaths,
  settings: Readonly<Record<string, string>>,
  attempts = 5,
): Promise<number> {
  const port = await findFreePort()
  const own = { port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: '' }
  try {
    await launch(place, { ...own, ...settings })
    return port
  } catch (error) {
    // Another program may have taken the port since it was found free.
    if (attempts <= 1) throw error
    return launchOnFreePort(place, settings, attempts - 1)
  }
}

/** PostgreSQL reads its key only from a file of its own user that no other user can read. */
async function writeCertificate({ location }: PostgresPaths, { key, cert }: TestCertificate): Promise<void> {
  const { uid, gid } = await stat(location.cluster)
  for (const [name, text] of Object.entries({ 'server.key': key, 'server.crt': cert })) {
    const file = join(location.cluster, name)
    await writeFile(file, text, { mode: 0o600 })
    await chown(file, uid, gid)
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function urlOf({ host, port, user, password, database }: EmbeddedConnection): string {
  const [name, query] = host.startsWith('/') ? ['localhost', `?host=${encodeURIComponent(host)}`] : [host, '']
  return `postgres://${user}:${encodeURIComponent(password)}@${name}:${port}/${database}${query}`
}
