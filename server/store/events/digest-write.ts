import { eventFlags, eventKinds } from '../../../contract/results/event.ts'
import type { LinkEngagement } from '../../domain/events/engagement.ts'
import type { Classifier } from '../../domain/events/hit.ts'
import { touchSql } from '../contacts/contact-touch.sql.ts'
import { plainArray, textArray } from '../core/array-literal.ts'
import type { Queryable } from '../core/database.ts'
import type { AgentCache } from './agents.ts'
import { consumerSql, consumerValues, type Consumer } from './consumers/consumer.ts'
import type { Judged } from './digest-hits.ts'
import {
  insertEventsSql,
  insertRecentSql,
  reviseEventsSql,
  writeBreakdownSql,
  writeEngagementsSql,
  writeEventCountsSql,
  writeHitEngagementsSql,
  writeLinkClicksSql,
  writeLinkCountsSql,
  writeSourceCountsSql,
} from './digest.sql.ts'
import { factsOf, isHit, windowMs, type Figures, type Mail } from './fold.ts'
import type { DigestedEvent } from './taken.ts'

interface Ports {
  client: Queryable
  workspaceId: string
  classifier: Classifier
  agents: AgentCache
  consumers: readonly Consumer[]
  now: number
}

/** Null: nothing to do. */
type Values = readonly unknown[] | null

/** Writes a judged batch and everything that follows from it, in an order of statements that is the same for all batches. */
export async function writeDigest(judged: Judged, figures: Figures, ports: Ports): Promise<void> {
  const { client, workspaceId } = ports
  let running: Promise<unknown> = Promise.resolve()
  // The values of a statement are put together while the database is busy with the statement before.
  const send = async (name: string, text: string, valuesOf: () => Values) => {
    const values = valuesOf()
    if (values === null) return
    await running
    running = client.query({ name, text, values: [workspaceId, ...values] })
    running.catch(() => undefined) // The next statement, or the end, reports it.
  }
  try {
    await send('insert-events', insertEventsSql, () => eventValues(judged.events, ports))
    await send('revise-events', reviseEventsSql, () => revisionValues(judged))
    await send('insert-recent-hits', insertRecentSql, () => recentValues(judged.events, ports))
    await send('forget-recent-hits', forgetRecentSql, () => [windowMs])
    await writeMails(send, judged.mails)
    await writeFigures(send, figures)
    for (const consumer of ports.consumers) {
      await send(`consume-${consumer.name}`, consumerSql(consumer), () => consumerValues(consumer, judged.events))
    }
    const revised = () => (judged.revisedContactIds.length === 0 ? null : [plainArray(judged.revisedContactIds)])
    await send('revise-contacts', reviseContactsSql, revised)
    await send('touch-revised', touchRevisedSql, revised)
    await running
  } finally {
    await Promise.allSettled([running])
  }
}

type Send = (name: string, text: string, valuesOf: () => Values) => Promise<void>
type Cell = string | number | null

/** An array for each column; null without rows. */
function columnsOf<Row>(rows: readonly Row[], columns: readonly ((row: Row) => Cell)[]): string[] | null {
  return rows.length === 0 ? null : columns.map((read) => plainArray(rows.map(read)))
}

function eventValues(events: readonly DigestedEvent[], { agents, classifier }: Ports): Values {
  const plain = columnsOf(events, [
    ({ at }) => at,
    ({ seq }) => seq,
    ({ kind }) => kind,
    ({ verdict }) => verdict,
    ({ sourceId }) => sourceId,
    ({ deliveryMonth }) => deliveryMonth,
    ({ deliveryId }) => deliveryId,
    ({ contactId }) => contactId,
    ({ linkNo }) => linkNo,
    ({ agentHash }) => agents.byHash(agentHash)?.id ?? null,
    (event) => (isHit(event) ? classifier.labelOf(factsOf(event, agents)) : event.netLabel),
  ])
  return plain && [...plain, textArray(events.map(({ detail, flags }) => detailOf(detail, flags)))]
}

/** A later judgement of the hit has to know that it announced a prefetch. */
function detailOf(detail: DigestedEvent['detail'], flags: number): string | null {
  if ((flags & eventFlags.prefetch) === 0) return detail === null ? null : JSON.stringify(detail)
  return JSON.stringify({ ...detail, is_prefetch: true })
}

const revisionValues = ({ revisions }: Judged): Values =>
  columnsOf(revisions, [({ at }) => at, ({ seq }) => seq, ({ verdict }) => verdict])

