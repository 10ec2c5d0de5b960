import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { temporaryFolder } from '../tests/support/temporary-folder.ts'
import { startServerProcess } from '../tests/support/server-process.ts'
import type { Bench } from './report.ts'

const callerCount = 100
/** Together fewer calls than a queue holds. */
const warmUpSeconds = 2
const seconds = 5
const limitMs = 15

const body = JSON.stringify({
  recipient_list: ['visitor@example.com'],
  subject: 'Doors open Thursday, {{first_name}}',
  content: 'Dear {{first_name | default: "friend"}}, we kept two places for you.',
  context: { first_name: 'Ann' },
})

/**
 * The public send call with one recipient, answered once it is on disk; the sender rests, so that accepting alone is
 * measured. The baselines are the same route without a database, and a bare one; each in a process of its own, as the server.
 */
export const acceptBench: Bench = {
  name: 'accept',
  title: `Accept call, 1 recipient, durable, ${callerCount} callers, ${seconds} s`,
  async run() {
    await using folder = await temporaryFolder()
    await using server = await startServerProcess({
      environment: { PORT: '0', DATA_DIR: folder.path, WORKERS: '0', LOG_LEVEL: 'warn', CALLS_PER_SECOND: '0' },
    })
    const key = /ck_[\w-]+/.exec(server.printed().out)?.[0] ?? ''
    const ours = await shoot(`${server.url}/api/send-mail/${key}`)
    await server.end('SIGTERM')
    const withoutDatabase = await shootBaseline(key)
    const bare = await shootBaseline(key, 'bare')
    const calls = { case: 'calls', value: ours.requests.average, unit: '/s' }
    return [
      { case: 'p99', value: ours.latency.p99, unit: 'ms', baseline: limitMs, against: 'limit' },
      { case: 'p50', value: ours.latency.p50, unit: 'ms', baseline: bare.latency.p50, against: 'bare route' },
      { ...calls, baseline: withoutDatabase.requests.average, against: 'the same without a database' },
      { ...calls, baseline: bare.requests.average, against: 'bare route' },
    ]
  },
}

async function shootBaseline(key: string, ...kind: 'bare'[]): Promise<autocannon.Result> {
  const script = fileURLToPath(new URL('accept-baseline.ts', import.meta.url))
  const child = spawn(process.execPath, [script, ...kind], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  try {
    const [port] = (await once(child.stdout, 'data')) as [Buffer]
    return await shoot(`http://localhost:${Number(port.toString())}/api/send-mail/${key}`)
  } finally {
    child.kill('SIGKILL')
    await exited
  }
}

async function shoot(url: string): Promise<autocannon.Result> {
  const options = { url, method: 'POST', headers: { 'content-type': 'application/json' }, body } as const
  await autocannon({ ...options, connections: callerCount, duration: warmUpSeconds })
  const result = await autocannon({ ...options, connections: callerCount, duration: seconds })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx + result.errors} calls failed`)
  return result
}
