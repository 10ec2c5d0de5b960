import { chown, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from './run-program.ts'
import { overwrite, syncFolder } from './durable-file.ts'
import { EmbeddedPostgresError, messages } from './errors.ts'
import type { ClusterLocation } from './cluster-location.ts'
import { serverArguments } from './tuning.ts'
import type { PostgresPaths } from './paths.ts'

/** The role that signs in and the database that it owns. It has no other rights, as on a managed server. */
export const roleName = 'sendwright'
export const databaseName = 'sendwright'

const stagePrefix = 'postgres.new-'
const accessRules = `# Only Sendwright’s role may sign in, and only on the socket.\nlocal all ${roleName} scram-sha-256\n`

/** Whether a complete cluster exists. Throws EmbeddedPostgresError for another version or an incomplete cluster. */
export async function clusterExists(location: ClusterLocation, major: number): Promise<boolean> {
  if (!location.hasClusterFolder) return false
  try {
    const found = (await readFile(join(location.cluster, 'PG_VERSION'), 'utf8')).trim()
    if (found === String(major)) return true
    throw new EmbeddedPostgresError(messages.otherVersion(location.cluster, found, major))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    if ((await readdir(location.cluster)).length === 0) return false
    throw new EmbeddedPostgresError(messages.incomplete(location.cluster))
  }
}

/**
 * Creates a cluster with its role and database in a temporary folder and renames it when it is complete. A killed start
 * leaves only that folder, which the next start removes.
 */
export async function createCluster(paths: PostgresPaths, password: string): Promise<void> {
  const { path, cluster, user } = paths.location
  for (const name of await readdir(path)) {
    if (name.startsWith(stagePrefix)) await removeStaging(paths.location, join(path, name))
  }
  const stage = await mkdtemp(join(path, stagePrefix))
  try {
    if (user.isOtherUser) await chown(stage, user.uid, user.gid)
    await initialise(paths, stage)
    await runSingleUser(paths, stage, [
      `CREATE ROLE ${roleName} LOGIN ${paths.isForTests ? 'CREATEDB ' : ''}PASSWORD '${password}'`,
      `CREATE DATABASE ${databaseName} OWNER ${roleName} STRATEGY file_copy`,
    ])
    await rename(stage, cluster)
    await syncFolder(path)
  } catch (error) {
    await removeStaging(paths.location, stage)
    throw error
  }
}

/** Changes the role’s password; no server may be running. Single-user mode needs no password. */
export function resetPassword(paths: PostgresPaths, password: string): Promise<void> {
  return runSingleUser(paths, paths.location.cluster, [`ALTER ROLE ${roleName} PASSWORD '${password}'`])
}

async function initialise(paths: PostgresPaths, stage: string): Promise<void> {
  const { initdb } = await paths.binaries()
  await runChecked(paths, initdb, [
    `--pgdata=${stage}`,
    // The superuser never signs in: it has no password.
    '--username=postgres',
    '--auth=reject',
    '--encoding=UTF8',
    // PostgreSQL’s builtin collation is the same on every system. Updates of libc or ICU would change the order and
    // corrupt
    // indexes.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--data-checksums',
    // New WAL files are filled with zeros first, which blocks writers: small files (MB) keep that short.
    '--wal-segsize=2',
    '--no-instructions',
    ...(paths.isForTests ? ['--no-sync'] : []),
  ])
  await overwrite(join(stage, 'pg_hba.conf'), accessRules)
}

/** Runs statements in single-user mode. */
async function runSingleUser(paths: PostgresPaths, cluster: string, statements: readonly string[]): Promise<void> {
  const settings = serverArguments(cluster, !paths.isForTests, { exit_on_error: 'on', log_min_messages: 'warning' })
  const input = statements.map((statement) => `${statement};\n`).join('')
  const { postgres } = await paths.binaries()
  await runChecked(paths, postgres, ['--single', ...settings, 'postgres'], input)
}

async function runChecked(
  paths: PostgresPaths,
  program: string,
  args: readonly string[],
  input?: string,
): Promise<void> {
  const { location, logFile } = paths
  try {
    const { status, output } = await runProgram(location.user, program, args, input)
    if (status === 0) return
    await logFile.append(output)
    throw new EmbeddedPostgresError(describeFailure(output, location.path, logFile.path))
  } catch (error) {
    // The program exists, but not its loader: the system has another C library.
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
  // Root must not follow paths that another user can replace: that user deletes the contents, root the folder.
  if (user.isOtherUser) await runProgram(user, '/bin/rm', ['-rf', stage])
  // An initdb whose parent was killed may still be writing there.
  await rm(stage, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
}
