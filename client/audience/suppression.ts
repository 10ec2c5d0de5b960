import type { BodyOf, QueryOf } from '../../contract/core/operation.ts'
import type { ImportedSuppressions, Suppression } from '../../contract/audience/suppression.ts'
import type * as api from '../../contract/audience/suppression.ts'
import { callStream } from '../core/event-stream.ts'
import { call, callList, type CallOptions, type Page, type Session } from '../core/http.ts'
import * as routes from '../../contract/audience/suppression.routes.ts'

/** Whom the workspace must not write to, newest first. */
export function listSuppressions(
  session: Session,
  query: QueryOf<typeof api.listSuppressions> = {},
  options?: CallOptions,
): Promise<Page<Suppression>> {
  return callList<typeof api.listSuppressions>(session, { route: routes.listSuppressions, query }, options)
}

/** From now on nothing is sent to these. */
export function addSuppressions(session: Session, body: BodyOf<typeof api.addSuppressions>, options?: CallOptions) {
  return call<typeof api.addSuppressions>(session, { route: routes.addSuppressions, body }, options)
}

/** Lets an address be written to again; `consented` where the person has asked for mail again. */
export function deleteSuppression(
  session: Session,
  id: string,
  query: QueryOf<typeof api.deleteSuppression> = {},
  options?: CallOptions,
): Promise<null> {
  return call<typeof api.deleteSuppression>(
    session,
    { route: routes.deleteSuppression, params: { id }, query },
    options,
  )
}

/** Adds the addresses of a CSV. */
export function importSuppressions(
  session: Session,
  csv: string,
  options: CallOptions = {},
): Promise<ImportedSuppressions> {
  return call<typeof api.importSuppressions>(
    session,
    { route: routes.importSuppressions },
    { ...options, stream: { type: 'text/csv', body: csv } },
  )
}

/** All of them as CSV. */
export async function exportSuppressions(session: Session, options?: CallOptions): Promise<string> {
  let csv = ''
  const call = { route: routes.exportSuppressions } as const
  for await (const chunk of callStream<typeof api.exportSuppressions>(session, call, options)) csv += chunk
  return csv
}
