import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Nothing of the tests' own environment reaches a child process, except where programs, temporary files and compiled code are. */
export function plainEnvironment(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'].map((name) => [name, process.env[name]])
  return Object.fromEntries(kept.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** A running process. */
export interface RunningProcess {
  pid: number
  commandLine: string
}

/** Processes whose command line contains a text, except our own. */
export async function findProcesses(text: string): Promise<RunningProcess[]> {
  const all = process.platform === 'linux' ? await readProc() : await askPs()
  return all.filter(({ pid, commandLine }) => pid !== process.pid && commandLine.includes(text))
}

async function readProc(): Promise<RunningProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const read = async (pid: string) => ({
    pid: Number(pid),
    // It may have exited since it was listed.
    commandLine: (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' '),
  })
  return Promise.all(pids.map(read))
}

async function askPs(): Promise<RunningProcess[]> {
  const { stdout } = await execute('ps', ['-A', '-o', 'pid=,args='])
  return stdout
    .split('\n')
    .map((line) => ({ pid: Number.parseInt(line, 10), commandLine: line.replace(/^\s*\d+\s/, '') }))
}
