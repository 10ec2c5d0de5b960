import { AppError } from '../../../contract/core/errors.ts'
import type { DayCounts } from '../../../contract/results/statistics.ts'
import { isTimeZone } from '../../domain/core/schedule.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { StatisticsStore } from '../../store/statistics/statistics.ts'

/** Counts of a workspace's mails by day. Throws `validation`. */
export function createGetStatistics({ statistics }: { statistics: Pick<StatisticsStore, 'countByDay'> }) {
  return async (scope: Scope, { days, timezone }: { days: number; timezone: string }): Promise<DayCounts[]> => {
    if (isTimeZone(timezone)) return statistics.countByDay(scope, days, timezone)
    const msg = "timezone is unknown; use a name such as 'Europe/Berlin'"
    throw new AppError('validation', { items: [{ loc: ['query', 'timezone'], msg, type: 'value_error' }] })
  }
}
