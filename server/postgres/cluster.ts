import { chown, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from './run-program.ts'
import { overwrite, syncFolder } from './durable-file.ts'
import { EmbeddedPostgresError, messages } from './errors.ts'
import type { ClusterLocation } from './cluster-location.ts'
import { serverArguments } from './tuning.ts'
import type { PostgresPaths } from './paths.ts'

/** The role that signs in, and the database that it owns; it has no other rights, as on a managed server. */
export const roleName = 'sendwright'
export const databaseName = 'sendwright'

const stagePrefix = 'postgres.new-'
const accessRules = `# Only Sendwright’s role may sign in, and only on the socket.\nlocal all ${roleName} scram-sha-256\n`

/** Whether a whole cluster stands there. Throws EmbeddedPostgresError for one of another version, or a part of one. */
export async function clusterExists(home: ClusterLocation, major: number): Promise<boolean> {
  if (!home.hasClusterFolder) return false
  try {
    const found = (await readFile(join(home.cluster, 'PG_VERSION'), 'utf8')).trim()
    if (found === String(major)) return true
    throw new EmbeddedPostgresError(messages.otherVersion(home.cluster, found, major))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    if ((await readdir(home.cluster)).length === 0) return false
    throw new EmbeddedPostgresError(messages.incomplete(home.cluster))
  }
}

/**
 * Makes a cluster with its role and database. It is made beside its place and renamed when it is whole, so that a start
 * that is killed meanwhile leaves nothing but a folder that the next start removes.
 */
export async function createCluster(place: PostgresPaths, password: string): Promise<void> {
  const { path, cluster, user } = place.location
  for (const name of await readdir(path)) {
    if (name.startsWith(stagePrefix)) await removeStaging(place.location, join(path, name))
  }
  const stage = await mkdtemp(join(path, stagePrefix))
  try {
    if (user.isOtherUser) await chown(stage, user.uid, user.gid)
    await initialise(place, stage)
    await runSingleUser(place, stage, [
      `CREATE ROLE ${roleName} LOGIN ${place.isForTests ? 'CREATEDB ' : ''}PASSWORD '${password}'`,
      `CREATE DATABASE ${databaseName} OWNER ${roleName} STRATEGY file_copy`,
    ])
    await rename(stage, cluster)
    await syncFolder(path)
  } catch (error) {
    await removeStaging(place.location, stage)
    throw error
  }
}

/** Gives the role another password; no server may be running. Who owns the files needs no password for that. */
export function resetPassword(place: PostgresPaths, password: string): Promise<void> {
  return runSingleUser(place, place.location.cluster, [`ALTER ROLE ${roleName} PASSWORD '${password}'`])
}

async function initialise(place: PostgresPaths, stage: string): Promise<void> {
  const { initdb } = await place.binaries()
  await runChecked(place, initdb, [
    `--pgdata=${stage}`,
    // Owns everything and never signs in: it has no password.
    '--username=postgres',
    '--auth=reject',
    '--encoding=UTF8',
    // Order and case that come with PostgreSQL itself: the same on every system, and unmoved by an update of the C
    // library or ICU, after which indexes would be in a wrong order.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--data-checksums',
    // Under load the log grows by a file now and then, which is filled with zeros first while everybody waits: small ones, MB.
    '--wal-segsize=2',
    '--no-instructions',
    ...(place.isForTests ? ['--no-sync'] : []),
  ])
  await overwrite(join(stage, 'pg_hba.conf'), accessRules)
}

/** Runs statements in a server that nobody else can reach and that ends with them. */
async function runSingleUser(place: PostgresPaths, cluster: string, statements: readonly string[]): Promise<void> {
  const settings = serverArguments(cluster, !place.isForTests, { exit_on_error: 'on', log_min_messages: 'warning' })
  const input = statements.map((statement) => `${statement};\n`).join('')
  const { postgres } = await place.binaries()
  await runChecked(place, postgres, ['--single', ...settings, 'postgres'], input)
}

async function runChecked(
  place: PostgresPaths,
  program: string,
  args: readonly string[],
  input?: string,
): Promise<void> {
  const { location, logFile } = place
  try {
    const { status, output } = await runProgram(location.user, program, args, input)
    if (status === 0) return
    await logFile.append(output)
    throw new EmbeddedPostgresError(describeFailure(output, location.path, logFile.path))
  } catch (error) {
    // The program is there; what is not is the loader that it names: a system with another C library.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await logFile.append((error as Error).message)
    throw new EmbeddedPostgresError(messages.cannotExecute(logFile.path), { cause: error })
  }
}

function describeFailure(output: string, folder: string, logFile: string): string {
  if (output.includes('No space left on device')) return messages.noSpace(folder)
  if (output.includes('error while loading shared libraries')) return messages.cannotExecute(logFile)
  return messages.initFailed(logFile)
}

async function removeStaging({ user }: ClusterLocation, stage: string): Promise<void> {
  // Root follows no path that another user could bend meanwhile: that user empties the folder, root takes it away.
  if (user.isOtherUser) await runProgram(user, '/bin/rm', ['-rf', stage])
  // An initdb whose parent was killed may still be writing there for a moment.
  await rm(stage, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
}
