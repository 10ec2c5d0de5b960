import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { temporaryFolder } from '../tests/support/temporary-folder.ts'
import { startServerProcess } from '../tests/support/server-process.ts'
import type { Bench } from './report.ts'

const callerCount = 100
/** Together fewer than a queue holds, whatever the machine's speed. */
const warmUpCount = 20_000
const callCount = 75_000
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
  partOf: 'engine',
  title: `Accept call, 1 recipient, durable, ${callerCount} callers, ${callCount} calls`,
  async run() {
    // The callers share the processor with what is measured: nobody is measured while they are still being compiled.
    await shootBaseline('bare')
    const ours = await shootServer()
    const withoutDatabase = await shootBaseline()
    const bare = await shootBaseline('bare')
    const calls = { case: 'calls', value: ours.rate, unit: '/s' }
    return [
      { case: 'p99', value: ours.latency.p99, unit: 'ms', baseline: limitMs, against: 'limit' },
      { case: 'p50', value: ours.latency.p50, unit: 'ms', baseline: bare.latency.p50, against: 'bare route' },
      { ...calls, baseline: withoutDatabase.rate, against: 'the same without a database' },
      { ...calls, baseline: bare.rate, against: 'bare route' },
    ]
  },
}

interface Shot {
  /** Calls a second, from the first to the last answer. */
  rate: number
  latency: autocannon.Result['latency']
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
  const headers = { 'content-type': 'application/json' }
  const options = { url, method: 'POST', headers, body, connections: callerCount } as const
  await autocannon({ ...options, amount: warmUpCount })
  // Its own duration is in whole seconds.
  const startedAt = performance.now()
  let endedAt = startedAt
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>()
  const shot = autocannon({ ...options, amount: callCount }, (error, result) => {
    if (error) reject(error as Error)
    else resolve(result)
  })
  shot.on('response', () => (endedAt = performance.now()))
  const { non2xx, errors, latency } = await promise
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} calls failed`)
  return { rate: (callCount / (endedAt - startedAt)) * 1000, latency }
}
