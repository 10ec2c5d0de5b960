import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { cleanEnvironment } from './run-program.ts'
import { EmbeddedPostgresError, messages } from './errors.ts'
import { prepareStalePidFile, readPidFile } from './pid-file.ts'
import { stopPostmaster } from './postmaster.ts'
import { spawnIdentity } from './os-user.ts'
import { serverArguments } from './tuning.ts'
import { waitUntil } from './wait-until.ts'
import type { PostgresPaths } from './paths.ts'

/** Crash recovery may take minutes on a slow disk. */
export const readyTimeoutMs = 300_000
/** Backends of a killed server may outlive it for a moment. */
const remainsTimeoutMs = 10_000
const stopTimeoutMs = { fast: 30_000, immediate: 10_000 }

/**
 * Starts the server of a cluster, waits until it is ready and returns its pid. It runs in a session of its own: Ctrl+C in
 * the terminal does not reach it, and it survives this process.
 * `settings` override those of tuning.ts.
 */
export async function launch(paths: PostgresPaths, settings: Readonly<Record<string, string>>): Promise<number> {
  const { location, logFile } = paths
  await prepareStalePidFile(location.cluster)
  const giveUpAt = performance.now() + remainsTimeoutMs
  for (;;) {
    const offset = await logFile.length()
    const pid = await launchOnce(paths, settings)
    if (pid !== null) return pid
    const output = await logFile.readFrom(offset)
    if (!output.includes('pre-existing shared memory block')) {
      throw new EmbeddedPostgresError(describeExit(output, location.path, logFile.path))
    }
    if (performance.now() > giveUpAt) throw new EmbeddedPostgresError(messages.inUse(location.cluster))
    await wait(100)
  }
}

/**
 * Stops a server with a fast shutdown, or with an immediate one if that takes too long; it recovers at its next start
 * then.
 */
export async function stopServer(pid: number, { location, logFile }: PostgresPaths): Promise<void> {
  if (await stopPostmaster(pid, location, 'fast', stopTimeoutMs.fast)) return
  if (await stopPostmaster(pid, location, 'immediate', stopTimeoutMs.immediate)) return
  throw new EmbeddedPostgresError(messages.stopTimedOut(pid, logFile.path))
}

/** The pid of the ready server; null if it ended before. */
async function launchOnce(paths: PostgresPaths, settings: Readonly<Record<string, string>>): Promise<number | null> {
  const { location, logFile } = paths
  const { postgres } = await paths.binaries()
  const child = startDetached(postgres, paths, settings)
  const { pid } = child
  if (pid === undefined) {
    const [cause] = (await once(child, 'error')) as [Error]
    await logFile.append(cause.message)
    throw new EmbeddedPostgresError(messages.cannotExecute(logFile.path), { cause })
  }
  child.unref()
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const isReady = async () => {
    const running = await readPidFile(location.cluster)
    return running?.pid === pid && running.status === 'ready'
  }
  const isInTime = await waitUntil(async () => hasEnded() || (await isReady()), readyTimeoutMs)
  if (isInTime) return hasEnded() ? null : pid
  await stopServer(pid, paths)
  throw new EmbeddedPostgresError(messages.startTimedOut(readyTimeoutMs / 1000, logFile.path))
}

function startDetached(
  postgres: string,
  paths: PostgresPaths,
  settings: Readonly<Record<string, string>>,
): ChildProcess {
  const { location, logFile, isForTests } = paths
  const log = logFile.open()
  try {
    return spawn(postgres, serverArguments(location.cluster, !isForTests, settings), {
      ...spawnIdentity(location.user),
      cwd: '/',
      env: cleanEnvironment,
      detached: true,
      stdio: ['ignore', log.descriptor, log.descriptor],
    })
  } finally {
    log.close()
  }
}

function describeExit(output: string, folder: string, logFile: string): string {
  if (output.includes('No space left on device')) return messages.noSpace(folder)
  if (output.includes('error while loading shared libraries')) return messages.cannotExecute(logFile)
  return messages.startFailed(logFile)
}
