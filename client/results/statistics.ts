import type { QueryOf } from '../../contract/core/operation.ts'
import type { DayCounts, getStatistics as GetStatistics } from '../../contract/results/statistics.ts'
import { call, type CallOptions, type Session } from '../core/http.ts'
import * as routes from '../../contract/results/statistics.routes.ts'

/** How many mails left on each of the last days, oldest first. */
export function getStatistics(
  session: Session,
  query: QueryOf<typeof GetStatistics> = {},
  options?: CallOptions,
): Promise<DayCounts[]> {
  return call<typeof GetStatistics>(session, { route: routes.getStatistics, query }, options)
}
