import { mailTokenChars } from '../../server/domain/tracking/mail-link.ts'
import { createArena, linkBase } from '../engine/arena.ts'
import { cpuSeconds } from '../engine/cpu.ts'
import { quantile, type Figure } from '../report.ts'

const mailCount = 20_000
const turnCount = 5
const linkCount = 20
const connectionCount = 10

/** About 10 kB, 18 kB as a mail with its text part. */
const page = (links: readonly string[], end: string) =>
  `<h1>Doors open, {{first_name}}</h1>${'<p style="margin:0 0 16px">We kept <b>two places</b> for you &amp; yours.</p>'.repeat(130)}${links.join('\n')}${end}`
const linksTo = (addressOf: (no: number) => string) =>
  Array.from({ length: linkCount }, (_, no) => `<a href="${addressOf(no)}">Page ${no}</a>`)
const html = page(
  linksTo((no) => `https://example.com/page/${no}`),
  '',
)
const token = 'A'.repeat(mailTokenChars)
/** What tracking makes of the page, written by hand and equal for all: as many bytes, without work for each mail. */
const longHtml = page(
  linksTo(
    (no) => `${linkBase}/c/${token}/${no}-${'b'.repeat(22)}?u=${encodeURIComponent(`https://example.com/page/${no}`)}`,
  ),
  `<img src="${linkBase}/o/${token}.gif" alt="" width="1" height="1" style="border:0;width:1px;height:1px">`,
)

const kinds = {
  untracked: { html, isTracked: false },
  long: { html: longHtml, isTracked: false },
  tracked: { html, isTracked: true },
}
type Kind = keyof typeof kinds

/**
 * The mails of campaigns without tracking, without it but as long as tracked ones, and with it: in turns, forwards and
 * backwards, by one worker. All have the headers of a campaign's mails, which contain the token too.
 */
export async function sendingFigures(): Promise<Omit<Figure, 'bench'>[]> {
  await using arena = await createArena()
  const worker = await arena.startWorker('one')
  const workerPid = worker.child.pid ?? 0
  const usedCpu = async () => {
    const { sink, database } = await arena.cpu()
    return sink + database + (await cpuSeconds(workerPid))
  }
  const rates: Record<Kind, number[]> = { untracked: [], long: [], tracked: [] }
  const cpuUs: Record<Kind, number[]> = { untracked: [], long: [], tracked: [] }
  const order: readonly Kind[] = ['untracked', 'long', 'tracked']
  // The first turn warms up.
  for (let turn = 0; turn <= turnCount; turn++) {
    for (const kind of turn % 2 === 0 ? order : order.toReversed()) {
      const { mailboxId, resume } = await arena.addMailbox(connectionCount)
      await arena.addCampaign(mailboxId, mailCount, { ...kinds[kind], hasUnsubscribe: true })
      const cpuBefore = await usedCpu()
      const startedAt = performance.now()
      await resume()
      await arena.untilLeft(0)
      const seconds = (performance.now() - startedAt) / 1000
      if (turn === 0) continue
      rates[kind].push(mailCount / seconds)
      cpuUs[kind].push(((await usedCpu()) - cpuBefore) * (1e6 / mailCount))
    }
  }
  const { rows } = await arena.database.pool.query('select from tracked_links limit 1')
  await worker.end('SIGTERM')
  if (rows.length === 0) throw new Error('the mails were not tracked')
  const median = (values: readonly number[]) => quantile(values, 0.5)
  const rate = { unit: '/s', value: median(rates.tracked) }
  const cpu = { unit: 'µs', value: median(cpuUs.tracked) }
  return [
    {
      ...rate,
      case: `sending with tracking, ${linkCount} links`,
      baseline: median(rates.untracked),
      against: 'without, in turns',
    },
    {
      ...rate,
      case: `sending with tracking, ${linkCount} links`,
      baseline: median(rates.long),
      against: 'without, as many bytes',
    },
    { ...cpu, case: 'all processes, a mail', baseline: median(cpuUs.untracked), against: 'without, in turns' },
    { ...cpu, case: 'all processes, a mail', baseline: median(cpuUs.long), against: 'without, as many bytes' },
  ]
}
