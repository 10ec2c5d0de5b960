import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pid as ownPid } from 'node:process'
import { overwrite } from './durable-file.ts'
import { waitUntil } from './wait-until.ts'

/** A server's state in `postmaster.pid` (PostgreSQL, src/include/utils/pidfile.h). */
export interface PidFile {
  pid: number
  /** The folder of its socket; empty while it has none. */
  socketFolder: string
  status: 'starting' | 'stopping' | 'ready' | 'standby' | 'unknown'
}

const fillTimeoutMs = 500

/** Reads a cluster’s `postmaster.pid`; null if it is missing or contains no pid. It may be stale. */
export async function readPidFile(cluster: string): Promise<PidFile | null> {
  const lines = ((await readText(cluster)) ?? '').split('\n')
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 1) return null
  const status = /^(starting|stopping|ready|standby) *$/.exec(lines[7] ?? '')?.[1]
  return { pid, socketFolder: lines[4] ?? '', status: (status ?? 'unknown') as PidFile['status'] }
}

/**
 * Prepares a stale `postmaster.pid` for the next start. PostgreSQL refuses to start if the file is empty, as after a power
 * failure, or if another program has its pid now. A file with a pid is kept, because PostgreSQL uses its other lines to
 * find surviving backends; the pid is replaced by this process’s, because PostgreSQL ignores its own parent
 * (CreateLockFile in src/backend/utils/init/miscinit.c).
 */
export async function prepareStalePidFile(cluster: string): Promise<void> {
  const text = await readText(cluster)
  if (text === null) return
  const file = join(cluster, 'postmaster.pid')
  if (/^\d/.test(text)) {
    await overwrite(file, text.replace(/^\d+/, String(ownPid)))
    return
  }
  // A server that has just created its file fills it at once.
  const isFilled = await waitUntil(async () => (await readPidFile(cluster)) !== null, fillTimeoutMs)
  if (!isFilled) await rm(file)
}

async function readText(cluster: string): Promise<string | null> {
  try {
    return await readFile(join(cluster, 'postmaster.pid'), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
