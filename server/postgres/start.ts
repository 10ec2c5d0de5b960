import { basename, dirname, join } from 'node:path'
import pg from 'pg'
import { createCluster, databaseName, clusterExists, resetPassword, roleName } from './cluster.ts'
import { explainSystemError } from './errors.ts'
import { keepRunning } from './keep-running.ts'
import { stopServer, launch, readyTimeoutMs } from './launch.ts'
import { readOrCreatePassword } from './password.ts'
import { findPostmaster, hasEnded } from './postmaster.ts'
import { checkSocketFolder, createSocketFolder, removeSocketFolder, socketPort } from './socket-folder.ts'
import { quoteFolder } from './tuning.ts'
import { waitUntil } from './wait-until.ts'
import { resolvePaths, type EmbeddedOptions, type PostgresPaths } from './paths.ts'

/** What `pg` needs to reach the server. */
export interface EmbeddedConnection {
  /** The folder of its socket. */
  host: string
  port: number
  user: string
  password: string
  database: string
  /** A local socket needs no TLS; set explicitly, because `pg` would read PGSSLMODE from the environment and fail. */
  ssl: false
}

/** A running server. If `stop` is not called it outlives this process, and the next start adopts it. */
export interface EmbeddedPostgres {
  connection: EmbeddedConnection
  /** Changes when the server is restarted. */
  readonly pid: number
  /** Whether it was already running, started by a process that was killed. */
  adopted: boolean
  /** Stops the server and waits until it has ended; running statements are cancelled. */
  stop: () => Promise<void>
}

/** In the data folder. */
export const passwordFileName = 'postgres.password'
const logTrimEveryMs = 60_000
const connectTimeoutMs = 10_000
/** SQLSTATE `invalid_password`. */
const wrongPassword = '28P01'

/**
 * Starts the PostgreSQL of a data folder, or adopts a running one. The first start creates the database; a start that was
 * killed at any point is completed by the next.
 * Throws EmbeddedPostgresError with one sentence that says what to do.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    const paths = await resolvePaths(options)
    await paths.logFile.trim()
    return await start(paths, join(options.folder.path, passwordFileName))
  } catch (error) {
    throw explainSystemError(error, options.folder.path)
  }
}

async function start(paths: PostgresPaths, passwordFile: string): Promise<EmbeddedPostgres> {
  const exists = await clusterExists(paths.location, paths.major)
  const { password, isNew } = await readOrCreatePassword(passwordFile)
  const connectionFor = (host: string) => connectionTo(host, password)

  const adopted = exists ? await adopt(paths, connectionFor) : null
  if (adopted !== null) return adopted
  if (!exists) await createCluster(paths, password)
  // The password file was lost: the owner of the cluster may set a new password.
  else if (isNew) await resetPassword(paths, password)

  const connection = connectionFor(
    await createSocketFolder(paths.location.user, paths.socketBases, paths.socketFolderName),
  )
  try {
    return supervise(paths, connection, await serveWithPassword(paths, connection), false)
  } catch (error) {
    await removeSocketFolder(connection.host)
    throw error
  }
}

/** Connection settings for the socket in a folder. */
export function connectionTo(socketFolder: string, password: string): EmbeddedConnection {
  return { host: socketFolder, port: socketPort, user: roleName, password, database: databaseName, ssl: false }
}

/**
 * Adopts a server that a killed process left running; null if there is none, or if it had to be stopped because it was
 * unreachable.
 */
async function adopt(
  paths: PostgresPaths,
  connectionFor: (host: string) => EmbeddedConnection,
): Promise<EmbeddedPostgres | null> {
  const { location, log } = paths
  const hasStableStatus = async () => {
    const running = await findPostmaster(location)
    return running === null || running.status === 'ready'
  }
  await waitUntil(hasStableStatus, readyTimeoutMs)
  const running = await findPostmaster(location)
  if (running === null) return null
  const { pid, socketFolder } = running
  try {
    await checkSocketFolder(location.user, socketFolder)
    const connection = connectionFor(socketFolder)
    await signIn(connection)
    return supervise(paths, connection, pid, true)
  } catch (error) {
    log.warn({ pid, reason: (error as Error).message }, 'the running PostgreSQL cannot be used: restarting it')
    await stopServer(pid, paths)
    return null
  }
}

async function serveWithPassword(paths: PostgresPaths, connection: EmbeddedConnection): Promise<number> {
  try {
    return await serve(paths, connection)
  } catch (error) {
    if ((error as pg.DatabaseError).code !== wrongPassword) throw error
    await resetPassword(paths, connection.password)
    return serve(paths, connection)
  }
}

/** Starts the server and signs in once; stops the server if that fails. */
async function serve(paths: PostgresPaths, connection: EmbeddedConnection): Promise<number> {
  const pid = await launch(paths, {
    port: String(connection.port),
    unix_socket_directories: quoteFolder(connection.host),
  })
  try {
    await signIn(connection)
    return pid
  } catch (error) {
    await stopServer(pid, paths)
    throw error
  }
}

/** Signs in with SCRAM, which authenticates both sides. */
async function signIn(connection: EmbeddedConnection): Promise<void> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: connectTimeoutMs })
  // Without a listener a crash of the server at this moment would end the process; the next query reports it.
  client.on('error', () => undefined)
  try {
    await client.connect()
  } finally {
    await client.end()
  }
}

function supervise(
  paths: PostgresPaths,
  connection: EmbeddedConnection,
  firstPid: number,
  adopted: boolean,
): EmbeddedPostgres {
  const { location, log, logFile } = paths
  let pid = firstPid
  const trim = () => {
    logFile.trim().catch((error: unknown) => log.warn({ reason: (error as Error).message }, 'cannot trim the log'))
  }
  const trimming = setInterval(trim, logTrimEveryMs).unref()
  log.info({ pid, adopted }, 'embedded PostgreSQL is ready')
  const restart = async () => {
    log.warn({ pid }, 'PostgreSQL has ended unexpectedly: restarting it')
    const { host } = connection
    await createSocketFolder(location.user, [dirname(host)], basename(host))
    pid = await serveWithPassword(paths, connection)
    log.info({ pid, adopted: false }, 'embedded PostgreSQL is ready')
  }
  const onFailure = (error: unknown, waitMs: number) => {
    log.warn({ reason: (error as Error).message, waitMs }, 'PostgreSQL cannot be restarted; retrying')
  }
  const isRunning = async () => (await findPostmaster(location)) !== null || !hasEnded(pid)
  const stopKeeping = paths.keepsRunning ? keepRunning({ isRunning, restart, onFailure }) : null
  let stopping: Promise<void> | null = null
  const stop = async () => {
    await stopKeeping?.()
    clearInterval(trimming)
    await stopServer(pid, paths)
    await removeSocketFolder(connection.host)
  }
  return {
    connection,
    get pid() {
      return pid
    },
    adopted,
    stop: () => (stopping ??= stop()),
  }
}
