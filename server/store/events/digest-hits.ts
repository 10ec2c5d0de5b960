import { eventKinds, verdicts, type Verdict } from '../../../contract/results/event.ts'
import type { Engagement } from '../../domain/events/engagement.ts'
import type { Classifier } from '../../domain/events/hit.ts'
import type { Queryable } from '../core/database.ts'
import { plainArray } from '../core/array-literal.ts'
import type { AgentCache } from './agents.ts'
import { engagementsSql, hitsOfSql, linkClicksSql, recentHitsSql } from './digest.sql.ts'
import {
  addAnswer,
  addHits,
  factsOf,
  isHit,
  newMail,
  reviewMail,
  storedFacts,
  windowMs,
  type Figures,
  type LinkRow,
  type Mail,
  type Revision,
  type StoredHit,
} from './fold.ts'
import type { DigestedEvent } from './taken.ts'

interface Ports {
  client: Queryable
  workspaceId: string
  classifier: Classifier
  agents: AgentCache
  now: number
}

/** The mails that a batch changes, and what it changes about events of before. */
export interface Judged {
  events: DigestedEvent[]
  mails: Mail[]
  revisions: Revision[]
  /** Contacts whose last open or click may have been a program's. */
  revisedContactIds: number[]
}

interface Group {
  mail: Mail
  hits: DigestedEvent[]
  answers: DigestedEvent[]
}

const run = async <Row>(client: Queryable, name: string, text: string, values: unknown[]): Promise<Row[]> => {
  const { rows } = await client.query({ name, text, values })
  return rows as Row[]
}

/** Judges the opens and clicks of a batch and adds all of its events to their mails and to the figures. */
export async function judgeEvents(events: readonly DigestedEvent[], figures: Figures, ports: Ports): Promise<Judged> {
  const groups = await groupByMail(events, ports)
  const reviewed = await judgeGroups(groups, ports)
  for (const event of events) {
    if (isHit(event) && event.deliveryId === null) {
      event.verdict = ports.classifier.judge([factsOf(event, ports.agents)], { acceptedAt: null })[0] ?? verdicts.human
    }
  }
  const stored = await loadStored(reviewed, ports)
  await loadLinks(groups, stored, ports)
  const revisions: Revision[] = []
  const revisedContactIds = new Set<number>()
  const dropped = new Set<DigestedEvent>()
  for (const group of groups.values()) {
    const { mail, hits, answers } = group
    for (const event of answers) if (!addAnswer(mail, event)) dropped.add(event)
    const earlier = stored.get(mail.engagement.deliveryId)
    if (reviewed.includes(group) && earlier !== undefined) {
      const changed = reviewMail(mail, earlier, hits, ports)
      for (const { at, seq, verdict, was, linkNo } of changed) {
        const kind = linkNo === null ? eventKinds.opened : eventKinds.clicked
        const { sourceId, variantNo, contactId } = mail.engagement
        figures.addEvents(sourceId, variantNo, kind, was, at, -1)
        figures.addEvents(sourceId, variantNo, kind, verdict, at, 1)
        addLinkEvents(figures, mail, linkNo, was, -1)
        addLinkEvents(figures, mail, linkNo, verdict, 1)
        revisions.push({ at, seq, verdict })
        if (contactId !== null) revisedContactIds.add(contactId)
      }
    } else addHits(mail, hits)
    figures.addPeople(mail)
    for (const { linkNo, verdict } of hits) addLinkEvents(figures, mail, linkNo, verdict, 1)
  }
  const kept = events.filter((event) => !dropped.has(event))
  for (const { sourceId, kind, verdict, at, isUncounted } of kept) {
    if (sourceId !== null && isUncounted !== true) figures.addEvents(sourceId, 0, kind, verdict, at, 1)
  }
  return {
    events: kept,
    mails: [...groups.values()].map(({ mail }) => mail),
    revisions,
    revisedContactIds: [...revisedContactIds],
  }
}

function addLinkEvents(figures: Figures, mail: Mail, linkNo: number | null, verdict: Verdict | null, n: number): void {
  if (linkNo === null || mail.campaignId === null) return
  figures.links.add([mail.engagement.sourceId, linkNo, verdict ?? verdicts.human], n, 0)
}

/** Events with a mail, by mail; with what the database knows of it. */
async function groupByMail(
  events: readonly DigestedEvent[],
  { client, workspaceId }: Ports,
): Promise<Map<number, Group>> {
  const ofMails = events.filter(
    ({ deliveryId, sourceId, kind }) => deliveryId !== null && sourceId !== null && changesMail(kind),
  )
  const keys = new Map(ofMails.map(({ deliveryId, sourceId }) => [deliveryId, sourceId]))
  const known = new Map<number, Engagement>()
  if (keys.size > 0) {
    const rows = await run<Engagement>(client, 'digest-engagements', engagementsSql, [
      workspaceId,
      plainArray([...keys.values()]),
      plainArray([...keys.keys()]),
    ])
    for (const row of rows) known.set(row.deliveryId, row)
  }
  const groups = new Map<number, Group>()
  for (const event of ofMails) {
    const id = event.deliveryId ?? 0
    const group = groups.get(id) ?? { mail: newMail(event, known.get(id)), hits: [], answers: [] }
    groups.set(id, group)
    if (isHit(event)) group.hits.push(event)
    else group.answers.push(event)
  }
  return groups
}

