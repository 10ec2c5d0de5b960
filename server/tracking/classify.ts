import { verdicts, type Verdict } from '../../contract/results/event.ts'
import { networkEntryOf, networkLabelOf } from '../../contract/results/network-label.ts'
import type { Classifier, HitFacts, MailFacts } from '../domain/events/hit.ts'

const { human, probable, machine } = verdicts

/** Image proxies that fetch when a person opens the mail, and sometimes when it arrives. */
const proxies = /GoogleImageProxy|YahooMailProxy|OutlookImageProxy/
const arrivalMs = 10_000
/** Gmail fetches images with this agent before anyone opens the mail. */
const gmailPrefetch = 'Edge/12.246 Mozilla/5.0'
/** The whole text of the agent of Apple's privacy relay. */
const appleAgent = 'Mozilla/5.0'
const appleLabel = networkLabelOf({ name: 'apple', scope: 'all', certainty: 'machine' })

const burstMs = 5000
const burstLinkCount = 3
/** People need longer from the arrival of a mail to a click. */
const soonMs = 5000
const secondSystemMs = 30_000

const isOpen = ({ linkNo }: HitFacts): boolean => linkNo === null

/** The verdict that a hit gets without regard to others; null where others decide. */
function judgeAlone(hit: HitFacts, { acceptedAt }: MailFacts): Verdict | null {
  if (hit.isPrefetch) return machine
  const text = hit.agent?.text ?? ''
  const entry = hit.netLabel === null ? null : networkEntryOf(hit.netLabel)
  if (isOpen(hit)) {
    if (text.endsWith(gmailPrefetch)) return machine
    if (isAppleOpen(hit)) return machine
    // The text alone makes no person: not from the network of a scanner.
    if (proxies.test(text) && entry?.scope !== 'all') {
      return acceptedAt !== null && hit.at < acceptedAt + arrivalMs ? machine : human
    }
  }
  // People click through the privacy relay too; it fetches images only.
  if (entry !== null && entry.name !== 'apple' && (entry.scope === 'all' || !isOpen(hit))) {
    return entry.certainty === 'machine' ? machine : probable
  }
  return !isOpen(hit) && isBot(hit) ? machine : null
}

/** A click without an agent, or by one that calls itself a bot. */
const isBot = ({ agent }: HitFacts): boolean => agent === null || agent.verdict === machine

const isAppleOpen = (hit: HitFacts): boolean =>
  isOpen(hit) &&
  (hit.agent?.text === appleAgent || (hit.netLabel !== null && networkEntryOf(hit.netLabel).name === 'apple'))

/** Runs of clicks in which each follows the one before within five seconds. */
function runsOf(clicks: readonly HitFacts[]): HitFacts[][] {
  const runs: HitFacts[][] = []
  let last: HitFacts | undefined
  for (const click of clicks) {
    if (last !== undefined && click.at - last.at <= burstMs) runs.at(-1)?.push(click)
    else runs.push([click])
    last = click
  }
  return runs
}

/** Whether three links were opened within five seconds, or one before a person could. */
function isBurst(run: readonly HitFacts[], { acceptedAt }: MailFacts): boolean {
  if (acceptedAt !== null && run.some(({ at }) => at < acceptedAt + soonMs)) return true
  let from = 0
  /** Clicks by link within the last five seconds. */
  const links = new Map<number | null, number>()
  for (const { at, linkNo } of run) {
    links.set(linkNo, (links.get(linkNo) ?? 0) + 1)
    for (let oldest = run[from]; oldest !== undefined && at - oldest.at > burstMs; oldest = run[++from]) {
      const left = (links.get(oldest.linkNo) ?? 1) - 1
      if (left === 0) links.delete(oldest.linkNo)
      else links.set(oldest.linkNo, left)
    }
    if (links.size >= burstLinkCount) return true
  }
  return false
}

/** Whether an open belongs to a burst: from one of its networks, at its time. */
const isOfBurst = (open: HitFacts, burst: readonly HitFacts[]): boolean =>
  burst.some(({ net, at }) => net !== null && net === open.net && Math.abs(at - open.at) <= burstMs)

function judge(hits: readonly HitFacts[], mail: MailFacts): Verdict[] {
  const known = new Map<HitFacts, Verdict>()
  for (const hit of hits) {
    const verdict = judgeAlone(hit, mail)
    if (verdict !== null) known.set(hit, verdict)
  }
  const clicks = hits.filter((hit) => !isOpen(hit)).toSorted((a, b) => a.at - b.at)
  const bursts = runsOf(clicks).filter((run) => isBurst(run, mail))
  for (const click of bursts.flat()) known.set(click, machine)
  for (const open of hits) {
    if (isOpen(open) && !known.has(open) && bursts.some((burst) => isOfBurst(open, burst))) known.set(open, machine)
  }
  const first = clicks.find((click) => known.get(click) !== machine)
  for (const click of clicks) {
    if (first !== undefined && !known.has(click) && isSecondSystem(click, first)) known.set(click, probable)
  }
  return followClicks(
    hits,
    hits.map((hit) => known.get(hit) ?? human),
  )
}

const isSecondSystem = (click: HitFacts, first: HitFacts): boolean =>
  click.at - first.at <= secondSystemMs && click.net !== first.net && click.agent?.os !== first.agent?.os

/** A person who clicks has opened the mail: opens before the click are that person's. */
function followClicks(hits: readonly HitFacts[], judged: readonly Verdict[]): Verdict[] {
  const lastClickAt = Math.max(
    ...hits.map((hit, index) => (!isOpen(hit) && judged[index] === human ? hit.at : Number.NEGATIVE_INFINITY)),
  )
  return hits.map((hit, index) => (isOpen(hit) && hit.at <= lastClickAt ? human : (judged[index] ?? human)))
}

/** The rules of judging, in their order. Pure: everything that they read is in the hits. */
export const classifier: Classifier = {
  judge,

  review(hits, mail, windowFrom) {
    const recent = hits.filter(({ at }) => at >= windowFrom)
    const judged = new Map(judge(recent, mail).map((verdict, index) => [recent[index], verdict]))
    const own = hits.map((hit) => {
      const verdict = judged.get(hit)
      if (verdict !== undefined) return verdict
      // A person's click may have made an open human, and may itself have turned out to be a program's.
      if (isOpen(hit)) return Math.max(hit.verdict, judgeAlone(hit, mail) ?? human) as Verdict
      return hit.verdict
    })
    return followClicks(hits, own)
  },

  dependsOnOthers: (hit) => !isOpen(hit) || judgeAlone(hit, { acceptedAt: null }) === null,

  labelOf: (hit) => (isAppleOpen(hit) ? appleLabel : hit.netLabel),
}
