import type { createGetStatistics } from '../../usecases/statistics/get-statistics.ts'
import { statisticsDefaultDays } from '../../../contract/results/statistics.limits.ts'
import * as contract from '../../../contract/results/statistics.ts'
import type { AddRoute } from '../core/route.ts'

/** The use case of the statistics call. */
export interface StatisticsUseCases {
  getStatistics: ReturnType<typeof createGetStatistics>
}

/** `GET /email/statistics`: what the home screen's chart shows. */
export function addStatisticsRoutes(add: AddRoute, useCases: StatisticsUseCases): void {
  add(contract.getStatistics, ({ query, scope }) =>
    useCases.getStatistics(scope, { days: query.days ?? statisticsDefaultDays, timezone: query.timezone ?? 'UTC' }),
  )
}
