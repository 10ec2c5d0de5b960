import { AppError } from '../../contract/errors.ts'
import type { DayCounts } from '../../contract/statistics.ts'
import { isTimeZone } from '../domain/schedule.ts'

interface Ports {
  statistics: { countByDay: (workspaceId: string, days: number, timezone: string) => Promise<DayCounts[] | null> }
  tickMs: () => number
}

/** A count serves for so long: screens ask for it on each visit. */
const freshMs = 60_000
const keptMaxCount = 1000

/** Counts of a workspace's mails by day. Throws `validation`, and `list_too_slow` where there are too many to count. */
export function createGetStatistics({ statistics, tickMs }: Ports) {
  const kept = new Map<string, { countedAtMs: number; counts: Promise<DayCounts[] | null> }>()
  return async (workspaceId: string, { days, timezone }: { days: number; timezone: string }): Promise<DayCounts[]> => {
    if (!isTimeZone(timezone)) {
      const msg = "timezone is not known; name one such as 'Europe/Berlin'"
      throw new AppError('validation', { items: [{ loc: ['query', 'timezone'], msg, type: 'value_error' }] })
    }
    const key = `${workspaceId} ${days} ${timezone}`
    let known = kept.get(key)
    if (known === undefined || tickMs() - known.countedAtMs > freshMs) {
      if (kept.size >= keptMaxCount) kept.clear()
      known = { countedAtMs: tickMs(), counts: statistics.countByDay(workspaceId, days, timezone) }
      kept.set(key, known)
      known.counts.catch(() => kept.delete(key)) // Whoever waits for it hears of it.
    }
    const counts = await known.counts
    if (counts !== null) return counts
    throw new AppError('list_too_slow', { detail: 'There are too many mails to count in time. Ask for fewer days.' })
  }
}
