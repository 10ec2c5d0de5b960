import type { Pool } from 'pg'
import { createReportStore } from '../../server/store/reports/report.ts'
import { createRecipientList } from '../../server/store/campaigns/recipient-list.ts'
import { addressHashSql } from '../../server/store/campaigns/audience.sql.ts'
import { createMailRows } from '../../tests/support/mail-rows.ts'
import { createArena } from '../engine/arena.ts'
import { quantile, type Figure } from '../report.ts'
import { addMonth, dropFigures } from './month.ts'

type Row = Omit<Figure, 'bench'>

const recipientCount = 1_000_000
const runCount = 20
const pageCount = 100
const pageLimitMs = 200
const addressLimitMs = 50
const none = { act: null, state: null, search: null, domain: null, mailboxId: null, linkNo: null, bounceReason: null }

/** Report and recipients of a campaign with a million mails and a million opens, and the end of their month. */
export async function millionFigures(): Promise<Row[]> {
  await using arena = await createArena()
  const { pool } = arena.database
  const { scope, campaignId, firstId } = await addCampaign(pool)
  await addMonth(pool, scope.workspaceId)
  const report = createReportStore(pool)
  const recipients = createRecipientList(pool)
  const place = (run: number) => firstId + Math.floor((recipientCount * run) / (runCount + 1))
  const list = (filter: Partial<Parameters<typeof recipients.list>[2]>) =>
    recipients.list(scope, campaignId, { ...none, limit: pageCount, offset: 0, knownTotal: recipientCount, ...filter })
  const page = { unit: 'ms', baseline: pageLimitMs, against: 'limit' }
  const rows: Row[] = [
    { case: 'report', value: await worst(() => report.read(scope, campaignId)), ...page },
    { case: 'recipients, any page', value: await worst((run) => list({ afterId: place(run) })), ...page },
    {
      case: 'those who clicked, any page',
      value: await worst((run) => list({ act: 'clicked', afterId: place(run) })),
      ...page,
    },
    {
      case: 'those who did not open, any page',
      value: await worst((run) => list({ act: 'not_opened', afterId: place(run) })),
      ...page,
    },
    {
      case: 'a recipient by address',
      value: await worst((run) =>
        list({ search: `person${run * 49_999 + 1}@mail${(run * 49_999 + 1) % 200}.example` }),
      ),
      unit: 'ms',
      baseline: addressLimitMs,
      against: 'limit',
    },
  ]
  return [...rows, ...(await dropFigures(pool))]
}

/** The slowest run, in ms, after one that fills the cache. */
async function worst(work: (run: number) => Promise<unknown>): Promise<number> {
  const taken: number[] = []
  for (let run = 0; run <= runCount; run++) {
    const startedAt = performance.now()
    await work(run)
    if (run > 0) taken.push(performance.now() - startedAt)
  }
  return quantile(taken, 1)
}

/** A third opened, a third of the mails was opened by machines, a tenth clicked. */
async function addCampaign(pool: Pool) {
  const rows = await createMailRows(pool)
  const { workspaceId, scope } = rows
  const mailboxId = await rows.addMailbox()
  const campaignId = await rows.addCampaign('sending')
  const messageId = await rows.addMessage(mailboxId, [], { campaignId })
  const { rows: first } = await pool.query<{ id: number }>(
    `with added as (
       insert into deliveries (month, workspace_id, message_id, config_id, campaign_id, recipient, state, settled_at)
       select date_trunc('month', now() at time zone 'utc')::date, $1, $2, $3, $4,
         'person' || n || '@mail' || n % 200 || '.example', 'sent', now() - interval '1 hour'
       from generate_series(1, $5::int) as n returning id
     ) select min(id) as id from added`,
    [workspaceId, messageId, mailboxId, campaignId, recipientCount],
  )
  const key = [workspaceId, campaignId]
  await pool.query(
    `insert into campaign_recipients (workspace_id, campaign_id, address_hash, delivery_month, delivery_id)
     select $1, $2, ${addressHashSql('recipient')}, month, id from deliveries where workspace_id = $1 and campaign_id = $2`,
    key,
  )
  await pool.query(
    `insert into engagements (workspace_id, source_id, delivery_id, delivery_month, open_verdict, click_verdict, opens, clicks,
       first_open_at, first_machine_open_at, first_click_at)
     select $1, $2, id, month, case id % 3 when 0 then 1 when 1 then 3 end, case when id % 10 = 0 then 1 end,
       (id % 3 = 0)::int, (id % 10 = 0)::int, now(), now(), now()
     from deliveries where workspace_id = $1 and campaign_id = $2`,
    key,
  )
  await pool.query(
    `insert into events (workspace_id, at, seq, kind, verdict, source_id, delivery_month, delivery_id)
     select $1, now() - (id % 3600) * interval '1 second', id, 1, 1 + 2 * (id % 2), $2, month, id
     from deliveries where workspace_id = $1 and campaign_id = $2`,
    key,
  )
  await pool.query(
    `insert into source_counts (workspace_id, source_id, kind, verdict, n, people)
     select $1, $2, kind, verdict, 333333, 333333 from unnest(array[1, 2, 18]) as kind, unnest(array[1, 3]) as verdict`,
    key,
  )
  await pool.query(
    `insert into event_counts (workspace_id, source_id, quarter_at, kind, verdict, n, people)
     select $1, $2, date_bin('15 minutes', now(), 'epoch') - n * interval '15 minutes', kind, verdict, 100, 100
     from generate_series(1, 2880) as n, unnest(array[1, 2]) as kind, unnest(array[1, 3]) as verdict`,
    key,
  )
  await pool.query(
    `insert into breakdown_counts (workspace_id, source_id, dimension, value, kind, people)
     select $1, $2, 'domain', 'mail' || n || '.example', kind, 5000 from generate_series(0, 199) as n, unnest(array[1, 2, 18]) as kind`,
    key,
  )
  for (const table of [
    'deliveries',
    'engagements',
    'campaign_recipients',
    'events',
    'breakdown_counts',
    'event_counts',
  ])
    await pool.query(`vacuum analyze ${table}`)
  return { scope, campaignId, firstId: first[0]?.id ?? 0 }
}
