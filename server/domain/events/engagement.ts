import { eventKinds, verdicts, type Verdict } from '../../../contract/results/event.ts'

/** What became of one mail. Times are milliseconds since 1970. */
export interface Engagement {
  sourceId: string
  deliveryId: number
  deliveryMonth: string
  contactId: number | null
  variantNo: number
  openVerdict: Verdict | null
  clickVerdict: Verdict | null
  opens: number
  clicks: number
  firstOpenAt: number | null
  firstMachineOpenAt: number | null
  firstClickAt: number | null
  firstMachineClickAt: number | null
  repliedAt: number | null
  autoRepliedAt: number | null
  bouncedAt: number | null
  complainedAt: number | null
  unsubscribedAt: number | null
  bounceReason: string | null
}

/** Clicks of one mail on one link. */
export interface LinkEngagement {
  sourceId: string
  linkNo: number
  deliveryId: number
  contactId: number | null
  verdict: Verdict
  /** By people. */
  clicks: number
  firstAt: number | null
  firstMachineAt: number | null
}

/** A figure that a mail is part of. */
export interface Share {
  kind: number
  verdict: Verdict
  /** Start of the quarter of an hour. */
  quarterAt: number
}

export const newEngagement = (
  given: Pick<Engagement, 'sourceId' | 'deliveryId' | 'deliveryMonth' | 'contactId' | 'variantNo'>,
): Engagement => ({
  ...given,
  openVerdict: null,
  clickVerdict: null,
  opens: 0,
  clicks: 0,
  firstOpenAt: null,
  firstMachineOpenAt: null,
  firstClickAt: null,
  firstMachineClickAt: null,
  repliedAt: null,
  autoRepliedAt: null,
  bouncedAt: null,
  complainedAt: null,
  unsubscribedAt: null,
  bounceReason: null,
})

const quarterMs = 900_000
export const quarterOf = (at: number): number => Math.floor(at / quarterMs) * quarterMs

/** The figures of people that the mail is part of: one for each kind, with its best verdict. */
export function sharesOf(one: Engagement): Share[] {
  const shares: Share[] = []
  const add = (kind: number, at: number | null, verdict: Verdict = verdicts.human) => {
    if (at !== null) shares.push({ kind, verdict, quarterAt: quarterOf(at) })
  }
  const { openVerdict, clickVerdict } = one
  if (openVerdict !== null) {
    add(eventKinds.opened, openVerdict === verdicts.human ? one.firstOpenAt : one.firstMachineOpenAt, openVerdict)
  }
  if (clickVerdict !== null) {
    add(eventKinds.clicked, clickVerdict === verdicts.human ? one.firstClickAt : one.firstMachineClickAt, clickVerdict)
  }
  add(eventKinds.replied, one.repliedAt)
  add(eventKinds.auto_replied, one.autoRepliedAt)
  add(eventKinds.bounced, one.bouncedAt)
  add(eventKinds.complained, one.complainedAt)
  add(eventKinds.unsubscribed, one.unsubscribedAt)
  return shares
}

const earlier = (known: number | null, at: number): number => (known === null ? at : Math.min(known, at))
const better = (known: Verdict | null, verdict: Verdict): Verdict =>
  known === null || verdict < known ? verdict : known

/** Adds an open or click. */
export function addHit(one: Engagement, isClick: boolean, verdict: Verdict, at: number): void {
  const isHuman = verdict === verdicts.human
  if (isClick) {
    one.clickVerdict = better(one.clickVerdict, verdict)
    if (isHuman) {
      one.clicks += 1
      one.firstClickAt = earlier(one.firstClickAt, at)
    } else one.firstMachineClickAt = earlier(one.firstMachineClickAt, at)
    return
  }
  one.openVerdict = better(one.openVerdict, verdict)
  if (isHuman) {
    one.opens += 1
    one.firstOpenAt = earlier(one.firstOpenAt, at)
  } else one.firstMachineOpenAt = earlier(one.firstMachineOpenAt, at)
}

/** Forgets opens and clicks, to add all of them again with other verdicts. */
export function clearHits(one: Engagement): void {
  one.openVerdict = null
  one.clickVerdict = null
  one.opens = 0
  one.clicks = 0
  one.firstOpenAt = null
  one.firstMachineOpenAt = null
  one.firstClickAt = null
  one.firstMachineClickAt = null
}

/** Adds a click on a link. */
export function addLinkHit(one: LinkEngagement, verdict: Verdict, at: number): void {
  one.verdict = better(one.verdict, verdict)
  if (verdict === verdicts.human) {
    one.clicks += 1
    one.firstAt = earlier(one.firstAt, at)
  } else one.firstMachineAt = earlier(one.firstMachineAt, at)
}
