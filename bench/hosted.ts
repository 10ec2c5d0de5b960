import { once } from 'node:events'
import pg from 'pg'
import { WebSocket } from 'ws'
import { findRunningPostgres } from '../server/postgres/find-running.ts'
import { makeHostedKey } from '../tests/support/hosted.ts'
import { startServerProcess } from '../tests/support/server-process.ts'
import { temporaryFolder } from '../tests/support/temporary-folder.ts'
import { quantile, type Bench, type Figure } from './report.ts'

const documentCount = 100_000
const callCount = 500
const warmUpCount = 100
const listLimitMs = 20
const subscriberCount = 1000
const changeCount = 20
const tellLimitMs = 250

/** Filters of a list of 100, by how many of the documents match. */
const filters = {
  'list, 1 in 1,000 matches': (call: number) => `segment=${call % 1000}`,
  'list, 1 in 2 matches': () => 'isActive=true',
  'list, a range, 1 in 10 matches': () => 'price__gt=900',
  'list, two fields': (call: number) => `isActive=true&filter=segment=${call % 1000}`,
  'list, nothing matches': () => 'missing=1',
}
/** No index supports this filter: it scans the whole collection. Without a limit. */
const walkCase = 'list, a range that nothing matches'
const walkCount = 50

/** The hosted data backend: filtered lists of a large collection, and the latency of a change for many subscribers. */
export const hostedBench: Bench = {
  name: 'hosted',
  title: `Hosted data: lists of 100 out of ${documentCount} (p99 of ${callCount}), a change to ${subscriberCount} websockets (the last one, worst of ${changeCount})`,
  async run() {
    await using folder = await temporaryFolder()
    await using server = await startServerProcess({
      environment: { PORT: '0', DATA_DIR: folder.path, WORKERS: '0', LOG_LEVEL: 'warn' },
    })
    const connection = await findRunningPostgres(folder.path)
    if (connection === null) throw new Error('the database is not open')
    const database = new pg.Pool({ ...connection, max: 1 })
    const sql = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await database.query<Row>(text, values)).rows
    const { key } = await makeHostedKey({ sql }, 'write')
    await sql(
      `insert into hosted_documents (collection, id, data, created_at)
       select 'bench', 'd' || n, jsonb_build_object(
         'name', md5(n::text), 'segment', n % 1000, 'isActive', n % 2 = 0, 'price', n * 7919 % 1000,
         'maker', jsonb_build_object('country', 'DE', 'text', repeat('x', 200))),
         now() - make_interval(secs => ${documentCount} - n)
       from generate_series(1, ${documentCount}) n`,
    )
    // As the server's own autovacuum does within a minute.
    await sql('vacuum analyze hosted_documents')
    await database.end()

    const list = (count: number, filterOf: (call: number) => string) =>
      time(count, (call) => `${server.url}/collections/bench/documents?limit=100&filter=${filterOf(call)}`, {
        'x-api-key': key,
      })
    const figures: Omit<Figure, 'bench'>[] = []
    // The machine's own latency: lists cannot be faster.
    const idleMs = await time(callCount, () => `${server.url}/health`, {})
    figures.push({
      case: 'a call without a query',
      value: quantile(idleMs, 0.99),
      unit: 'ms',
      baseline: null,
      against: '',
    })
    for (const [name, filterOf] of Object.entries(filters)) {
      await list(warmUpCount, filterOf)
      const value = quantile(await list(callCount, filterOf), 0.99)
      figures.push({ case: name, value, unit: 'ms', baseline: listLimitMs, against: 'limit' })
    }
    const walksMs = await list(walkCount, () => 'price__gt=1000')
    figures.push({ case: walkCase, value: quantile(walksMs, 0.99), unit: 'ms', baseline: null, against: '' })
    const timesMs = await measureNotification(server.url, key)
    figures.push({
      case: 'change, last subscriber',
      value: Math.max(...timesMs),
      unit: 'ms',
      baseline: tellLimitMs,
      against: 'limit',
    })
    await server.end('SIGTERM')
    return figures
  },
}

async function time(
  count: number,
  addressOf: (call: number) => string,
  headers: Record<string, string>,
): Promise<number[]> {
  const timesMs: number[] = []
  for (let call = 0; call < count; call++) {
    const startedAt = performance.now()
    const response = await fetch(addressOf(call), { headers })
    await response.arrayBuffer()
    timesMs.push(performance.now() - startedAt)
    if (!response.ok) throw new Error(`a call returned ${response.status}`)
  }
  return timesMs
}

/** From before the call that makes a change until the last subscriber has received it. */
async function measureNotification(url: string, key: string): Promise<number[]> {
  const address = `${url.replace('http', 'ws')}/realtime/collections/news`
  let waitingCount = 0
  let allTold = Promise.withResolvers<undefined>()
  const sockets: WebSocket[] = []
  const opened = Array.from({ length: subscriberCount }, async () => {
    const socket = new WebSocket(address, { perMessageDeflate: false })
    sockets.push(socket)
    await once(socket, 'open')
    socket.send(key)
    await once(socket, 'message')
    socket.on('message', () => {
      waitingCount--
      if (waitingCount === 0) allTold.resolve(undefined)
    })
  })
  await Promise.all(opened)
  const timesMs: number[] = []
  for (let change = 0; change < changeCount; change++) {
    waitingCount = subscriberCount
    allTold = Promise.withResolvers<undefined>()
    const startedAt = performance.now()
    const response = await fetch(`${url}/collections/documents?collection=news`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ data: { title: 'Doors open', change } }),
    })
    await response.arrayBuffer()
    await allTold.promise
    timesMs.push(performance.now() - startedAt)
  }
  for (const socket of sockets) socket.terminate()
  return timesMs
}
