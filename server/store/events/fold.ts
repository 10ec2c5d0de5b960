import { eventFlags, eventKinds, verdicts, type Verdict } from '../../../contract/results/event.ts'
import {
  addHit,
  addLinkHit,
  clearHits,
  newEngagement,
  quarterOf,
  sharesOf,
  type Engagement,
  type LinkEngagement,
  type Share,
} from '../../domain/events/engagement.ts'
import type { Classifier, HitFacts, JudgedHit } from '../../domain/events/hit.ts'
import { Tally } from '../../domain/events/tally.ts'
import type { AgentCache } from './agents.ts'
import type { DigestedEvent } from './taken.ts'

/** How long later hits can change a verdict. */
export const windowMs = 60_000

export type LinkRow = Omit<LinkEngagement, 'verdict'> & { verdict: Verdict | null }

/** A hit of before, as the database has it. */
export interface StoredHit {
  deliveryId: number
  seq: number
  at: number
  linkNo: number | null
  agentId: number | null
  net?: string | null
  netLabel: number | null
  verdict: Verdict
  detail?: { is_prefetch?: boolean } | null
}

/** An event whose verdict changes. */
export interface Revision {
  at: number
  seq: number
  verdict: Verdict
}

/** The mail of some events, before and after them. */
export interface Mail {
  engagement: Engagement
  before: Share[]
  /** Whether the batch has events of it other than opens and clicks. */
  isAnswered: boolean
  links: Map<number, LinkRow>
  linksBefore: Map<number, Verdict>
  acceptedAt: number | null
  campaignId: string | null
  mailboxId: string
  domain: string
}

/** What a batch changes in the figures. */
export class Figures {
  readonly sources = new Tally<readonly [sourceId: string, variantNo: number, kind: number, verdict: number]>()
  readonly quarters = new Tally<
    readonly [sourceId: string, variantNo: number, quarterAt: number, kind: number, verdict: number]
  >()
  readonly breakdown = new Tally<readonly [sourceId: string, dimension: string, value: string, kind: number]>()
  readonly links = new Tally<readonly [sourceId: string, linkNo: number, verdict: number]>()

  /** Adds `n` events. */
  addEvents(sourceId: string, variantNo: number, kind: number, verdict: Verdict | null, at: number, n: number): void {
    const known = verdict ?? verdicts.human
    this.sources.add([sourceId, variantNo, kind, known], n, 0)
    this.quarters.add([sourceId, variantNo, quarterOf(at), kind, known], n, 0)
  }

  /** Adds what the mail has become part of, and takes away what it was part of. */
  addPeople({ engagement, before, links, linksBefore, mailboxId, domain }: Mail): void {
    const after = sharesOf(engagement)
    for (const share of before) {
      if (!after.some((other) => isSameShare(share, other))) this.#addShare(engagement, share, -1, mailboxId, domain)
    }
    for (const share of after) {
      if (!before.some((other) => isSameShare(share, other))) this.#addShare(engagement, share, 1, mailboxId, domain)
    }
    for (const [linkNo, { verdict }] of links) {
      const old = linksBefore.get(linkNo)
      if (old !== undefined) this.links.add([engagement.sourceId, linkNo, old], 0, -1)
      if (verdict !== null) this.links.add([engagement.sourceId, linkNo, verdict], 0, 1)
    }
  }

  #addShare(
    { sourceId, variantNo }: Engagement,
    share: Share,
    people: number,
    mailboxId: string,
    domain: string,
  ): void {
    const { kind, verdict, quarterAt } = share
    this.sources.add([sourceId, variantNo, kind, verdict], 0, people)
    this.quarters.add([sourceId, variantNo, quarterAt, kind, verdict], 0, people)
    if (verdict !== verdicts.human) return
    this.breakdown.add([sourceId, 'domain', domain, kind], people)
    this.breakdown.add([sourceId, 'mailbox', mailboxId, kind], people)
  }
}

const isSameShare = (one: Share, other: Share): boolean =>
  one.kind === other.kind && one.verdict === other.verdict && one.quarterAt === other.quarterAt

export const isHit = ({ kind }: { kind: number }): boolean => kind === eventKinds.opened || kind === eventKinds.clicked

/** The facts of an event of this batch. */
export const factsOf = (event: DigestedEvent, agents: AgentCache): HitFacts => ({
  at: event.at,
  linkNo: event.kind === eventKinds.clicked ? (event.linkNo ?? 0) : null,
  agent: agents.byHash(event.agentHash),
  net: event.net,
  netLabel: event.netLabel,
  isPrefetch: (event.flags & eventFlags.prefetch) !== 0,
})

