import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createArena } from '../engine/arena.ts'
import type { Figure } from '../report.ts'
import { addTrackedMails, shoot } from './door.ts'

const mailCount = 15_000
const connectionCount = 10
const hitsPerSecond = 5000
/** About as long as the mails take. */
const hitCount = 50_000
const p99LimitMs = 50

/** Mails alone, then beside hits at the rate of the limit: a worker sends, a server answers, and all share the machine. */
export async function besideFigures(): Promise<Omit<Figure, 'bench'>[]> {
  await using arena = await createArena()
  const worker = await arena.startWorker('one')
  const server = await arena.startServer('door')
  const file = join(arena.path, 'paths')
  await writeFile(file, (await addTrackedMails(arena.path, arena.database)).join('\n'))
  const send = async () => {
    const { mailboxId, resume } = await arena.addMailbox(connectionCount)
    await arena.addCampaign(mailboxId, mailCount)
    const startedAt = performance.now()
    await resume()
    await arena.untilLeft(0)
    return (mailCount / (performance.now() - startedAt)) * 1000
  }
  await send() // Warms up.
  const alone = await send()
  const [hits, beside] = await Promise.all([shoot(server.url, file, hitCount, hitsPerSecond), send()])
  await worker.end('SIGTERM')
  await server.end('SIGTERM')
  return [
    { case: 'sending beside hits', value: beside, unit: '/s', baseline: alone, against: 'alone, same run' },
    { case: 'hits beside sending', value: hits.rate, unit: '/s', baseline: hitsPerSecond, against: 'sent to it' },
    { case: 'a hit beside sending, p99', value: hits.p99, unit: 'ms', baseline: p99LimitMs, against: 'limit' },
  ]
}
