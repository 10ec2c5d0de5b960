import { statisticsDefaultDays } from '../../../contract/results/statistics.limits.ts'
import * as contract from '../../../contract/results/statistics.ts'
import type { AddRoute } from '../core/route.ts'
import type { Scope } from '../../domain/auth/scope.ts'

/** The use-case behind the counts. */
export interface StatisticsUseCases {
  getStatistics: (scope: Scope, span: { days: number; timezone: string }) => Promise<contract.DayCounts[]>
}

/** `GET /email/statistics`: what the home screen's chart shows. */
export function addStatisticsRoutes(add: AddRoute, useCases: StatisticsUseCases): void {
  add(contract.getStatistics, ({ query, scope }) =>
    useCases.getStatistics(scope, {
      days: query.days ?? statisticsDefaultDays,
      timezone: query.timezone ?? 'UTC',
    }),
  )
}
