import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pid as ownPid } from 'node:process'
import { overwrite } from './durable-file.ts'
import { waitUntil } from './wait-until.ts'

/** What a server says of itself in `postmaster.pid` (PostgreSQL, src/include/utils/pidfile.h). */
export interface PidFile {
  pid: number
  /** Where its socket is; empty while it has none. */
  socketFolder: string
  status: 'starting' | 'stopping' | 'ready' | 'standby' | 'unknown'
}

const fillTimeoutMs = 500

/** Reads a cluster’s `postmaster.pid`, whoever left it; null where there is none, or none that names a process. */
export async function readPidFile(cluster: string): Promise<PidFile | null> {
  const lines = ((await readText(cluster)) ?? '').split('\n')
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 1) return null
  const status = /^(starting|stopping|ready|standby) *$/.exec(lines[7] ?? '')?.[1]
  return { pid, socketFolder: lines[4] ?? '', status: (status ?? 'unknown') as PidFile['status'] }
}

/**
 * Lets a server start where one that is gone has left `postmaster.pid`; PostgreSQL gives up where the file is empty, as
 * a power cut leaves it, or where another program has that pid by now. A file with a pid stays, for by its other lines
 * PostgreSQL finds out whether parts of its predecessor live; only the pid becomes this process’s, since PostgreSQL
 * knows that its own parent is none (CreateLockFile in src/backend/utils/init/miscinit.c).
 */
export async function disownPidFile(cluster: string): Promise<void> {
  const text = await readText(cluster)
  if (text === null) return
  const file = join(cluster, 'postmaster.pid')
  if (/^\d/.test(text)) {
    await overwrite(file, text.replace(/^\d+/, String(ownPid)))
    return
  }
  // A server that has just made its file fills it at once.
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
