import { readFile, writeFile } from 'node:fs/promises'

/** Begins a new measurement of the peak (Linux only). */
export async function resetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined) // Not available on other systems.
}

/** Peak of the resident memory since the last reset, in MiB; NaN where the system does not give it. */
export async function peakMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024
}

/** Samples the peak of the resident memory of a process's child whose command contains `name`; NaN where there is none. */
export function watchChildPeak(pid: number, name: string): { end: () => number } {
  let peak = Number.NaN
  const sample = async () => {
    const pids = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => ''))
      .split(' ')
      .filter(Boolean)
    for (const child of pids) {
      const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')
      if (!command.includes(name)) continue
      const now = await peakMiB(Number(child))
      if (!(now <= peak)) peak = now
    }
  }
  const timer = setInterval(() => void sample(), sampleMs)
  return {
    end() {
      clearInterval(timer)
      return peak
    },
  }
}

const sampleMs = 100
