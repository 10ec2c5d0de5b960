import autocannon from 'autocannon'
import Fastify from 'fastify'
import { temporaryFolder } from '../tests/support/temporary-folder.ts'
import { startServerProcess } from '../tests/support/server-process.ts'
import type { Bench } from './report.ts'

const callerCount = 100
const seconds = 8
const limitMs = 15

const body = JSON.stringify({
  recipient_list: ['visitor@example.com'],
  subject: 'Doors open Thursday, {{first_name}}',
  content: 'Dear {{first_name | default: "friend"}}, we kept two places for you.',
  context: { first_name: 'Ann' },
})

/**
 * The public send call with one recipient, answered once it is on disk; the sender rests, so that accepting alone is
 * measured. The baseline is a bare route that answers the same without a database.
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

    const bare = Fastify()
    bare.post('/api/send-mail/:key', () => ({ message: 'Email sent successfully to 1 recipient', accepted: 1 }))
    const plain = await shoot(`${await bare.listen({ port: 0 })}/api/send-mail/none`)
    await bare.close()
    return [
      { case: 'p99', value: ours.latency.p99, unit: 'ms', baseline: limitMs, against: 'limit' },
      { case: 'p50', value: ours.latency.p50, unit: 'ms', baseline: plain.latency.p50, against: 'bare fastify' },
      {
        case: 'calls',
        value: ours.requests.average,
        unit: '/s',
        baseline: plain.requests.average,
        against: 'bare fastify',
      },
    ]
  },
}

async function shoot(url: string): Promise<autocannon.Result> {
  const options = { url, method: 'POST', headers: { 'content-type': 'application/json' }, body } as const
  await autocannon({ ...options, connections: callerCount, duration: 2 })
  const result = await autocannon({ ...options, connections: callerCount, duration: seconds })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx + result.errors} calls failed`)
  return result
}
