import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { kill, platform } from 'node:process'
import { promisify } from 'node:util'
import type { ClusterLocation } from './cluster-location.ts'
import { readPidFile, type PidFile } from './pid-file.ts'
import { waitUntil } from './wait-until.ts'

/** The server that runs on a cluster; null where none does, whatever a file left behind says. */
export async function findPostmaster(home: ClusterLocation): Promise<PidFile | null> {
  const noted = await readPidFile(home.cluster)
  return noted !== null && (await isPostmaster(noted.pid, home)) ? noted : null
}

/**
 * Whether a process is the server of this cluster: of the runner’s user, called postgres, at work in that folder. A pid
 * alone proves nothing, for the system gives it to the next process.
 */
function isPostmaster(pid: number, home: ClusterLocation): Promise<boolean> {
  return platform === 'linux' ? isPostmasterByProc(pid, home) : isPostmasterByPs(pid, home)
}

async function isPostmasterByProc(pid: number, { user, cluster }: ClusterLocation): Promise<boolean> {
  try {
    const owner = /^Uid:\t\d+\t(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    if (Number(owner) !== user.uid || basename(words[0] ?? '') !== 'postgres') return false
    if (words[words.indexOf('-D') + 1] === cluster) return true
    // The folder may have been moved since: a server stands in it all the same.
    const [at, there] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(cluster)])
    return at.dev === there.dev && at.ino === there.ino
  } catch {
    // It has ended, or it is another user’s: not ours in either case.
    return false
  }
}

async function isPostmasterByPs(pid: number, { user, cluster }: ClusterLocation): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)('/bin/ps', ['-ww', '-o', 'uid=,command=', '-p', String(pid)])
    const [, owner, command] = /^[ \t]*(-?\d+)[ \t]+(\S.*)$/m.exec(stdout) ?? []
    return Number(owner) === user.uid && command?.includes(`/postgres -D ${cluster} -c `) === true
  } catch {
    // ps ends with 1 where no such process is.
    return false
  }
}

/** Whether no process has this pid any more. */
export function hasEnded(pid: number): boolean {
  try {
    kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** How a server is asked to end: `fast` at once and in order, `immediate` without order, so that it recovers later. */
const stopSignals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const

/** Asks a server to end and waits until it has; false where it has not in time. */
export async function stopPostmaster(
  pid: number,
  home: ClusterLocation,
  manner: keyof typeof stopSignals,
  timeoutMs: number,
): Promise<boolean> {
  const birth = await findBirth(pid)
  if (birth === null || !(await isPostmaster(pid, home))) return true
  try {
    kill(pid, stopSignals[manner])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
  return waitUntil(async () => (await findBirth(pid)) !== birth, timeoutMs)
}

/**
 * When a process began, which tells it from a later one with its pid; null once it has let go of all its files. A
 * process that is ending has no command line any more, but may still hold its folder for a moment.
 */
async function findBirth(pid: number): Promise<string | null> {
  try {
    if (platform !== 'linux') {
      const { stdout } = await promisify(execFile)('/bin/ps', ['-o', 'stat=,lstart=', '-p', String(pid)])
      return /^\s*Z/.test(stdout) ? null : stdout.replace(/^\s*\S+/, '')
    }
    // proc(5): state is the first field after the name in parentheses, starttime the twentieth.
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null)
  } catch {
    // It is not there any more.
    return null
  }
}