/** The facts of a hit of before. */
export const storedFacts = (hit: StoredHit, agents: AgentCache): JudgedHit => ({
  at: hit.at,
  linkNo: hit.linkNo,
  agent: agents.byId(hit.agentId),
  net: hit.net ?? null,
  netLabel: hit.netLabel,
  isPrefetch: hit.detail?.is_prefetch === true,
  verdict: hit.verdict,
})

/** Adds hits of one mail whose earlier ones keep their verdicts. */
export function addHits(mail: Mail, hits: readonly DigestedEvent[]): void {
  for (const { kind, at, linkNo, verdict } of hits) {
    const judged = verdict ?? verdicts.human
    const isClick = kind === eventKinds.clicked
    addHit(mail.engagement, isClick, judged, at)
    if (isClick && linkNo !== null) addToLink(mail, linkNo, judged, at)
  }
}

function addToLink(mail: Mail, linkNo: number, verdict: Verdict, at: number): void {
  if (mail.campaignId === null) return
  const link = mail.links.get(linkNo) ?? newLink(mail.engagement, linkNo)
  mail.links.set(linkNo, link)
  const judged: LinkEngagement = { ...link, verdict: link.verdict ?? verdict }
  addLinkHit(judged, verdict, at)
  Object.assign(link, judged)
}

const newLink = ({ sourceId, deliveryId, contactId }: Engagement, linkNo: number): LinkRow => ({
  sourceId,
  linkNo,
  deliveryId,
  contactId,
  verdict: null,
  clicks: 0,
  firstAt: null,
  firstMachineAt: null,
})

/** Judges all hits of a mail again. Returns the earlier ones whose verdict changes; those of the batch get theirs. */
export function reviewMail(
  mail: Mail,
  stored: readonly StoredHit[],
  hits: readonly DigestedEvent[],
  { classifier, agents, now }: { classifier: Classifier; agents: AgentCache; now: number },
): (Revision & { was: Verdict; linkNo: number | null })[] {
  const facts = [
    ...stored.map((hit) => storedFacts(hit, agents)),
    ...hits.map((hit) => ({ ...factsOf(hit, agents), verdict: hit.verdict ?? verdicts.human })),
  ]
  const judged = classifier.review(facts, mail, now - windowMs)
  for (const [index, hit] of hits.entries()) hit.verdict = judged[stored.length + index] ?? verdicts.human
  clearHits(mail.engagement)
  for (const link of mail.links.values()) Object.assign(link, newLink(mail.engagement, link.linkNo))
  for (const [index, { at, linkNo }] of stored.entries()) {
    const verdict = judged[index] ?? verdicts.human
    addHit(mail.engagement, linkNo !== null, verdict, at)
    if (linkNo !== null) addToLink(mail, linkNo, verdict, at)
  }
  addHits(mail, hits)
  return stored.flatMap(({ at, seq, verdict: was, linkNo }, index) => {
    const verdict = judged[index] ?? was
    return verdict === was ? [] : [{ at, seq, verdict, was, linkNo }]
  })
}

const timeOfKind = {
  [eventKinds.replied]: 'repliedAt',
  [eventKinds.auto_replied]: 'autoRepliedAt',
  [eventKinds.bounced]: 'bouncedAt',
  [eventKinds.complained]: 'complainedAt',
  [eventKinds.unsubscribed]: 'unsubscribedAt',
} as const

/** Notes another event of a mail. False for a repeated bounce of the SMTP conversation, which is no further event. */
export function addAnswer(mail: Mail, { kind, at, detail }: DigestedEvent): boolean {
  const property = timeOfKind[kind as keyof typeof timeOfKind] as (typeof timeOfKind)[5] | undefined
  if (property === undefined) return true
  const { engagement } = mail
  mail.isAnswered = true
  const isRepeated = engagement[property] !== null
  if (kind === eventKinds.bounced && isRepeated && detail?.['is_smtp'] === true) return false
  engagement[property] = isRepeated ? Math.min(engagement[property] ?? at, at) : at
  if (kind === eventKinds.bounced && !isRepeated) engagement.bounceReason = detail?.reason ?? 'undefined'
  return true
}

/** A mail of the batch that nothing has happened to yet. */
export function newMail(event: DigestedEvent, known: Engagement | undefined): Mail {
  const engagement =
    known ??
    newEngagement({
      sourceId: event.sourceId ?? '',
      deliveryId: event.deliveryId ?? 0,
      deliveryMonth: event.deliveryMonth ?? '',
      contactId: event.contactId,
      variantNo: 0,
    })
  return {
    engagement,
    before: sharesOf(engagement),
    isAnswered: false,
    links: new Map(),
    linksBefore: new Map(),
    acceptedAt: event.acceptedAt,
    campaignId: event.campaignId,
    mailboxId: event.mailboxId ?? '',
    domain: event.email?.slice(event.email.lastIndexOf('@') + 1) ?? '',
  }
}
