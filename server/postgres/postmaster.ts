import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { kill, platform } from 'node:process'
import { promisify } from 'node:util'
import type { ClusterLocation } from './cluster-location.ts'
import { readPidFile, type PidFile } from './pid-file.ts'
import { waitUntil } from './wait-until.ts'

/** The server that runs on a cluster; null if there is none, even if a stale pid file exists. */
export async function findPostmaster(location: ClusterLocation): Promise<PidFile | null> {
  const running = await readPidFile(location.cluster)
  return running !== null && (await isPostmaster(running.pid, location)) ? running : null
}

/**
 * Whether a process is the server of this cluster: it runs as the user, is called postgres and works in that folder. A pid
 * alone proves nothing, because the system reuses pids.
 */
function isPostmaster(pid: number, location: ClusterLocation): Promise<boolean> {
  return platform === 'linux' ? isPostmasterByProc(pid, location) : isPostmasterByPs(pid, location)
}

async function isPostmasterByProc(pid: number, { user, cluster }: ClusterLocation): Promise<boolean> {
  try {
    const owner = /^Uid:\t\d+\t(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    if (Number(owner) !== user.uid || basename(words[0] ?? '') !== 'postgres') return false
    if (words[words.indexOf('-D') + 1] === cluster) return true
    // The folder may have been moved: compare the working directory.
    const [at, there] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(cluster)])
    return at.dev === there.dev && at.ino === there.ino
  } catch {
    // It has ended, or it belongs to another user.
    return false
  }
}

async function isPostmasterByPs(pid: number, { user, cluster }: ClusterLocation): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)('/bin/ps', ['-ww', '-o', 'uid=,command=', '-p', String(pid)])
    const [, owner, command] = /^[ \t]*(-?\d+)[ \t]+(\S.*)$/m.exec(stdout) ?? []
    return Number(owner) === user.uid && command?.includes(`/postgres -D ${cluster} -c `) === true
  } catch {
    // ps exits with 1 if there is no such process.
    return false
  }
}

/** Whether no process has this pid. */
export function hasEnded(pid: number): boolean {
  try {
    kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** Shutdown signals: `fast` is a clean shutdown, `immediate` requires crash recovery later. */
const stopSignals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const

/** Signals a server to stop and waits until it has ended; false after the timeout. */
export async function stopPostmaster(
  pid: number,
  location: ClusterLocation,
  mode: keyof typeof stopSignals,
  timeoutMs: number,
): Promise<boolean> {
  const startTime = await readStartTime(pid)
  if (startTime === null || !(await isPostmaster(pid, location))) return true
  try {
    kill(pid, stopSignals[mode])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
  return waitUntil(async () => (await readStartTime(pid)) !== startTime, timeoutMs)
}

/**
 * The start time of a process, which distinguishes it from a later one with the same pid; null once it has closed its
 * files. An exiting process has no command line any more, but may still use its folder.
 */
async function readStartTime(pid: number): Promise<string | null> {
  try {
    if (platform !== 'linux') {
      const { stdout } = await promisify(execFile)('/bin/ps', ['-o', 'stat=,lstart=', '-p', String(pid)])
      return /^\s*Z/.test(stdout) ? null : stdout.replace(/^\s*\S+/, '')
    }
    // proc(5): state is the first field after the name in parentheses, starttime the twentieth.
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null)
  } catch {
    // It has ended.
    return null
  }
}
