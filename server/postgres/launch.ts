import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { cleanEnvironment } from './run-program.ts'
import { EmbeddedPostgresError, messages } from './errors.ts'
import { disownPidFile, readPidFile } from './pid-file.ts'
import { stopPostmaster } from './postmaster.ts'
import { spawnIdentity } from './os-user.ts'
import { serverArguments } from './tuning.ts'
import { waitUntil } from './wait-until.ts'
import type { PostgresPaths } from './paths.ts'

/** Replaying what a killed server had not yet written into its tables may take minutes on a slow disk. */
export const readyTimeoutMs = 300_000
/** A killed server’s last statements may outlive it for a moment. */
const remainsTimeoutMs = 10_000
const stopTimeoutMs = { fast: 30_000, immediate: 10_000 }

/**
 * Starts the server of a cluster and waits until it is ready; gives its pid. It is in a session of its own: Ctrl+C in
 * the terminal does not reach it, and it goes on when this process is killed.
 * `settings` win over those of tuning.ts.
 */
export async function launch(place: PostgresPaths, settings: Readonly<Record<string, string>>): Promise<number> {
  const { location, logFile } = place
  await disownPidFile(location.cluster)
  const giveUpAt = performance.now() + remainsTimeoutMs
  for (;;) {
    const offset = await logFile.length()
    const pid = await launchOnce(place, settings)
    if (pid !== null) return pid
    const said = await logFile.readFrom(offset)
    if (!said.includes('pre-existing shared memory block')) {
      throw new EmbeddedPostgresError(describeEnd(said, location.path, logFile.path))
    }
    if (performance.now() > giveUpAt) throw new EmbeddedPostgresError(messages.inUse(location.cluster))
    await wait(100)
  }
}

/** Ends a server: in order, or, where that takes too long, so that it recovers at its next start. */
export async function end(pid: number, { location, logFile }: PostgresPaths): Promise<void> {
  if (await stopPostmaster(pid, location, 'fast', stopTimeoutMs.fast)) return
  if (await stopPostmaster(pid, location, 'immediate', stopTimeoutMs.immediate)) return
  throw new EmbeddedPostgresError(messages.stopTimedOut(pid, logFile.path))
}

/** The pid of a server that is ready, or null for one that ended before it was. */
async function launchOnce(place: PostgresPaths, settings: Readonly<Record<string, string>>): Promise<number | null> {
  const { location, logFile } = place
  const { postgres } = await place.binaries()
  const child = startDetached(postgres, place, settings)
  const { pid } = child
  if (pid === undefined) {
    const [cause] = (await once(child, 'error')) as [Error]
    await logFile.append(cause.message)
    throw new EmbeddedPostgresError(messages.cannotExecute(logFile.path), { cause })
  }
  child.unref()
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const isReady = async () => {
    const noted = await readPidFile(location.cluster)
    return noted?.pid === pid && noted.status === 'ready'
  }
  const isInTime = await waitUntil(async () => hasEnded() || (await isReady()), readyTimeoutMs)
  if (isInTime) return hasEnded() ? null : pid
  await end(pid, place)
  throw new EmbeddedPostgresError(messages.startTimedOut(readyTimeoutMs / 1000, logFile.path))
}

function startDetached(
  postgres: string,
  place: PostgresPaths,
  settings: Readonly<Record<string, string>>,
): ChildProcess {
  const { location, logFile, isForTests } = place
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

function describeEnd(said: string, folder: string, logFile: string): string {
  if (said.includes('No space left on device')) return messages.noSpace(folder)
  if (said.includes('error while loading shared libraries')) return messages.cannotExecute(logFile)
  return messages.startFailed(logFile)
}