/** Hits whose verdict, or that of others, can still change. Older ones are read no more. */
function recentValues(events: readonly DigestedEvent[], { agents, classifier, now }: Ports): Values {
  const recent = events.filter(
    (event) =>
      isHit(event) &&
      event.deliveryId !== null &&
      event.at >= now - windowMs &&
      classifier.dependsOnOthers(factsOf(event, agents)),
  )
  return columnsOf(recent, [
    ({ deliveryId }) => deliveryId,
    ({ seq }) => seq,
    ({ at }) => at,
    ({ kind, linkNo }) => (kind === eventKinds.clicked ? (linkNo ?? 0) : null),
    ({ agentHash }) => agents.byHash(agentHash)?.id ?? null,
    ({ net }) => net,
    ({ netLabel }) => netLabel,
  ])
}

const forgetRecentSql = `delete from recent_hits where workspace_id = $1 and at < now() - $2::float8 * interval '1 millisecond'`

async function writeMails(send: Send, mails: readonly Mail[]): Promise<void> {
  const engagements = mails
    .map(({ engagement }) => engagement)
    .sort((a, b) => (a.sourceId < b.sourceId ? -1 : a.sourceId > b.sourceId ? 1 : a.deliveryId - b.deliveryId))
  const common: ((row: (typeof engagements)[number]) => Cell)[] = [
    (row) => row.sourceId,
    (row) => row.deliveryId,
    (row) => row.deliveryMonth,
    (row) => row.contactId,
    (row) => row.variantNo,
    (row) => row.openVerdict,
    (row) => row.clickVerdict,
    (row) => row.opens,
    (row) => row.clicks,
    (row) => row.firstOpenAt,
    (row) => row.firstMachineOpenAt,
    (row) => row.firstClickAt,
    (row) => row.firstMachineClickAt,
  ]
  if (mails.some(({ isAnswered }) => isAnswered)) {
    await send('write-engagements', writeEngagementsSql, () =>
      columnsOf(engagements, [
        ...common,
        (row) => row.repliedAt,
        (row) => row.autoRepliedAt,
        (row) => row.bouncedAt,
        (row) => row.complainedAt,
        (row) => row.unsubscribedAt,
        (row) => row.bounceReason,
      ]),
    )
  } else await send('write-hit-engagements', writeHitEngagementsSql, () => columnsOf(engagements, common))
  await send('write-link-clicks', writeLinkClicksSql, () => linkValues(mails))
}

function linkValues(mails: readonly Mail[]): Values {
  const links: LinkEngagement[] = []
  for (const mail of mails) {
    for (const link of mail.links.values()) if (link.verdict !== null) links.push(link as LinkEngagement)
  }
  links.sort((a, b) =>
    a.sourceId === b.sourceId ? a.linkNo - b.linkNo || a.deliveryId - b.deliveryId : a.sourceId < b.sourceId ? -1 : 1,
  )
  return columnsOf(links, [
    (row) => row.sourceId,
    (row) => row.linkNo,
    (row) => row.deliveryId,
    (row) => row.contactId,
    (row) => row.verdict,
    (row) => row.clicks,
    (row) => row.firstAt,
    (row) => row.firstMachineAt,
  ])
}

async function writeFigures(send: Send, { sources, quarters, breakdown, links }: Figures): Promise<void> {
  await send('write-source-counts', writeSourceCountsSql, () => sources.columns(6))
  await send('write-event-counts', writeEventCountsSql, () => quarters.columns(7))
  await send('write-breakdown', writeBreakdownSql, () => breakdown.columns(5))
  await send('write-link-counts', writeLinkCountsSql, () => links.columns(5))
}

/** A verdict that was revised may decide about the members of segments. */
const touchRevisedSql = touchSql('(select unnest($2::bigint[]) as id)')

/** A verdict that was revised may have been the contact's last open or click. */
const reviseContactsSql = `
  with locked as materialized (
    select id from contacts where workspace_id = $1 and id = any($2::bigint[]) order by id for no key update
  )
  update contacts c set
    last_open_at = (
      select max(e.at) from events e where e.workspace_id = $1 and e.contact_id = c.id and e.kind = 1 and e.verdict = 1
    ),
    last_click_at = (
      select max(e.at) from events e where e.workspace_id = $1 and e.contact_id = c.id and e.kind = 2 and e.verdict = 1
    )
  from locked where c.workspace_id = $1 and c.id = locked.id`
