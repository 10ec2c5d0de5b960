import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from '../tests/support/temporary-folder.ts'
import { startServerProcess } from '../tests/support/server-process.ts'
import type { Shot } from './accept-callers.ts'
import type { Bench } from './report.ts'

const callerCount = 100
/** In total below the capacity of a queue, at any speed of the machine. */
const warmUpCount = 20_000
const callCount = 75_000
const limitMs = 15

/**
 * The public send call with one recipient, answered once it is on disk; the sender is idle, so that only accepting is
 * measured. The baselines are the same route without a database, and a bare route; server, baseline and callers are separate
 * processes.
 */
export const acceptBench: Bench = {
  name: 'accept',
  partOf: 'engine',
  title: `Accept call, 1 recipient, durable, ${callerCount} callers, ${callCount} calls`,
  async run() {
    const ours = await shootServer()
    const withoutDatabase = await shootBaseline()
    const bare = await shootBaseline('bare')
    const calls = { case: 'calls', value: ours.rate, unit: '/s' }
    return [
      { case: 'p99', value: ours.p99, unit: 'ms', baseline: limitMs, against: 'limit' },
      { case: 'p50', value: ours.p50, unit: 'ms', baseline: bare.p50, against: 'bare route' },
      { ...calls, baseline: withoutDatabase.rate, against: 'the same without a database' },
      { ...calls, baseline: bare.rate, against: 'bare route' },
    ]
  },
}

async function shootServer(): Promise<Shot> {
  await using folder = await temporaryFolder()
  await using server = await startServerProcess({
    environment: { PORT: '0', DATA_DIR: folder.path, WORKERS: '0', LOG_LEVEL: 'warn', CALLS_PER_SECOND: '0' },
  })
  const key = /ck_[\w-]+/.exec(server.printed().out)?.[0] ?? ''
  const shot = await shoot(`${server.url}/api/send-mail/${key}`)
  await server.end('SIGTERM')
  return shot
}

async function shootBaseline(...kind: 'bare'[]): Promise<Shot> {
  const script = fileURLToPath(new URL('accept-baseline.ts', import.meta.url))
  const child = spawn(process.execPath, [script, ...kind], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  try {
    const [port] = (await once(child.stdout, 'data')) as [Buffer]
    return await shoot(`http://localhost:${Number(port.toString())}/api/send-mail/ck_${'a'.repeat(43)}`)
  } finally {
    child.kill('SIGKILL')
    await exited
  }
}

async function shoot(url: string): Promise<Shot> {
  const script = fileURLToPath(new URL('accept-callers.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [
    script,
    url,
    ...[callerCount, warmUpCount, callCount].map(String),
  ])
  return JSON.parse(stdout) as Shot
}
