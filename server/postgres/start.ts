import { basename, dirname, join } from 'node:path'
import pg from 'pg'
import { createCluster, databaseName, clusterExists, resetPassword, roleName } from './cluster.ts'
import { explainSystemError } from './errors.ts'
import { keepRunning } from './keep-running.ts'
import { end, launch, readyTimeoutMs } from './launch.ts'
import { readOrCreatePassword } from './password.ts'
import { findPostmaster, hasEnded } from './postmaster.ts'
import { checkSocketFolder, makeSocketFolder, removeSocketFolder, socketPort } from './socket-folder.ts'
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
  /** Nothing leaves the machine; stated, for `pg` would take PGSSLMODE from the environment and fail. */
  ssl: false
}

/** A running server. It outlives this process where `stop` is not called, and is adopted by the next start then. */
export interface EmbeddedPostgres {
  connection: EmbeddedConnection
  /** Another one after it has died and was started again. */
  readonly pid: number
  /** Whether it was running already, left by a process that was killed. */
  adopted: boolean
  /** Ends the server and waits until it has ended: statements under way are broken off. */
  stop: () => Promise<void>
}

/** In the data folder. */
export const passwordFileName = 'postgres.password'
const logTrimEveryMs = 60_000
const connectTimeoutMs = 10_000
/** SQLSTATE `invalid_password`. */
const wrongPassword = '28P01'

/**
 * Starts the PostgreSQL of a data folder, or adopts the one that runs there. The first start makes the database; a start
 * that was killed at any point is made good by the next.
 * Throws EmbeddedPostgresError with one sentence that says what to do.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    const place = await resolvePaths(options)
    await place.logFile.trim()
    return await start(place, join(options.folder.path, passwordFileName))
  } catch (error) {
    throw explainSystemError(error, options.folder.path)
  }
}

async function start(place: PostgresPaths, passwordFile: string): Promise<EmbeddedPostgres> {
  const isMade = await clusterExists(place.location, place.major)
  const { password, isNew } = await readOrCreatePassword(passwordFile)
  const reach = (host: string) => connectionTo(host, password)

  const adopted = isMade ? await adopt(place, reach) : null
  if (adopted !== null) return adopted
  if (!isMade) await createCluster(place, password)
  // The file was lost: who owns the cluster may set another.
  else if (isNew) await resetPassword(place, password)

  const connection = reach(await makeSocketFolder(place.location.user, place.socketBases, place.socketFolderName))
  try {
    return supervise(place, connection, await serveWithPassword(place, connection), false)
  } catch (error) {
    await removeSocketFolder(connection.host)
    throw error
  }
}

/** How the server is reached through the socket in a folder. */
export function connectionTo(socketFolder: string, password: string): EmbeddedConnection {
  return { host: socketFolder, port: socketPort, user: roleName, password, database: databaseName, ssl: false }
}

/** Takes over a server that a killed process left, if there is one; one that cannot be reached is ended first. */
async function adopt(
  place: PostgresPaths,
  reach: (host: string) => EmbeddedConnection,
): Promise<EmbeddedPostgres | null> {
  const { location, log } = place
  const isSettled = async () => {
    const noted = await findPostmaster(location)
    return noted === null || noted.status === 'ready'
  }
  await waitUntil(isSettled, readyTimeoutMs)
  const noted = await findPostmaster(location)
  if (noted === null) return null
  const { pid, socketFolder } = noted
  try {
    await checkSocketFolder(location.user, socketFolder)
    const connection = reach(socketFolder)
    await signIn(connection)
    return supervise(place, connection, pid, true)
  } catch (error) {
    log.warn({ pid, reason: (error as Error).message }, 'the running PostgreSQL cannot be used: starting it anew')
    await end(pid, place)
    return null
  }
}

async function serveWithPassword(place: PostgresPaths, connection: EmbeddedConnection): Promise<number> {
  try {
    return await serve(place, connection)
  } catch (error) {
    if ((error as pg.DatabaseError).code !== wrongPassword) throw error
    await resetPassword(place, connection.password)
    return serve(place, connection)
  }
}

/** Starts the server and signs in once; what fails on the way leaves no server behind. */
async function serve(place: PostgresPaths, connection: EmbeddedConnection): Promise<number> {
  const pid = await launch(place, {
    port: String(connection.port),
    unix_socket_directories: quoteFolder(connection.host),
  })
  try {
    await signIn(connection)
    return pid
  } catch (error) {
    await end(pid, place)
    throw error
  }
}

/** A sign-in by SCRAM proves both: that the password is right, and that the server knows it. */
async function signIn(connection: EmbeddedConnection): Promise<void> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: connectTimeoutMs })
  // Without a listener a server that dies just then would end the process; who uses the database sees it soon enough.
  client.on('error', () => undefined)
  try {
    await client.connect()
  } finally {
    await client.end()
  }
}

function supervise(
  place: PostgresPaths,
  connection: EmbeddedConnection,
  firstPid: number,
  adopted: boolean,
): EmbeddedPostgres {
  const { location, log, logFile } = place
  let pid = firstPid
  const trim = () => {
    logFile.trim().catch((error: unknown) => log.warn({ reason: (error as Error).message }, 'cannot trim the log'))
  }
  const trimming = setInterval(trim, logTrimEveryMs).unref()
  log.info({ pid, adopted }, 'embedded PostgreSQL is ready')
  const restart = async () => {
    log.warn({ pid }, 'PostgreSQL has ended by itself: starting it again')
    const { host } = connection
    await makeSocketFolder(location.user, [dirname(host)], basename(host))
    pid = await serveWithPassword(place, connection)
    log.info({ pid, adopted: false }, 'embedded PostgreSQL is ready')
  }
  const onFailure = (error: unknown, waitMs: number) => {
    log.warn({ reason: (error as Error).message, waitMs }, 'PostgreSQL cannot be started again; trying again')
  }
  const isRunning = async () => (await findPostmaster(location)) !== null || !hasEnded(pid)
  const rest = place.keepsRunning ? keepRunning({ isRunning, restart, onFailure }) : null
  let stopping: Promise<void> | null = null
  const stop = async () => {
    await rest?.()
    clearInterval(trimming)
    await end(pid, place)
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
