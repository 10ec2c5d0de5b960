import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { kill, pid as ownPid, platform } from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { overwrite } from './durable-file.ts'
import type { Home } from './home.ts'

/** What `postmaster.pid` says (PostgreSQL, src/include/utils/pidfile.h). */
export interface Postmaster {
  pid: number
  /** Where its socket is; empty while it has none. */
  socketFolder: string
  port: number
  status: 'starting' | 'stopping' | 'ready' | 'standby' | 'unknown'
}

/** The server that runs on a cluster; null where none does, whatever a file left behind says. */
export async function findPostmaster(home: Home): Promise<Postmaster | null> {
  const noted = await readPidFile(home.cluster)
  return noted !== null && (await isPostmaster(noted.pid, home)) ? noted : null
}

/** Reads `postmaster.pid`, whoever wrote it; null where there is none. */
export async function readPidFile(cluster: string): Promise<Postmaster | null> {
  let lines: string[]
  try {
    lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 1) return null
  const status = /^(starting|stopping|ready|standby) *$/.exec(lines[7] ?? '')?.[1]
  return {
    pid,
    port: Number(lines[3] ?? 0),
    socketFolder: lines[4] ?? '',
    status: (status ?? 'unknown') as Postmaster['status'],
  }
}

/**
 * Whether a process is the server of this cluster: of the runner’s user, called postgres, at work in that folder. A pid
 * alone proves nothing, for the system gives it to the next process.
 */
export function isPostmaster(pid: number, home: Home): Promise<boolean> {
  return platform === 'linux' ? isPostmasterByProc(pid, home) : isPostmasterByPs(pid, home)
}

async function isPostmasterByProc(pid: number, { runner, cluster }: Home): Promise<boolean> {
  try {
    const owner = /^Uid:\t\d+\t(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    if (Number(owner) !== runner.uid || basename(words[0] ?? '') !== 'postgres') return false
    if (words[words.indexOf('-D') + 1] === cluster) return true
    // The folder may have been moved since: a server stands in it all the same.
    const [at, there] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(cluster)])
    return at.dev === there.dev && at.ino === there.ino
  } catch {
    // It has ended, or it is another user’s: not ours in either case.
    return false
  }
}

async function isPostmasterByPs(pid: number, { runner, cluster }: Home): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)('/bin/ps', ['-ww', '-o', 'uid=,command=', '-p', String(pid)])
    const [, owner, command] = /^\s*(-?\d+)\s+(.*)$/m.exec(stdout) ?? []
    return Number(owner) === runner.uid && command?.includes(`/postgres -D ${cluster} -c `) === true
  } catch {
    // ps ends with 1 where no such process is.
    return false
  }
}

/**
 * Lets PostgreSQL start where `postmaster.pid` names a process that is another program’s by now: it would take that one
 * for its predecessor. The file stays, for by its other lines PostgreSQL finds out whether parts of the predecessor live;
 * only the pid is changed to this process’s, since PostgreSQL knows that its own parent is none (CreateLockFile in
 * src/backend/utils/init/miscinit.c).
 */
export async function disownPidFile(cluster: string): Promise<void> {
  const noted = await readPidFile(cluster)
  if (noted === null) return
  const file = join(cluster, 'postmaster.pid')
  const text = await readFile(file, 'utf8')
  await overwrite(file, text.replace(/^\d+/, String(ownPid)))
}

/** How a server is asked to end: `fast` at once and in order, `immediate` without order, so that it recovers later. */
const stopSignals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const

/** Asks a server to end and waits until it has; false where it has not in time. */
export async function stopPostmaster(
  pid: number,
  home: Home,
  manner: keyof typeof stopSignals,
  timeoutMs: number,
): Promise<boolean> {
  if (!(await isPostmaster(pid, home))) return true
  try {
    kill(pid, stopSignals[manner])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
  return waitUntil(async () => !(await isPostmaster(pid, home)), timeoutMs)
}

/** Looks again and again, at first every few milliseconds; false where it never held in time. */
export async function waitUntil(holds: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs
  for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 1.1, 100)) {
    if (await holds()) return true
    if (performance.now() > end) return false
    await wait(pauseMs)
  }
}
