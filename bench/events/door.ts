import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { clickPath, pixelPath } from '../../server/domain/tracking/mail-link.ts'
import type { Database } from '../../server/store/core/database.ts'
import { signLink } from '../../server/tracking/link.ts'
import { signToken } from '../../server/tracking/token.ts'
import { readMailKey } from '../../tests/support/mail-key.ts'
import { createMailRows } from '../../tests/support/mail-rows.ts'
import { createServerHome } from '../../tests/support/server-home.ts'
import { openOwnDatabase } from '../audience/own-database.ts'
import type { Figure } from '../report.ts'
import type { HitShot } from './door-callers.ts'

type Row = Omit<Figure, 'bench'>

const callerCount = 100
export const warmUpCount = 5000
const hitCount = 60_000
/** Enough that no token has 200 hits a minute. */
const recipientCount = 2000
const hitsPerSecondLimit = 5000
const p99LimitMs = 50
const pollMs = 1000

/**
 * Images and links of tracked mails over HTTP, each answered once it is in the journal, while the server writes them into the
 * database and digests them. The baseline answers images and records nothing.
 */
export async function doorFigures(): Promise<Row[]> {
  await using home = await createServerHome({ WORKERS: '0', CALLS_PER_SECOND: '0', LOG_LEVEL: 'warn' })
  const server = await home.start()
  const database = await openOwnDatabase(home.path)
  try {
    const file = join(home.path, 'paths')
    await writeFile(file, (await addTrackedMails(home.path, database)).join('\n'))
    const ours = await shoot(server.url, file)
    const kept = await countKept(database)
    await server.end('SIGTERM')
    const bare = await shootBare(file)
    return [
      { case: 'hits', value: ours.rate, unit: '/s', baseline: hitsPerSecondLimit, against: 'limit' },
      { case: 'hits', value: ours.rate, unit: '/s', baseline: bare.rate, against: 'image without recording' },
      { case: 'a hit, p99', value: ours.p99, unit: 'ms', baseline: p99LimitMs, against: 'limit' },
      { case: 'a hit, p50', value: ours.p50, unit: 'ms', baseline: bare.p50, against: 'image without recording' },
      {
        case: 'hits in the database',
        value: kept,
        unit: '',
        baseline: warmUpCount + hitCount,
        against: 'answered',
      },
    ]
  } finally {
    await database.close()
  }
}

/** The paths of image and link of mails that were taken a minute ago. */
export async function addTrackedMails(folder: string, database: Database): Promise<string[]> {
  return (await addTrackedCampaign(folder, database)).paths
}

/** A campaign whose mails were taken a minute ago, with the paths of their images and links. */
export async function addTrackedCampaign(folder: string, { pool }: Database) {
  const rows = await createMailRows(pool)
  const campaignId = await rows.addCampaign('sending')
  const emails = Array.from({ length: recipientCount }, (_, at) => `person${at}@example.com`)
  const messageId = await rows.addMessage(await rows.addMailbox(), emails, { campaignId })
  const { rows: mails } = await pool.query<{ deliveryId: number; month: string; workspaceNo: number }>(
    `update deliveries d set state = 'sent', settled_at = now() - interval '1 minute'
     from workspace_directory w where d.workspace_id = $1 and d.message_id = $2 and w.workspace_id = $1
     returning d.id as "deliveryId", d.month::text, w.no as "workspaceNo"`,
    [rows.workspaceId, messageId],
  )
  const key = await readMailKey(folder)
  const link = signLink(key, { messageId, no: 1, url: 'https://example.com/offer' })
  const paths = mails.flatMap((mail) => {
    const token = signToken(key, { ...mail, messageId })
    return [`${pixelPath}${token}.gif`, `${clickPath}${token}${link}`]
  })
  return { workspaceId: rows.workspaceId, campaignId, paths }
}

/** Hits in the database once no more arrive: each answered one has to be there once. */
async function countKept({ pool }: Database): Promise<number> {
  for (let last = -1; ;) {
    const { rows } = await pool.query<{ count: number }>(
      `select (select count(*) from event_inbox where kind in (1, 2))::int
         + (select count(*) from events where kind in (1, 2))::int as count`,
    )
    const count = rows[0]?.count ?? 0
    if (count === last) return count
    last = count
    await sleep(pollMs)
  }
}

async function shootBare(file: string): Promise<HitShot> {
  const script = fileURLToPath(new URL('bare-image.ts', import.meta.url))
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  try {
    const [port] = (await once(child.stdout, 'data')) as [Buffer]
    return await shoot(`http://127.0.0.1:${Number(port.toString())}`, file)
  } finally {
    child.kill('SIGKILL')
    await exited
  }
}

/** `ratePerSecond`: hits that the callers send; 0: as many as are answered. */
export async function shoot(
  url: string,
  file: string,
  count = hitCount,
  ratePerSecond = 0,
): Promise<HitShot & { warmUpCount: number }> {
  const script = fileURLToPath(new URL('door-callers.ts', import.meta.url))
  const counts = [callerCount, warmUpCount, count, ratePerSecond].map(String)
  const { stdout } = await promisify(execFile)(process.execPath, [script, url, file, ...counts])
  return { ...(JSON.parse(stdout) as HitShot), warmUpCount }
}
