import type { TestServer } from './server.ts'

/** What became of one mail of a campaign, and when. */
export interface Engagement {
  opened?: Date
  machineOpened?: Date
  clicked?: Date
  machineClicked?: Date
  bounced?: { at: Date; reason: string }
  complained?: Date
  unsubscribed?: Date
  replied?: Date
  /** Links that were clicked, each once. */
  links?: readonly number[]
}

interface Source {
  workspaceId: string
  campaignId: string
}

/** Writes what the digest derives from events: rows of mails and the counts of the campaign. */
export async function writeEngagements(
  server: Pick<TestServer, 'sql'>,
  { workspaceId, campaignId }: Source,
  byRecipient: Readonly<Record<string, Engagement>>,
): Promise<void> {
  const deliveries = await server.sql<{ id: number; recipient: string }>(
    'select id::int, recipient from deliveries where workspace_id = $1 and campaign_id = $2',
    [workspaceId, campaignId],
  )
  for (const { id, recipient } of deliveries) {
    const act = byRecipient[recipient]
    if (act) await writeRow(server, { workspaceId, campaignId }, id, act)
  }
  await server.sql('delete from source_counts where workspace_id = $1 and source_id = $2', [workspaceId, campaignId])
  await server.sql('delete from event_counts where workspace_id = $1 and source_id = $2', [workspaceId, campaignId])
  await server.sql('delete from breakdown_counts where workspace_id = $1 and source_id = $2', [workspaceId, campaignId])
  await server.sql('delete from link_counts where workspace_id = $1 and source_id = $2', [workspaceId, campaignId])
  const key = [workspaceId, campaignId]
  await server.sql(
    `insert into source_counts (workspace_id, source_id, kind, verdict, n, people)
     select $1, $2, kind, verdict, count(*), count(*) from (${actsSql}) acts group by kind, verdict`,
    key,
  )
  await server.sql(
    `insert into event_counts (workspace_id, source_id, quarter_at, kind, verdict, n, people)
     select $1, $2, date_bin('15 minutes', at, 'epoch'), kind, verdict, count(*), count(*)
     from (${actsSql}) acts group by 3, kind, verdict`,
    key,
  )
  for (const [dimension, value] of [
    ['domain', `split_part(d.recipient, '@', 2)`],
    ['mailbox', 'd.config_id::text'],
  ]) {
    await server.sql(
      `insert into breakdown_counts (workspace_id, source_id, dimension, value, kind, people)
       select $1, $2, '${dimension}', ${value}, kind, count(*) from (
         ${actsSql} union all
         select 18, 1, d.settled_at, d.id from deliveries d
         where d.workspace_id = $1 and d.campaign_id = $2 and d.state = 'sent'
       ) acts join deliveries d on d.workspace_id = $1 and d.id = acts.delivery_id
       where verdict = 1 group by 4, kind`,
      key,
    )
  }
  await server.sql(
    `insert into link_counts (workspace_id, source_id, link_no, verdict, clicks, people)
     select $1, $2, link_no, verdict, count(*), count(*) from link_clicks
     where workspace_id = $1 and source_id = $2 group by link_no, verdict`,
    key,
  )
}

async function writeRow(
  server: Pick<TestServer, 'sql'>,
  { workspaceId, campaignId }: Source,
  id: number,
  act: Engagement,
): Promise<void> {
  await server.sql(
    `insert into engagements (workspace_id, source_id, delivery_id, delivery_month, contact_id, open_verdict, click_verdict,
       opens, clicks, first_open_at, first_machine_open_at, first_click_at, first_machine_click_at, bounced_at,
       bounce_reason, complained_at, unsubscribed_at, replied_at)
     select $1, $2, d.id, d.month, d.contact_id,
       case when $4::timestamptz is not null then 1 when $5::timestamptz is not null then 3 end,
       case when $6::timestamptz is not null then 1 when $7::timestamptz is not null then 3 end,
       ($4 is not null)::int, ($6 is not null)::int, $4, $5, $6, $7, $8, $9, $10, $11, $12
     from deliveries d where d.workspace_id = $1 and d.campaign_id = $2 and d.id = $3
     on conflict (workspace_id, source_id, delivery_id) do update set open_verdict = excluded.open_verdict,
       click_verdict = excluded.click_verdict, first_open_at = excluded.first_open_at,
       first_machine_open_at = excluded.first_machine_open_at, first_click_at = excluded.first_click_at,
       first_machine_click_at = excluded.first_machine_click_at, replied_at = excluded.replied_at`,
    [
      workspaceId,
      campaignId,
      id,
      act.opened ?? null,
      act.machineOpened ?? null,
      act.clicked ?? null,
      act.machineClicked ?? null,
      act.bounced?.at ?? null,
      act.bounced?.reason ?? null,
      act.complained ?? null,
      act.unsubscribed ?? null,
      act.replied ?? null,
    ],
  )
  await server.sql('delete from link_clicks where workspace_id = $1 and source_id = $2 and delivery_id = $3', [
    workspaceId,
    campaignId,
    id,
  ])
  for (const no of act.links ?? []) {
    await server.sql(
      `insert into link_clicks (workspace_id, source_id, delivery_id, link_no, verdict, clicks, first_at)
       values ($1, $2, $3, $4, $5, 1, $6) on conflict do nothing`,
      [workspaceId, campaignId, id, no, act.clicked ? 1 : 3, act.clicked ?? act.machineClicked ?? null],
    )
  }
}

/** One row for each act of each mail: kind, verdict, time and delivery. */
const actsSql = `
  select kind, verdict, at, delivery_id from engagements e cross join lateral (values
    (1, e.open_verdict, coalesce(e.first_open_at, e.first_machine_open_at)),
    (2, e.click_verdict, coalesce(e.first_click_at, e.first_machine_click_at)),
    (3, 1, e.replied_at), (5, 1, e.bounced_at), (7, 1, e.complained_at), (8, 1, e.unsubscribed_at)
  ) as act (kind, verdict, at)
  where e.workspace_id = $1 and e.source_id = $2 and act.at is not null`
