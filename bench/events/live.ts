import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CampaignReport } from '../../contract/results/report.ts'
import { createServerHome } from '../../tests/support/server-home.ts'
import { openOwnDatabase } from '../audience/own-database.ts'
import { quantile, type Figure } from '../report.ts'
import { addTrackedCampaign, shoot } from './door.ts'

const hitsPerSecond = 2000
const hitCount = 40_000
const p95LimitMs = 2000
const settleLimitMs = 30_000
const account = { email: 'ann@example.com', password: 'correct horse', first_name: 'Ann', last_name: 'Lee' }

/** A report as it was received. */
interface Seen {
  at: number
  /** Opens and clicks that it counts. */
  count: number
}

/** How long after a hit the stream of the open report contains it, while hits arrive all the time. */
export async function liveFigures(): Promise<Omit<Figure, 'bench'>[]> {
  await using home = await createServerHome({ CALLS_PER_SECOND: '0', SANDBOX: 'on' })
  const server = await home.start()
  const database = await openOwnDatabase(home.path)
  try {
    const { workspaceId, campaignId, paths } = await addTrackedCampaign(home.path, database)
    const { pool } = database
    const token = await signIn(server.url)
    await pool.query('update members set workspace_id = $1', [workspaceId])
    await pool.query(`update campaigns set tracking = 'identified' where workspace_id = $1`, [workspaceId])
    const file = join(home.path, 'paths')
    await writeFile(file, paths.join('\n'))
    const stopping = new AbortController()
    const seen: Seen[] = []
    const reading = readReports(
      `${server.url}/email/campaign/${campaignId}/report/events`,
      token,
      seen,
      stopping.signal,
    )
    const { startedAt, warmUpCount } = await shoot(server.url, file, hitCount, hitsPerSecond)
    const deadline = performance.now() + settleLimitMs
    while ((seen.at(-1)?.count ?? 0) < warmUpCount + hitCount && performance.now() < deadline) await sleep(100)
    stopping.abort()
    await reading
    await server.end('SIGTERM')
    const lags = lagsOf(seen, startedAt, warmUpCount)
    const shown = { unit: 'ms', baseline: p95LimitMs, against: 'limit' }
    return [
      { case: 'a hit in the open report, p95', value: quantile(lags, 0.95), ...shown },
      { case: 'a hit in the open report, p50', value: quantile(lags, 0.5), ...shown },
      {
        case: 'hits in the report at the end',
        value: (seen.at(-1)?.count ?? 0) - warmUpCount,
        unit: '',
        baseline: hitCount,
        against: 'sent',
      },
    ]
  } finally {
    await database.close()
  }
}

/** The time from each hit, by the rate at which they are sent, to the first report that counts so many. */
function lagsOf(seen: readonly Seen[], startedAt: number, warmUpCount: number): number[] {
  const lags: number[] = []
  let counted = 0
  for (const { at, count } of seen) {
    for (; counted < count - warmUpCount; counted += 1) lags.push(at - (startedAt + (counted * 1000) / hitsPerSecond))
  }
  return lags
}

async function readReports(url: string, token: string, seen: Seen[], signal: AbortSignal): Promise<void> {
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal })
    if (response.status !== 200 || response.body === null)
      throw new Error(`The report was answered with ${response.status}`)
    let text = ''
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1]
        text = text.slice(end + 2)
        if (data === undefined) continue
        const { opened, clicked } = JSON.parse(data) as CampaignReport
        seen.push({ at: Date.now(), count: opened.events + clicked.events })
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** A confirmed account; its session's token. */
async function signIn(url: string): Promise<string> {
  const post = async (path: string, body: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return response.json()
  }
  await post('/auth/', account)
  for (;;) {
    const mails = await fetch(`${url}/sandbox/messages?to=${encodeURIComponent(account.email)}`)
    const link = /\/email_confirm\/(cf_[\w-]+)/.exec(await mails.text())?.[1]
    if (link !== undefined) {
      await fetch(`${url}/auth/confirm-email/${link}`)
      const { email, password } = account
      return ((await post('/auth/login', { email, password })) as { access_token: string }).access_token
    }
    await sleep(100)
  }
}
