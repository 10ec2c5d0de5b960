import { createHash, randomUUID } from 'node:crypto'
import { eventFlags, eventKinds } from '../../contract/results/event.ts'
import type { Hit } from '../../server/domain/events/new-event.ts'
import type { Database } from '../../server/store/core/database.ts'
import { consumers } from '../../server/store/events/consumers/all.ts'
import type { Consumer } from '../../server/store/events/consumers/consumer.ts'
import { createDigestStore, type DigestOutcome } from '../../server/store/events/digest.ts'
import { createDigestLeaseStore } from '../../server/store/events/digest-lease.ts'
import { writeHits } from '../../server/store/events/inbox.ts'
import { describeAgent } from '../../server/tracking/agent.ts'
import { classifier } from '../../server/tracking/classify.ts'
import { defaultNetworks } from '../../server/tracking/default-networks.ts'
import { readNetworks } from '../../server/tracking/networks.ts'
import { createDigestRunner, digestBatchCount } from '../../server/usecases/digest/digest-runner.ts'
import { createMailRows } from './mail-rows.ts'
import { scopeOf, systemScope } from './scope.ts'

export const agentTexts = {
  firefox: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
  chrome:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  android:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  gmail: 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  gmailPrefetch:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0',
  yahoo: 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
  outlook: 'Mozilla/5.0 (compatible; OutlookImageProxy)',
  apple: 'Mozilla/5.0',
  whatsapp: 'WhatsApp/2.24.20.89 A',
  slack: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
} as const

/** What a mail client did. */
export interface Act {
  /** Number of the recipient. */
  who: number
  /** Milliseconds after the mail server took the mails. */
  afterMs: number
  link?: number
  agent?: keyof typeof agentTexts
  net?: string
  netLabel?: number | null
  isPrefetch?: boolean
}

export interface Figure {
  n: number
  people: number
}

const agents = Object.fromEntries(Object.entries(agentTexts).map(([name, text]) => [name, describeAgent(text)]))

/** The label of an address by a networks file. */
export const networkLabel = (file: string, address: string): number | null => readNetworks(file)(address)

/** The label of an address by the list of the product. */
export const listedNetworkLabel = readNetworks(defaultNetworks)

/** The digest with the rules of the product. */
export const digestsOf = ({ pool }: Pick<Database, 'pool'>, given: readonly Consumer[] = consumers) =>
  createDigestStore({ pool }, { classifier, consumers: given })

