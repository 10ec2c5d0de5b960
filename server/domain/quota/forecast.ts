import type { Provider } from '../../../contract/mail/config.limits.ts'

/** Quota of a mailbox and its use. */
export interface MailboxBudget {
  mailboxId: string
  /** Null: no known limit. */
  perMinuteCount: number | null
  perDayCount: number | null
  /** Mails that count in the day window, with the instants (ms) at which they leave it; earliest first. */
  used: readonly { freeAtMs: number; count: number }[]
  /** Mails that are sent before any that are added. */
  aheadCount: number
}

/** Quota use and queue of a mailbox. */
export interface MailboxUse {
  mailboxId: string
  provider: Provider | 'system'
  emailAddress: string
  /** Limits of its own, in place of its provider's; null: as the provider's. */
  perMinuteCount: number | null
  perDayCount: number | null
  used: MailboxBudget['used']
  /** What waits in its queue, of single sends (campaign null) and of campaigns; `isLeaving` unless that does not send. */
  waiting: readonly { campaignId: string | null; count: number; isLeaving: boolean }[]
}

/** How long a mail counts: the day, and the bucket that it is counted in (store/messages/delivery-queue.sql.ts). */
const dayWindowMs = (24 * 60 + 5) * 60_000
const minuteMs = 60_000
/** A mail server that sets no pace takes about so many in a second. */
const assumedPerSecondCount = 5

/**
 * When the n-th mail from now (counted from 1) leaves a mailbox, in ms since 1970. What is over the day's quota waits until
 * earlier mails count no more; what left in one window makes room for as many a window later.
 */
export function sendTimeMs({ perMinuteCount, perDayCount, used }: MailboxBudget, n: number, nowMs: number): number {
  const paced =
    perMinuteCount === null
      ? nowMs + ((n - 1) / assumedPerSecondCount) * 1000
      : nowMs + Math.floor((n - 1) / perMinuteCount) * minuteMs
  if (perDayCount === null) return paced
  const windows = Math.floor((n - 1) / perDayCount)
  const within = ((n - 1) % perDayCount) + 1
  let room = Math.max(0, perDayCount - used.reduce((sum, { count }) => sum + count, 0))
  let at = nowMs
  for (const { freeAtMs, count } of used) {
    if (room >= within) break
    room += count
    at = Math.max(at, freeAtMs)
  }
  return Math.max(paced, at + windows * dayWindowMs)
}

/** When the last of `count` mails leaves, in ms since 1970, that mailboxes share: each sends as long as the others. */
export function sharedTimeMs(budgets: readonly MailboxBudget[], count: number, nowMs: number): number {
  const timeOf = (budget: MailboxBudget, n: number) => sendTimeMs(budget, budget.aheadCount + n, nowMs)
  const countUntil = (budget: MailboxBudget, atMs: number) =>
    largest(count, (n) => n === 0 || timeOf(budget, n) <= atMs)
  const last = Math.min(...budgets.map((budget) => timeOf(budget, count)))
  const early = largest(
    last - nowMs,
    (ms) => budgets.reduce((sum, budget) => sum + countUntil(budget, nowMs + ms), 0) < count,
  )
  return Math.min(last, nowMs + early + 1)
}

/** The largest whole number up to `max` that passes, where all below one that passes do. */
function largest(max: number, passes: (n: number) => boolean): number {
  let [low, high] = [0, Math.ceil(max)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (passes(middle)) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * Allocates recipients to mailboxes: each goes to the mailbox that would send it first within its budget.
 */
export function createMailboxAllocator(budgets: readonly MailboxBudget[], nowMs: number): () => string {
  const allocations = budgets.map((budget) => ({
    budget,
    count: budget.aheadCount,
    nextMs: sendTimeMs(budget, budget.aheadCount + 1, nowMs),
  }))
  return () => {
    const allocation = allocations.reduce((best, other) => (other.nextMs < best.nextMs ? other : best))
    allocation.count += 1
    allocation.nextMs = sendTimeMs(allocation.budget, allocation.count + 1, nowMs)
    return allocation.budget.mailboxId
  }
}
