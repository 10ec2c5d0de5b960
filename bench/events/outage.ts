import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { clickPath } from '../../server/domain/tracking/mail-link.ts'
import type { Database } from '../../server/store/core/database.ts'
import { createServerHome } from '../../tests/support/server-home.ts'
import { openOwnDatabase } from '../audience/own-database.ts'
import { parentOf } from '../engine/cpu.ts'
import type { Figure } from '../report.ts'
import { addTrackedMails, shoot, warmUpCount } from './door.ts'

const outageSeconds = 60
const clicksPerSecond = 300
const clickCount = outageSeconds * clicksPerSecond
const p99LimitMs = 20
const returnLimitSeconds = 60
const pollMs = 200

/** Clicks on links while all processes of PostgreSQL are stopped, and the hits in the database after its return. */
export async function outageFigures(): Promise<Omit<Figure, 'bench'>[]> {
  await using home = await createServerHome({ WORKERS: '0', CALLS_PER_SECOND: '0' })
  const server = await home.start()
  const database = await openOwnDatabase(home.path)
  const file = join(home.path, 'paths')
  try {
    const paths = await addTrackedMails(home.path, database)
    await writeFile(file, paths.filter((path) => path.startsWith(clickPath)).join('\n'))
    const pids = await processesOf(home.path)
    const startedAt = performance.now()
    let shot
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    try {
      // Fails unless each click was answered.
      shot = await shoot(server.url, file, clickCount, clicksPerSecond)
      await sleep(outageSeconds * 1000 - (performance.now() - startedAt))
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT')
    }
    const backAt = performance.now()
    const kept = await untilKept(database, warmUpCount + clickCount)
    const seconds = (performance.now() - backAt) / 1000
    await server.end('SIGTERM')
    return [
      { case: 'a redirect, p99', value: shot.p99, unit: 'ms', baseline: p99LimitMs, against: 'limit' },
      { case: 'a redirect, p50', value: shot.p50, unit: 'ms', baseline: null, against: '' },
      { case: 'hits in the database', value: kept, unit: '', baseline: warmUpCount + clickCount, against: 'answered' },
      { case: 'all hits in the database, after', value: seconds, unit: 's', baseline: null, against: '' },
    ]
  } finally {
    await database.close()
  }
}

/** PostgreSQL and all of its processes. */
async function processesOf(dataDir: string): Promise<number[]> {
  const file = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  const postmaster = Number(file.split('\n')[0])
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const parents = await Promise.all(pids.map(async (pid) => [pid, await parentOf(pid)] as const))
  return [postmaster, ...parents.filter(([, parent]) => parent === postmaster).map(([pid]) => pid)]
}

/** Hits in the database once all are there, or after the limit. A second more would show doubled ones. */
async function untilKept({ pool }: Database, count: number): Promise<number> {
  const deadline = performance.now() + returnLimitSeconds * 1000
  const read = async () => {
    const { rows } = await pool.query<{ count: number }>(
      `select (select count(*) from event_inbox where kind in (1, 2))::int
         + (select count(*) from events where kind in (1, 2))::int as count`,
    )
    return rows[0]?.count ?? 0
  }
  while ((await read()) < count && performance.now() < deadline) await sleep(pollMs)
  await sleep(1000)
  return read()
}
