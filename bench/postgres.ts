import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockDataFolder } from '../server/store/data-folder-lock.ts'
import { startEmbeddedPostgres } from '../server/store/embedded/start.ts'

/**
 * How long the embedded PostgreSQL takes to be ready, waiting for the disk as it does in earnest. The baseline is the
 * limit that the product sets itself. `--json` prints a line for each case instead of the table.
 */
const runCount = 5
const limits = { 'first start': 3000, 'warm start': 300, 'adopted after a kill': 10 }
type Case = keyof typeof limits

const log = { info: () => undefined, warn: () => undefined }
const timesMs: Record<Case, number[]> = { 'first start': [], 'warm start': [], 'adopted after a kill': [] }

async function time<T>(name: Case, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await work()
  timesMs[name].push(performance.now() - start)
  return result
}

for (let run = 0; run < runCount; run++) {
  const path = await mkdtemp(join(process.geteuid?.() === 0 ? '/tmp' : tmpdir(), 'sendwright-bench-'))
  await chmod(path, 0o711)
  const folder = await lockDataFolder(path)
  try {
    await (await time('first start', () => startEmbeddedPostgres({ folder, log }))).stop()
    const running = await time('warm start', () => startEmbeddedPostgres({ folder, log }))
    // What a start finds after a kill: a server that no process calls its own.
    const { adopted } = await time('adopted after a kill', () => startEmbeddedPostgres({ folder, log }))
    if (!adopted) throw new Error('the running server was not adopted')
    await running.stop()
  } finally {
    await folder.release()
    await rm(path, { recursive: true, force: true })
  }
}

const lines = Object.entries(timesMs).map(([name, times]) => {
  const value = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN
  const baseline = limits[name as Case]
  return { bench: 'postgres', case: name, value, unit: 'ms', baseline, ratio: value / baseline }
})
if (process.argv.includes('--json')) {
  for (const line of lines) console.log(JSON.stringify(line))
} else {
  console.log(`Embedded PostgreSQL, median of ${runCount}`)
  for (const { case: name, value, unit, baseline, ratio } of lines) {
    console.log(
      `${name.padEnd(22)} ${value.toFixed(1).padStart(8)} ${unit}   limit ${String(baseline).padStart(5)} ${unit}   ${(ratio * 100).toFixed(0).padStart(4)} %`,
    )
  }
}
