import { readdir, readFile } from 'node:fs/promises'

/** Ticks of a second in which Linux counts what a process has used. */
const ticksPerSecond = 100

/** Seconds that a process has been on a core, by itself; Linux tells it. Zero for one that is gone. */
export async function cpuSeconds(pid: number): Promise<number> {
  const fields = await statOf(pid)
  return fields === null ? 0 : (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** The same for all children of a process. */
export async function cpuSecondsOfChildren(pid: number): Promise<number> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const parents = await Promise.all(pids.map(async (child) => [child, Number((await statOf(child))?.[1])] as const))
  const children = parents.filter(([, parent]) => parent === pid)
  const seconds = await Promise.all(children.map(([child]) => cpuSeconds(child)))
  return seconds.reduce((sum, one) => sum + one, 0)
}

/** The process that started another. */
export async function parentOf(pid: number): Promise<number> {
  return Number((await statOf(pid))?.[1])
}

/** What stands behind the name of a process: its state, its parent and so on (proc_pid_stat(5)). */
async function statOf(pid: number): Promise<string[] | null> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null) // It has ended, or this is no Linux.
  return line === null ? null : line.slice(line.lastIndexOf(')') + 2).split(' ')
}
