import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, Figure } from '../report.ts'
import { createArena } from './arena.ts'
import { nodemailerPool, oneBody } from './baselines.ts'
import { cpuSeconds } from './cpu.ts'

type Row = Omit<Figure, 'bench'>

const connectionCount = 10
const usualCount = 100_000
const baselineCount = 5000
const bodyCount = 20_000
const slowAnswerMs = 25
const slowMailCount = 4000
const slowConnectionCount = 40
const rssLimitMiB = 300

/** The send engine, from the claim to the settled row, in workers as in production. */
export const engineBench: Bench = {
  name: 'engine',
  title: `Send engine: ${usualCount} mails of 10 kB HTML over TLS to a sink of this machine, ${connectionCount} connections`,
  run: async () => [...(await fullSpeed(usualCount)), await twoWorkers()],
}

/** The same with a million recipients, for `npm run soak`; runs only if it or `engine` is named. */
export const millionBench: Bench = {
  name: 'million',
  partOf: 'engine',
  title: 'Send engine: a million mails of 10 kB HTML',
  run: async () => (await fullSpeed(1_000_000)).slice(2),
  isLong: true,
}

async function fullSpeed(mailCount: number): Promise<Row[]> {
  await using arena = await createArena()
  const { mailboxId, resume } = await arena.addMailbox(connectionCount)
  await arena.addCampaign(mailboxId, mailCount)
  const worker = await arena.startWorker('one')
  const workerPid = worker.child.pid ?? 0
  const memory = watchMemory(workerPid)
  const before = { ...(await arena.cpu()), worker: await cpuSeconds(workerPid) }

  const startedAt = performance.now()
  await resume()
  await arena.untilLeft(Math.floor(0.9 * mailCount))
  const firstTenthMs = performance.now() - startedAt
  await arena.untilLeft(Math.floor(0.1 * mailCount))
  const lastTenthAt = performance.now()
  await arena.untilLeft(0)
  const lastTenthMs = performance.now() - lastTenthAt
  const ours = mailCount / ((performance.now() - startedAt) / 1000)
  const peakMiB = await memory.stop()
  const after = { ...(await arena.cpu()), worker: await cpuSeconds(workerPid) }
  await worker.end('SIGTERM')

  const microseconds = (part: keyof typeof after) => (1e6 * (after[part] - before[part])) / mailCount
  const allUs = microseconds('worker') + microseconds('database') + microseconds('sink')
  const share = (part: keyof typeof after): Row => {
    return {
      case: `a core’s time, ${part}`,
      value: microseconds(part),
      unit: 'µs',
      baseline: allUs,
      against: 'all, a mail',
    }
  }
  const pool = await nodemailerPool(arena, baselineCount, connectionCount)
  const body = await oneBody(arena, bodyCount, connectionCount)
  return [
    { case: 'claim to settled', value: ours, unit: '/s', baseline: pool, against: 'bare nodemailer pool' },
    { case: 'claim to settled', value: ours, unit: '/s', baseline: body, against: 'one prebuilt body' },
    { case: 'resident memory, at most', value: peakMiB, unit: 'MiB', baseline: rssLimitMiB, against: 'limit' },
    { case: 'last tenth', value: lastTenthMs, unit: 'ms', baseline: firstTenthMs, against: 'first tenth' },
    share('worker'),
    share('database'),
    share('sink'),
  ]
}

/** The same mails with one worker and with two, with a slow mail server. */
async function twoWorkers(): Promise<Row> {
  await using arena = await createArena({ delayMs: slowAnswerMs })
  const workers = [await arena.startWorker('one')]
  const rates: number[] = []
  for (const count of [1, 2]) {
    if (workers.length < count) workers.push(await arena.startWorker('two'))
    const { mailboxId, resume } = await arena.addMailbox(slowConnectionCount)
    await arena.addCampaign(mailboxId, count * slowMailCount)
    const startedAt = performance.now()
    await resume()
    await arena.untilLeft(0)
    rates.push((count * slowMailCount) / ((performance.now() - startedAt) / 1000))
  }
  const [one = Number.NaN, two = Number.NaN] = rates
  return {
    case: `two workers, answers after ${slowAnswerMs} ms`,
    value: two,
    unit: '/s',
    baseline: one,
    against: 'one worker',
  }
}

const memoryPollMs = 100

/** Peak resident memory of a process, in MiB (Linux). */
function watchMemory(pid: number): { stop: () => Promise<number> } {
  let peakMiB = 0
  const over = new AbortController()
  const watching = (async () => {
    while (!over.signal.aborted) {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '') // Not available on other systems.
      peakMiB = Math.max(peakMiB, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
      await sleep(memoryPollMs)
    }
  })()
  return {
    async stop() {
      over.abort()
      await watching
      return peakMiB
    },
  }
}
