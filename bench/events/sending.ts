import { createArena } from '../engine/arena.ts'
import type { Figure } from '../report.ts'

const mailCount = 10_000
const turnCount = 3
const linkCount = 20
const connectionCount = 10
const links = Array.from({ length: linkCount }, (_, no) => `<a href="https://example.com/page/${no}">Page ${no}</a>`)
/** About 10 kB. */
const html = `<h1>Doors open, {{first_name}}</h1>${'<p style="margin:0 0 16px">We kept <b>two places</b> for you &amp; yours.</p>'.repeat(130)}${links.join('\n')}`

/** The same mails with and without tracking, in turns, by one worker. */
export async function sendingFigures(): Promise<Omit<Figure, 'bench'>[]> {
  await using arena = await createArena()
  const worker = await arena.startWorker('one')
  const seconds = { tracked: 0, untracked: 0 }
  // The first pair warms up.
  for (let turn = 0; turn <= turnCount; turn++) {
    for (const isTracked of [false, true]) {
      const { mailboxId, resume } = await arena.addMailbox(connectionCount)
      await arena.addCampaign(mailboxId, mailCount, { html, isTracked })
      const startedAt = performance.now()
      await resume()
      await arena.untilLeft(0)
      if (turn > 0) seconds[isTracked ? 'tracked' : 'untracked'] += (performance.now() - startedAt) / 1000
    }
  }
  const { rows } = await arena.database.pool.query('select from tracked_links limit 1')
  await worker.end('SIGTERM')
  if (rows.length === 0) throw new Error('the mails were not tracked')
  const count = mailCount * turnCount
  return [
    {
      case: `sending with tracking, ${linkCount} links`,
      value: count / seconds.tracked,
      unit: '/s',
      baseline: count / seconds.untracked,
      against: 'without, in turns',
    },
  ]
}
