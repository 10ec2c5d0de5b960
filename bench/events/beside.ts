import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createArena } from '../engine/arena.ts'
import { cpuSeconds } from '../engine/cpu.ts'
import { quantile, type Figure } from '../report.ts'
import { addTrackedMails, shoot } from './door.ts'

const turnCount = 3
const connectionCount = 10
const hitsPerSecond = 5000
/**
 * Mails as fast as the processors build them, and through a mail server that answers as late as one on the internet does. The
 * hits last longer than the mails.
 */
const loads = [
  { name: 'sending without a wait', delayMs: 0, mailCount: 30_000, hitCount: 50_000 },
  { name: 'sending, answers after 25 ms', delayMs: 25, mailCount: 3000, hitCount: 60_000 },
]
/** Until the callers have begun. */
const callersStartMs = 1000
const p99LimitMs = 50

/**
 * Mails alone and beside hits at the rate of the limit, in turns, each after the events of the last turn are digested: a worker
 * sends, a server answers, and both share the machine with the mail server and the callers.
 */
export async function besideFigures(): Promise<Omit<Figure, 'bench'>[]> {
  const figures: Omit<Figure, 'bench'>[] = []
  for (const load of loads) figures.push(...(await besideLoad(load)))
  return figures
}

async function besideLoad(load: (typeof loads)[number]): Promise<Omit<Figure, 'bench'>[]> {
  const { mailCount, hitCount } = load
  await using arena = await createArena({ delayMs: load.delayMs })
  const server = await arena.startServer('door')
  const serverPid = server.child.pid ?? 0
  const file = join(arena.path, 'paths')
  // Before a worker can claim them.
  await writeFile(file, (await addTrackedMails(arena.path, arena.database)).join('\n'))
  const worker = await arena.startWorker('one')
  const prepare = async () => {
    const { mailboxId, resume } = await arena.addMailbox(connectionCount)
    await arena.addCampaign(mailboxId, mailCount)
    await arena.untilDigested()
    return async () => {
      const startedAt = performance.now()
      await resume()
      await arena.untilLeft(0)
      return (mailCount / (performance.now() - startedAt)) * 1000
    }
  }
  const alone: number[] = []
  const beside: number[] = []
  const hits: { rate: number; p99: number; callersUs: number; serverUs: number }[] = []
  await (
    await prepare()
  )() // Warms up.
  for (let turn = 0; turn < turnCount; turn++) {
    alone.push(await (await prepare())())
    const send = await prepare()
    const cpuBefore = await cpuSeconds(serverPid)
    const shooting = shoot(server.url, file, hitCount, hitsPerSecond)
    const [shot, rate] = await Promise.all([shooting, sleep(callersStartMs).then(send)])
    beside.push(rate)
    const serverUs = ((await cpuSeconds(serverPid)) - cpuBefore) * (1e6 / (shot.warmUpCount + hitCount))
    hits.push({ ...shot, serverUs })
  }
  await worker.end('SIGTERM')
  await server.end('SIGTERM')
  const median = (read: (shot: (typeof hits)[number]) => number) => quantile(hits.map(read), 0.5)
  return [
    {
      case: `${load.name}: mails beside hits`,
      value: quantile(beside, 0.5),
      unit: '/s',
      baseline: quantile(alone, 0.5),
      against: 'alone, in turns',
    },
    {
      case: `${load.name}: hits`,
      value: median(({ rate }) => rate),
      unit: '/s',
      baseline: hitsPerSecond,
      against: 'sent to it',
    },
    {
      case: `${load.name}: a hit, p99`,
      value: median(({ p99 }) => p99),
      unit: 'ms',
      baseline: p99LimitMs,
      against: 'limit',
    },
    {
      case: `${load.name}: a core’s time of the server, a hit`,
      value: median(({ serverUs }) => serverUs),
      unit: 'µs',
      baseline: median(({ callersUs }) => callersUs),
      against: 'of the callers',
    },
  ]
}
