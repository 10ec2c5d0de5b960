import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { quantile } from '../report.ts'

// `node bench/events/door-callers.ts <address> <file of paths> <callers> <hits to warm up> <hits> <hits a second>`: mail clients that load
// images and follow links; prints the results as a line of JSON. A separate process, because a pause of its own counts as the
// server's time. It writes prepared requests to sockets: a general HTTP client takes as much processor time for a hit as the
// server, on the same cores.

/** Hits per second from the first to the last answer, the duration of a hit in ms, and the callers' own time for a hit in µs. */
export interface HitShot {
  /** When the first was sent, ms since 1970. */
  startedAt: number
  rate: number
  p50: number
  p99: number
  callersUs: number
}

const [url = '', file = '', ...counts] = process.argv.slice(2)
const [callerCount = 0, warmUpCount = 0, hitCount = 0, ratePerSecond = 0] = counts.map(Number)
const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
const tickMs = 5
const endOfHead = '\r\n\r\n'

interface Caller {
  socket: Socket
  /** Its share of the requests, so that all mails get the same number of hits. */
  requests: readonly Buffer[]
  next: number
  /** When the hit that it waits for was due; null: it waits for none. */
  dueAt: number | null
  answer: string
}

async function connectCallers(): Promise<Caller[]> {
  const { hostname, port, host } = new URL(url)
  const paths = (await readFile(file, 'utf8')).split('\n')
  const requests = paths.map((path) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: ${agent}\r\n\r\n`),
  )
  const share = requests.length / callerCount
  return Promise.all(
    Array.from({ length: callerCount }, async (_, at) => {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      socket.setNoDelay(true)
      const own = requests.slice(Math.floor(at * share), Math.floor((at + 1) * share))
      return { socket, requests: own, next: 0, dueAt: null, answer: '' }
    }),
  )
}

/** Status of an answer that is complete; null for the beginning of one. */
function readStatus(answer: string): number | null {
  const headEnd = answer.indexOf(endOfHead)
  if (headEnd < 0) return null
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(answer)?.[1] ?? 0)
  return answer.length < headEnd + endOfHead.length + length ? null : Number(answer.slice(9, 12))
}

/** Sends hits at the rate, or each as soon as its caller is free; a hit that no caller is free for waits, and that time counts. */
async function shoot(callers: readonly Caller[], count: number, rate: number): Promise<HitShot> {
  const durations: number[] = []
  const idle = [...callers]
  const done = Promise.withResolvers<undefined>()
  let sentCount = 0
  const startedAt = performance.now()
  const startedAtMs = Date.now()
  const dueCount = () =>
    rate === 0 ? count : Math.min(count, Math.ceil(((performance.now() - startedAt) * rate) / 1000))
  const sendDue = () => {
    for (const limit = dueCount(); sentCount < limit && idle.length > 0; sentCount += 1) {
      const caller = idle.shift()
      const request = caller?.requests[caller.next++ % caller.requests.length]
      if (!caller || !request) return
      caller.dueAt = rate === 0 ? performance.now() : startedAt + (sentCount * 1000) / rate
      caller.socket.write(request)
    }
  }
  for (const caller of callers) {
    const fail = () => done.reject(new Error('A connection ended'))
    for (const event of ['data', 'error', 'close']) caller.socket.removeAllListeners(event)
    caller.socket.on('error', fail).on('close', fail)
    caller.socket.on('data', (chunk: Buffer) => {
      caller.answer += chunk.toString('latin1')
      const status = readStatus(caller.answer)
      if (status === null || caller.dueAt === null) return
      if (status !== 200 && status !== 302) done.reject(new Error(`A hit was answered with ${status}`))
      durations.push(performance.now() - caller.dueAt)
      caller.answer = ''
      caller.dueAt = null
      idle.push(caller)
      if (durations.length === count) done.resolve(undefined)
      else sendDue()
    })
  }
  const before = process.cpuUsage()
  const timer = setInterval(sendDue, tickMs)
  sendDue()
  await done.promise
  clearInterval(timer)
  const seconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(before)
  return {
    startedAt: startedAtMs,
    rate: count / seconds,
    p50: quantile(durations, 0.5),
    p99: quantile(durations, 0.99),
    callersUs: (user + system) / count,
  }
}

const callers = await connectCallers()
if (warmUpCount > 0) await shoot(callers, warmUpCount, ratePerSecond)
const shot = await shoot(callers, hitCount, ratePerSecond)
process.stdout.write(`${JSON.stringify(shot)}\n`, () => process.exit(0))
