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
