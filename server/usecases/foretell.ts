import type { Provider } from '../../contract/limits.ts'
import { isEnded, type CampaignRow } from '../domain/campaign.ts'
import { leavesAtMs, type MailboxBudget, type MailboxUse } from '../domain/forecast.ts'

interface Ports {
  mailboxUse: { read: (configIds: readonly string[], campaignIds: readonly string[]) => Promise<MailboxUse[]> }
  /** What a mailbox without limits of its own keeps under. */
  limitsOf: (mailbox: { provider: Provider | 'system'; emailAddress: string }) => {
    perMinuteCount: number | null
    perDayCount: number | null
  }
  now: () => Date
  tickMs: () => number
}

export type Foretell = ReturnType<typeof createForetell>

/** A reading holds for so long; what was added meanwhile is added to it. */
const freshMs = 2000
/** One this old still serves while the next is under way, so that nobody waits for it. */
const servesMs = 10_000
/** Readings that are kept. */
const keptMaxCount = 10_000

interface Reading {
  readAtMs: number
  use: Promise<MailboxUse | undefined>
  /** Accepted since it was begun. */
  addedCount: number
  isRenewing: boolean
}

/** Foretells when mails will leave, by the quotas of mailboxes, what is used of them and what waits already. */
export function createForetell({ mailboxUse, limitsOf, now, tickMs }: Ports) {
  const kept = new Map<string, Reading>()

  const toBudget = (use: MailboxUse, aheadCount: number): MailboxBudget => {
    const limits = limitsOf(use)
    return {
      configId: use.configId,
      perMinuteCount: use.perMinuteCount ?? limits.perMinuteCount,
      perDayCount: use.perDayCount ?? limits.perDayCount,
      used: use.used,
      aheadCount,
    }
  }

  const readAnew = (configId: string): Reading => {
    const use = mailboxUse.read([configId], []).then(([found]) => found)
    return { readAtMs: tickMs(), use, addedCount: 0, isRenewing: false }
  }

  /** Keeps the next reading once it is there; until then the one before goes on. */
  const renew = async (configId: string, known: Reading) => {
    known.isRenewing = true
    const next = readAnew(configId)
    const addedBefore = known.addedCount
    try {
      await next.use
      next.addedCount = known.addedCount - addedBefore
      kept.set(configId, next)
    } catch {
      known.isRenewing = false // Whoever comes when it serves no longer hears of it.
    }
  }

  const readingOf = (configId: string): Reading => {
    const known = kept.get(configId)
    const ageMs = known ? tickMs() - known.readAtMs : Infinity
    if (known && ageMs < servesMs) {
      if (ageMs >= freshMs && !known.isRenewing) void renew(configId, known)
      return known
    }
    if (kept.size >= keptMaxCount) kept.clear()
    const reading = readAnew(configId)
    reading.use.catch(() => kept.delete(configId)) // Whoever waits for it hears of it.
    kept.set(configId, reading)
    return reading
  }

  return {
    /** Budgets of a campaign's mailboxes for dealing out more recipients: all that waits is ahead of them. */
    async budgets({ id, configIds }: Pick<CampaignRow, 'id' | 'configIds'>): Promise<MailboxBudget[]> {
      const uses = await mailboxUse.read(configIds, [id])
      return uses.map((use) => toBudget(use, sum(use.waiting)))
    },

    /**
     * When the last mail of each campaign leaves, if it starts now or when it is scheduled for: after single sends and
     * beside the other campaigns, which are counted as ahead of it. Those that have ended or wait for nothing are left out.
     */
    async campaigns(rows: readonly CampaignRow[]): Promise<Map<string, Date>> {
      const open = rows.filter(({ status, counts }) => !isEnded(status) && counts.queued + counts.deferred > 0)
      const configIds = [...new Set(open.flatMap((row) => row.configIds))]
      const uses = await mailboxUse.read(
        configIds,
        open.map(({ id }) => id),
      )
      const startsAtMs = ({ status, scheduledAt }: CampaignRow) =>
        status === 'draft' || status === 'scheduled'
          ? Math.max(now().getTime(), scheduledAt?.getTime() ?? 0)
          : now().getTime()
      return new Map(
        open.flatMap((row) => {
          const ends = uses.flatMap((use) => {
            const own = sum(use.waiting.filter(({ campaignId }) => campaignId === row.id))
            if (own === 0) return []
            const ahead = sum(use.waiting.filter(({ campaignId, isLeaving }) => isLeaving && campaignId !== row.id))
            return [leavesAtMs(toBudget(use, ahead), ahead + own, startsAtMs(row))]
          })
          return ends.length === 0 ? [] : [[row.id, new Date(Math.max(...ends))] as const]
        }),
      )
    },

    /**
     * When the last of so many mails leaves that a send call has just put into a mailbox's queue; null for none. Calls within
     * two seconds share a reading, so that accepting costs no query of its own; rather too late than too early.
     */
    async singleSend(configId: string, count: number): Promise<Date | null> {
      if (count === 0) return null
      const known = kept.get(configId)
      const reading = readingOf(configId)
      // A reading that begins now counts them already.
      if (reading === known) reading.addedCount += count
      const { addedCount } = reading
      const use = await reading.use
      if (!use) return null
      const ahead = sum(use.waiting.filter(({ campaignId }) => campaignId === null))
      return new Date(leavesAtMs(toBudget(use, ahead), Math.max(1, ahead + addedCount), now().getTime()))
    },
  }
}

function sum(list: readonly { count: number }[]): number {
  return list.reduce((total, { count }) => total + count, 0)
}
