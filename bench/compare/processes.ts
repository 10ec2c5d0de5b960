import { execFile } from 'node:child_process'
import { lstat, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, sep } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

/** A process, without one that has ended and waits for its parent. */
interface Found {
  pid: number
  parent: number
  /** Processes of a user's terminal are never ended. */
  hasTerminal: boolean
  /** The command line. */
  words: readonly string[]
  /** The paths of the program and of the working folder; the command line where the system does not give them. */
  places: readonly string[]
}

const pollMs = 50
const quickMs = 10_000
const giveUpMs = 20_000

/**
 * Ends the processes that this one has started and those that work in a folder, with all that descend from them: benches
 * start servers and databases in sessions of their own, which no signal to a group reaches. Also removes the temporary
 * folders in their command lines, if they are newer than `since`.
 */
export async function endProcesses(folder: string, since: Date): Promise<void> {
  const startedAt = performance.now()
  const folders = new Set<string>()
  for (;;) {
    const found = ownProcesses(await listProcesses(), folder)
    const elapsedMs = performance.now() - startedAt
    if (found.length === 0 || elapsedMs > giveUpMs) break
    for (const { pid, words } of found) {
      for (const path of temporaryFoldersIn(words)) folders.add(path)
      // Its data is thrown away, but only a shutdown frees the shared memory of a database.
      signal(pid, isPostgres(words) && elapsedMs < quickMs ? 'SIGQUIT' : 'SIGKILL')
    }
    await wait(pollMs)
  }
  for (const path of folders) {
    if (!folder.startsWith(path) && (await isNewerThan(path, since))) await rm(path, { recursive: true, force: true })
  }
}

function ownProcesses(all: readonly Found[], folder: string): Found[] {
  const isIn = (text: string) => text === folder || text.includes(folder + sep)
  const own = new Set([process.pid])
  for (const { pid, hasTerminal, places } of all) if (!hasTerminal && places.some(isIn)) own.add(pid)
  // Children have larger pids than their parents most of the time, not always.
  for (let count = 0; count < own.size;) {
    count = own.size
    for (const { pid, parent } of all) if (own.has(parent)) own.add(pid)
  }
  return all.filter(({ pid }) => pid !== process.pid && own.has(pid))
}

function isPostgres([program = '']: readonly string[]): boolean {
  return basename(program) === 'postgres' || program.startsWith('postgres:')
}

/** Folders that tests and benches make for a run, such as `/tmp/sendwright-test-a1b2c3`; not the browser that all share. */
function temporaryFoldersIn(words: readonly string[]): string[] {
  return [tmpdir(), '/tmp'].flatMap((base) =>
    words.flatMap((word) => {
      const at = word.indexOf(join(base, 'sendwright'))
      if (at === -1) return []
      const name = /^[^/"']+/.exec(word.slice(at + base.length + 1))?.[0] ?? ''
      return name.startsWith('sendwright-chromium-') ? [] : [join(base, name)]
    }),
  )
}

async function isNewerThan(path: string, since: Date): Promise<boolean> {
  const at = await lstat(path).catch(() => null) // Its owner has removed it.
  return at !== null && at.isDirectory() && at.birthtimeMs >= since.getTime()
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function listProcesses(): Promise<Found[]> {
  return process.platform === 'linux' ? readProc() : askPs()
}

async function readProc(): Promise<Found[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(pids.map(readProcess))
  return found.filter((one) => one !== null)
}

async function readProcess(name: string): Promise<Found | null> {
  try {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8')
    const words = (await readFile(`/proc/${name}/cmdline`, 'utf8')).split('\0')
    const links = ['exe', 'cwd'].map((link) => readlink(`/proc/${name}/${link}`).catch(() => '')) // Of another user.
    // proc_pid_stat(5): state, parent, group, session, terminal.
    const [state, parent, , , terminal] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X') return null
    const places = await Promise.all(links)
    return { pid: Number(name), parent: Number(parent), hasTerminal: terminal !== '0', words, places }
  } catch {
    return null // It has ended.
  }
}

async function askPs(): Promise<Found[]> {
  const columns = ['-A', '-ww', '-o', 'pid=,ppid=,tty=,stat=,args=']
  const listing = promisify(execFile)('ps', columns, { maxBuffer: 2 ** 24 })
  const { stdout } = await listing
  return stdout.split('\n').flatMap((line): Found[] => {
    const [pid, parent, terminal = '', state = '', ...words] = line.trim().split(/\s+/)
    if (state === '' || state.startsWith('Z') || Number(pid) === listing.child.pid) return []
    return [{ pid: Number(pid), parent: Number(parent), hasTerminal: !/^\?+$/.test(terminal), words, places: words }]
  })
}
