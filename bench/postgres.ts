import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockDataFolder } from '../server/postgres/data-folder-lock.ts'
import { startEmbeddedPostgres } from '../server/postgres/start.ts'
import { quantile, type Bench } from './report.ts'

const runCount = 5
const limitsMs = { 'first start': 3000, 'warm start': 300, 'adopted after a kill': 10 }
type Case = keyof typeof limitsMs

const log = { info: () => undefined, warn: () => undefined }

/** The start time of the embedded PostgreSQL, with fsync as in production. */
export const postgresBench: Bench = {
  name: 'postgres',
  title: `Embedded PostgreSQL until it is ready, median of ${runCount}`,
  async run() {
    const timesMs: Record<Case, number[]> = { 'first start': [], 'warm start': [], 'adopted after a kill': [] }
    for (let run = 0; run < runCount; run++) await measureOnce(timesMs)
    return Object.entries(limitsMs).map(([name, limitMs]) => ({
      case: name,
      value: quantile(timesMs[name as Case], 0.5),
      unit: 'ms',
      baseline: limitMs,
      against: 'limit',
    }))
  },
}

async function measureOnce(timesMs: Record<Case, number[]>): Promise<void> {
  const time = async <T>(name: Case, work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now()
    const result = await work()
    timesMs[name].push(performance.now() - startedAt)
    return result
  }
  const path = await mkdtemp(join(process.geteuid?.() === 0 ? '/tmp' : tmpdir(), 'sendwright-bench-'))
  await chmod(path, 0o711)
  const folder = await lockDataFolder(path)
  try {
    await (await time('first start', () => startEmbeddedPostgres({ folder, log }))).stop()
    const running = await time('warm start', () => startEmbeddedPostgres({ folder, log }))
    // The state after a kill: a running server without a parent process.
    const { adopted } = await time('adopted after a kill', () => startEmbeddedPostgres({ folder, log }))
    if (!adopted) throw new Error('the running server was not adopted')
    await running.stop()
  } finally {
    await folder.release()
    await rm(path, { recursive: true, force: true })
  }
}
