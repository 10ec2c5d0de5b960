import { readdir, readFile } from 'node:fs/promises'

/** Linux clock ticks per second of CPU time. */
const ticksPerSecond = 100

/** CPU seconds of a process (Linux). Zero for one that has exited. */
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

/** The parent of a process. */
export async function parentOf(pid: number): Promise<number> {
  return Number((await statOf(pid))?.[1])
}

/** The fields after a process's name: state, parent and so on (proc_pid_stat(5)). */
async function statOf(pid: number): Promise<string[] | null> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null) // It has exited, or this is not Linux.
  return line === null ? null : line.slice(line.lastIndexOf(')') + 2).split(' ')
}
