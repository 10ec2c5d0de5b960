import type { createStatistics } from '../../usecases/statistics/get-statistics.ts'
import type { QueryOf } from '../../../contract/core/operation.ts'
import { statisticsDefaultDays } from '../../../contract/results/statistics.limits.ts'
import * as contract from '../../../contract/results/statistics.ts'
import { eventStream } from '../core/event-stream.ts'
import type { AddRoute } from '../core/route.ts'

/** The use cases of the statistics calls. */
export type StatisticsUseCases = ReturnType<typeof createStatistics>

/** `GET /email/statistics`: what the home screen shows, once and live. */
export function addStatisticsRoutes(add: AddRoute, { getStatistics, watchStatistics }: StatisticsUseCases): void {
  add(contract.getStatistics, ({ query, scope }) => getStatistics(scope, spanOf(query)))

  add(contract.watchStatistics, async ({ query, scope, reply }) =>
    eventStream(reply, 'statistics', await watchStatistics(scope, spanOf(query)), (counts) => counts),
  )
}

const spanOf = ({ days = statisticsDefaultDays, timezone = 'UTC' }: QueryOf<typeof contract.getStatistics>) => ({
  days,
  timezone,
})
