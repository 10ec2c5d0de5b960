import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from '../tests/support/temporary-folder.ts'
import { startServerProcess } from '../tests/support/server-process.ts'
import { quantile, type Bench } from './report.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const warmCount = 5
const limitsMs = { fresh: 60_000, warm: 3000 }

/** `npm start` until `/ready`: in a fresh clone, and in one that has been started before. */
export const startBench: Bench = {
  name: 'start',
  title: 'npm start until /ready',
  async run() {
    await using folder = await temporaryFolder()
    const clone = join(folder.path, 'a clone')
    await promisify(execFile)('git', ['clone', '--quiet', root, clone])
    const environment = { PORT: '0', DATA_DIR: join(folder.path, 'data') }
    const freshMs = await timeStart(clone, environment)
    const warmMs: number[] = []
    for (let run = 0; run < warmCount; run++) warmMs.push(await timeStart(clone, environment))
    await rm(clone, { recursive: true, force: true })
    return [
      { case: 'fresh clone', value: freshMs, unit: 'ms', baseline: limitsMs.fresh, against: 'limit' },
      {
        case: `warm, median of ${warmCount}`,
        value: quantile(warmMs, 0.5),
        unit: 'ms',
        baseline: limitsMs.warm,
        against: 'limit',
      },
    ]
  },
}

async function timeStart(cwd: string, environment: Record<string, string>): Promise<number> {
  const startedAt = performance.now()
  await using server = await startServerProcess({ command: ['npm', 'start'], cwd, environment })
  const ready = await fetch(`${server.url}/ready`)
  const ms = performance.now() - startedAt
  if (ready.status !== 200) throw new Error(`/ready returned ${ready.status}`)
  await server.end('SIGTERM')
  return ms
}