/** A campaign whose mails were taken `acceptedAgoMs` ago, one contact each. */
export async function createEventWorld(
  { pool }: Database,
  {
    count = 10,
    acceptedAgoMs = 300_000,
    state = 'sent',
  }: { count?: number; acceptedAgoMs?: number; state?: string } = {},
) {
  const rows = await createMailRows(pool)
  const { workspaceId } = rows
  const mailboxId = await rows.addMailbox()
  const campaignId = await rows.addCampaign('sending')
  const emails = Array.from({ length: count }, (_, at) => `person${at}@${at % 2 === 0 ? 'example.com' : 'example.org'}`)
  await pool.query(
    `insert into contacts (workspace_id, email, email_key, source, created_at, updated_at)
     select $1, email, email, 'api', now(), now() from unnest($2::text[]) as email`,
    [workspaceId, emails],
  )
  const messageId = await rows.addMessage(mailboxId, emails, { campaignId })
  // Statistics that do not know the workspace let the planner read all of its contacts for each mail.
  if (count > 1000) await pool.query('analyze contacts, deliveries')
  const { rows: settled } = await pool.query<{ id: number; month: string; at: Date; recipient: string }>(
    `update deliveries d set state = $3, settled_at = case when $3 in ('sent', 'failed') then now() - $4::float8 * interval '1 millisecond' end,
       contact_id = (select c.id from contacts c where c.workspace_id = $1 and c.email_key = d.recipient)
     where d.workspace_id = $1 and d.message_id = $2
     returning d.id, d.month::text, coalesce(settled_at, now() - $4::float8 * interval '1 millisecond') as at, d.recipient`,
    [workspaceId, messageId, state, acceptedAgoMs],
  )
  const places = new Map(emails.map((email, at) => [email, at]))
  const deliveries = settled.sort((a, b) => (places.get(a.recipient) ?? 0) - (places.get(b.recipient) ?? 0))
  const acceptedAt = deliveries[0]?.at.getTime() ?? 0
  const scope = scopeOf(workspaceId)
  const leases = createDigestLeaseStore({ pool })
  let byteOffset = 0

  const hitOf = ({ who, afterMs, link, agent = 'firefox', net, netLabel = null, isPrefetch = false }: Act): Hit => ({
    workspaceId,
    at: new Date(acceptedAt + afterMs),
    kind: link === undefined ? 'opened' : 'clicked',
    messageId,
    deliveryMonth: deliveries[who]?.month ?? null,
    deliveryId: deliveries[who]?.id ?? null,
    linkNo: link ?? null,
    agentHash: agents[agent]?.hash ?? Buffer.alloc(8),
    netHash: createHash('sha256')
      .update(net ?? `net of ${who}`)
      .digest()
      .subarray(0, 8),
    netLabel,
    flags: isPrefetch ? eventFlags.prefetch : 0,
  })

  const runnerOf = (
    given: readonly Consumer[] = consumers,
    onParked: (error: unknown) => void = () => undefined,
    onDigested: (outcome: DigestOutcome) => void = () => undefined,
  ) =>
    createDigestRunner({
      digests: digestsOf({ pool }, given),
      leases,
      listWaiting: () => leases.listWaiting(systemScope),
      scopeOf,
      holder: randomUUID(),
      newId: randomUUID,
      onDigested,
      onParked: (_workspaceId, error) => onParked(error),
      onError: (error) => {
        throw error
      },
      isUnavailable: () => false,
    })

  return {
    rows,
    scope,
    workspaceId,
    mailboxId,
    campaignId,
    messageId,
    deliveries,
    emails,
    acceptedAt,
    leases,
    runnerOf,

    /** Puts hits into the inbox, as the door does. */
    async act(...acts: readonly Act[]): Promise<void> {
      byteOffset += 100
      const position = { writer: workspaceId, segment: 1, byteOffset }
      await writeHits(systemScope, { hits: acts.map(hitOf), agents: Object.values(agents), position }, pool)
    },

    /** Digests batches until nothing waits. */
    async digest(given: readonly Consumer[] = consumers): Promise<void> {
      const digests = digestsOf({ pool }, given)
      const lease = { token: randomUUID() }
      if (!(await leases.take(scope, 'test', lease))) throw new Error('The lease is taken')
      for (;;) {
        const { takenCount, waitingCount } = await digests.digest(scope, lease, digestBatchCount, null)
        if (takenCount === waitingCount) break
      }
      await leases.release(scope, lease)
    },

    /** The figures of the campaign, such as `opened 1`: kind and verdict. */
    async figures(): Promise<Record<string, Figure>> {
      const { rows: counted } = await pool.query<Figure & { kind: number; verdict: number }>(
        `select kind, verdict, n, people from source_counts where workspace_id = $1 and source_id = $2 and (n <> 0 or people <> 0)
         order by kind, verdict`,
        [workspaceId, campaignId],
      )
      return Object.fromEntries(
        counted.map(({ kind, verdict, n, people }) => [`${nameOf(kind)} ${verdict}`, { n, people }]),
      )
    },

    waitingCount: async () => {
      const { rows: left } = await pool.query<{ count: number }>(
        'select count(*)::int as count from event_inbox where workspace_id = $1',
        [workspaceId],
      )
      return left[0]?.count ?? 0
    },

    /** Each table of figures beside the same figures counted from the events. */
    async recount(): Promise<{ counted: unknown[]; fromEvents: unknown[] }> {
      const read = async (sql: string) => {
        const found = await pool.query<Record<string, unknown>>(sql, [workspaceId, campaignId])
        return found.rows
      }
      return {
        counted: await Promise.all([
          read(
            `select kind, verdict, n, people from source_counts
             where workspace_id = $1 and source_id = $2 and kind <> 18 and (n <> 0 or people <> 0) order by 1, 2`,
          ),
          read(
            `select quarter_at, kind, verdict, n, people from event_counts
             where workspace_id = $1 and source_id = $2 and kind <> 18 and (n <> 0 or people <> 0) order by 1, 2, 3`,
          ),
          read(
            `select dimension, value, kind, people from breakdown_counts
             where workspace_id = $1 and source_id = $2 and kind <> 18 and people <> 0 order by 1, 2, 3`,
          ),
          read(
            `select link_no, verdict, clicks, people from link_counts
             where workspace_id = $1 and source_id = $2 and (clicks <> 0 or people <> 0) order by 1, 2`,
          ),
          read(
            `select delivery_id, opens, clicks, open_verdict, click_verdict from engagements
             where workspace_id = $1 and source_id = $2 order by 1`,
          ),
          read(
            `select link_no, delivery_id, verdict, clicks from link_clicks where workspace_id = $1 and source_id = $2 order by 1, 2`,
          ),
        ]),
        fromEvents: await Promise.all([
          read(`with ${recountPart} select kind, verdict, sum(n)::bigint as n, sum(people)::bigint as people
            from figure group by 1, 2 order by 1, 2`),
          read(`with ${recountPart} select quarter_at, kind, verdict, sum(n)::bigint as n, sum(people)::bigint as people
            from figure group by 1, 2, 3 order by 1, 2, 3`),
          read(`with ${recountPart} select part.dimension, part.value, kind, count(*) as people
            from best join deliveries d on d.workspace_id = $1 and d.id = best.delivery_id
              cross join lateral (values ('domain', split_part(lower(d.recipient), '@', 2)), ('mailbox', d.config_id::text))
                as part (dimension, value)
            where best.verdict = 1 group by 1, 2, 3 order by 1, 2, 3`),
          read(`with of_link as (
              select link_no, delivery_id, min(verdict) as verdict from events
              where workspace_id = $1 and source_id = $2 and kind = 2 group by 1, 2
            )
            select link_no, verdict, sum(clicks)::bigint as clicks, sum(people)::bigint as people from (
              select link_no, verdict, 1 as clicks, 0 as people from events where workspace_id = $1 and source_id = $2 and kind = 2
              union all select link_no, verdict, 0, 1 from of_link
            ) as one group by 1, 2 order by 1, 2`),
          read(`select delivery_id, (count(*) filter (where kind = 1 and verdict = 1))::int as opens,
              (count(*) filter (where kind = 2 and verdict = 1))::int as clicks,
              min(verdict) filter (where kind = 1) as open_verdict, min(verdict) filter (where kind = 2) as click_verdict
            from events where workspace_id = $1 and source_id = $2 and delivery_id is not null group by 1 order by 1`),
          read(`select link_no, delivery_id, min(verdict) as verdict, (count(*) filter (where verdict = 1))::int as clicks
            from events where workspace_id = $1 and source_id = $2 and kind = 2 group by 1, 2 order by 1, 2`),
        ]),
      }
    },
  }
}

export type EventWorld = Awaited<ReturnType<typeof createEventWorld>>

const nameOf = (kind: number) => Object.entries(eventKinds).find(([, no]) => no === kind)?.[0] ?? String(kind)

/** `best`: the best verdict of each mail by kind and its first event; `figure`: what events and mails add to the figures. */
const recountPart = `
  one as (
    select kind, coalesce(verdict, 1) as verdict, at, delivery_id,
      date_bin('15 minutes', at, '2000-01-01 00:00:00+00') as quarter_at
    from events where workspace_id = $1 and source_id = $2
  ), lowest as (
    select kind, delivery_id, min(verdict) as verdict from one where delivery_id is not null and kind <> 6 group by 1, 2
  ), best as (
    select l.kind, l.delivery_id, l.verdict, min(o.at) as at from lowest l
      join one o on o.kind = l.kind and o.delivery_id = l.delivery_id
        and (l.verdict = 1 and o.verdict = 1 or l.verdict > 1 and o.verdict > 1)
    group by 1, 2, 3
  ), figure as (
    select quarter_at, kind, verdict, 1 as n, 0 as people from one
    union all
    select date_bin('15 minutes', at, '2000-01-01 00:00:00+00'), kind, verdict, 0, 1 from best
  )`
