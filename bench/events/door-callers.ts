import { readFile } from 'node:fs/promises'
import autocannon from 'autocannon'

// `node bench/events/door-callers.ts <address> <file of paths> <callers> <hits to warm up> <hits> <hits a second>`: mail clients that load
// images and follow links; prints the results as a line of JSON. A separate process, because a pause of its own counts as the
// server's time.

/** Hits per second from the first to the last answer, and the duration of a hit, in ms. */
export interface HitShot {
  rate: number
  p50: number
  p99: number
}

const [url = '', file = '', ...counts] = process.argv.slice(2)
const [callerCount = 0, warmUpCount = 0, hitCount = 0, ratePerSecond = 0] = counts.map(Number)
const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'

async function shoot(): Promise<HitShot> {
  const paths = (await readFile(file, 'utf8')).split('\n')
  const requests = paths.map((path) => ({ method: 'GET' as const, path, headers: { 'user-agent': agent } }))
  let next = 0
  const options: autocannon.Options = {
    url,
    connections: callerCount,
    ...(ratePerSecond > 0 && { overallRate: ratePerSecond }),
    // Each caller prepares these too, before all of them begin.
    requests: requests.slice(0, 1),
    // Each caller has a share of the paths, so that all mails get the same number of hits.
    setupClient(client) {
      const share = requests.length / callerCount
      const from = Math.floor((next++ % callerCount) * share)
      client.setRequests(requests.slice(from, Math.floor(from + share)))
    },
  }
  await autocannon({ ...options, amount: warmUpCount })
  let [startedAt, endedAt] = [0, 0]
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>()
  const shot = autocannon({ ...options, amount: hitCount }, (error, result) => {
    if (error) reject(error as Error)
    else resolve(result)
  })
  shot.on('response', () => {
    endedAt = performance.now()
    // Autocannon prepares the requests of all callers before the first of them.
    if (startedAt === 0) startedAt = endedAt
  })
  const { statusCodeStats = {}, errors, timeouts, latency } = await promise
  const answered = (['200', '302'] as const).reduce((sum, status) => sum + (statusCodeStats[status]?.count ?? 0), 0)
  if (answered !== hitCount)
    throw new Error(`${hitCount - answered} hits failed: ${JSON.stringify({ statusCodeStats, errors, timeouts })}`)
  return { rate: (hitCount / (endedAt - startedAt)) * 1000, p50: latency.p50, p99: latency.p99 }
}

process.stdout.write(`${JSON.stringify(await shoot())}\n`)