/** Up to `unsubscribed`, without delays, which change nothing. */
const changesMail = (kind: number): boolean => kind <= eventKinds.unsubscribed && kind !== eventKinds.delayed

/** Gives the hits of a batch their verdicts. Returns the mails whose earlier hits have to be judged again. */
async function judgeGroups(groups: ReadonlyMap<number, Group>, ports: Ports): Promise<Group[]> {
  const { client, workspaceId, classifier, agents, now } = ports
  const clicked = [...groups.entries()].filter(([, { hits }]) =>
    hits.some((hit) => classifier.dependsOnOthers(factsOf(hit, agents))),
  )
  const recent = Map.groupBy(
    clicked.length === 0
      ? []
      : await run<StoredHit>(client, 'digest-recent-hits', recentHitsSql, [
          workspaceId,
          plainArray(clicked.map(([id]) => id)),
          now - windowMs,
        ]),
    ({ deliveryId }) => deliveryId,
  )
  await agents.load(
    [],
    [...recent.values()].flat().map(({ agentId }) => agentId),
    client,
  )
  const reviewed: Group[] = []
  for (const [id, group] of groups) {
    const { hits, mail } = group
    if (hits.length === 0) continue
    const earlier = recent.get(id) ?? []
    const facts = [...earlier.map((hit) => storedFacts(hit, agents)), ...hits.map((hit) => factsOf(hit, agents))]
    const judged = classifier.judge(facts, mail)
    for (const [index, hit] of hits.entries()) hit.verdict = judged[earlier.length + index] ?? verdicts.human
    const isRevised = earlier.some(({ verdict }, index) => judged[index] !== verdict)
    const isClickedByPerson = hits.some(
      ({ kind, verdict }) => kind === eventKinds.clicked && verdict === verdicts.human,
    )
    if (isRevised || (isClickedByPerson && mail.engagement.firstMachineOpenAt !== null)) reviewed.push(group)
  }
  return reviewed
}

async function loadStored(reviewed: readonly Group[], ports: Ports): Promise<Map<number, StoredHit[]>> {
  const { client, workspaceId, agents, now } = ports
  if (reviewed.length === 0) return new Map()
  const mails = reviewed.map(({ mail }) => mail.engagement)
  const rows = await run<StoredHit>(client, 'digest-hits-of-mails', hitsOfSql, [
    workspaceId,
    mails.map(({ deliveryId }) => deliveryId),
    mails.map(({ contactId }, index) => contactId ?? reviewed[index]?.hits[0]?.contactId ?? null),
    mails.map(({ deliveryMonth }) => deliveryMonth),
  ])
  await agents.load(
    [],
    rows.map(({ agentId }) => agentId),
    client,
  )
  // Networks are kept for a minute, apart from the events.
  const recent = await run<StoredHit>(client, 'digest-recent-hits', recentHitsSql, [
    workspaceId,
    mails.map(({ deliveryId }) => deliveryId),
    now - windowMs,
  ])
  const nets = new Map(recent.map(({ seq, net }) => [seq, net]))
  for (const row of rows) row.net = nets.get(row.seq) ?? null
  return Map.groupBy(rows, ({ deliveryId }) => deliveryId)
}

/** Reads the clicks by link of the mails that have clicks in this batch or are judged again. */
async function loadLinks(
  groups: ReadonlyMap<number, Group>,
  stored: ReadonlyMap<number, readonly StoredHit[]>,
  { client, workspaceId }: Ports,
): Promise<void> {
  const keys = [...groups.values()].flatMap(({ mail, hits }) => {
    if (mail.campaignId === null) return []
    const { sourceId, deliveryId } = mail.engagement
    const linkNos = [...hits, ...(stored.get(deliveryId) ?? [])].flatMap(({ linkNo }) => linkNo ?? [])
    return [...new Set(linkNos)].map((linkNo) => ({ sourceId, deliveryId, linkNo }))
  })
  if (keys.length === 0) return
  const rows = await run<LinkRow>(client, 'digest-link-clicks', linkClicksSql, [
    workspaceId,
    plainArray(keys.map(({ sourceId }) => sourceId)),
    plainArray(keys.map(({ deliveryId }) => deliveryId)),
    plainArray(keys.map(({ linkNo }) => linkNo)),
  ])
  for (const row of rows) {
    const mail = groups.get(row.deliveryId)?.mail
    mail?.links.set(row.linkNo, row)
    if (row.verdict !== null) mail?.linksBefore.set(row.linkNo, row.verdict)
  }
}
