import autocannon from 'autocannon'

// `node bench/accept-callers.ts <address of the public send call> <callers> <calls to warm up> <calls>`: each caller sends one
// call after the other; prints the results as a line of JSON. A separate process, because a pause of its own, such as garbage
// collection, counts as the server's time.

/** Calls per second from the first to the last response, and the duration of a call, in ms. */
export interface Shot {
  rate: number
  p50: number
  p99: number
}

const [url = '', ...counts] = process.argv.slice(2)
const [callerCount = 0, warmUpCount = 0, callCount = 0] = counts.map(Number)

const body = JSON.stringify({
  recipient_list: ['visitor@example.com'],
  subject: 'Doors open Thursday, {{first_name}}',
  content: 'Dear {{first_name | default: "friend"}}, we kept two places for you.',
  context: { first_name: 'Ann' },
})

async function shoot(): Promise<Shot> {
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
  return { rate: (callCount / (endedAt - startedAt)) * 1000, p50: latency.p50, p99: latency.p99 }
}

process.stdout.write(`${JSON.stringify(await shoot())}\n`)
