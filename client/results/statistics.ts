import type { QueryOf } from '../../contract/core/operation.ts'
import type { DayCounts } from '../../contract/results/statistics.ts'
import type * as api from '../../contract/results/statistics.ts'
import { call, type CallOptions, type Session } from '../core/http.ts'
import * as routes from '../../contract/results/statistics.routes.ts'

/** How many mails left on each of the last days, oldest first. */
export function getStatistics(
  session: Session,
  query: QueryOf<typeof api.getStatistics> = {},
  options?: CallOptions,
): Promise<DayCounts[]> {
  return call<typeof api.getStatistics>(session, { route: routes.getStatistics, query }, options)
}
