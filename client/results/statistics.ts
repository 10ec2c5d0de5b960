import type { QueryOf } from '../../contract/core/operation.ts'
import type { DayCounts } from '../../contract/results/statistics.ts'
import type * as api from '../../contract/results/statistics.ts'
import { callStream, readEvents } from '../core/event-stream.ts'
import type { CallOptions, Session } from '../core/http.ts'
import * as routes from '../../contract/results/statistics.routes.ts'

/** What became of mails on each of the last days, oldest first: now and after each change; a stream that ends is opened again by the caller. */
export function watchStatistics(
  session: Session,
  query: QueryOf<typeof api.watchStatistics> = {},
  options?: CallOptions,
): AsyncGenerator<DayCounts[]> {
  return readEvents<DayCounts[]>(
    callStream<typeof api.watchStatistics>(session, { route: routes.watchStatistics, query }, options),
  )
}
