import { AppError } from '../../../contract/core/errors.ts'
import type { DayCounts } from '../../../contract/results/statistics.ts'
import { isTimeZone } from '../../domain/core/schedule.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { StatisticsStore } from '../../store/statistics/statistics.ts'
import type { LiveStreams } from '../core/live-streams.ts'

interface Ports {
  statistics: Pick<StatisticsStore, 'countByDay'>
  live: Pick<LiveStreams, 'stream'>
}

interface Span {
  days: number
  timezone: string
}

/** Counts of a workspace's mails by day. Throw `validation`. */
export function createStatistics({ statistics, live }: Ports) {
  const getStatistics = async (scope: Scope, { days, timezone }: Span): Promise<DayCounts[]> => {
    if (isTimeZone(timezone)) return statistics.countByDay(scope, days, timezone)
    const msg = "timezone is unknown; use a name such as 'Europe/Berlin'"
    throw new AppError('validation', { items: [{ loc: ['query', 'timezone'], msg, type: 'value_error' }] })
  }
  return {
    getStatistics,
    /** The counts now and after each change. */
    watchStatistics: (scope: Scope, span: Span): Promise<AsyncGenerator<DayCounts[]>> =>
      live.stream(scope.workspaceId, async (shown) => {
        const counts = await getStatistics(scope, span)
        const version = JSON.stringify(counts)
        return { version, value: version === shown ? null : counts }
      }),
  }
}
