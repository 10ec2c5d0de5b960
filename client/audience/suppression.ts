import type { AnswerOf, BodyOf, QueryOf } from '../../contract/core/operation.ts'
import type {
  addSuppressions as AddSuppressions,
  deleteSuppression as DeleteSuppression,
  exportSuppressions as ExportSuppressions,
  ImportedSuppressions,
  importSuppressions as ImportSuppressions,
  listSuppressions as ListSuppressions,
  Suppression,
} from '../../contract/audience/suppression.ts'
import { callStream } from '../core/event-stream.ts'
import { call, callList, type CallOptions, type Page, type Session } from '../core/http.ts'

const path = '/email/suppressions'

/** Whom the workspace must not write to, newest first. */
export function listSuppressions(
  session: Session,
  query: QueryOf<typeof ListSuppressions> = {},
  options?: CallOptions,
): Promise<Page<Suppression>> {
  return callList<typeof ListSuppressions>(session, { method: 'GET', path, query }, options)
}

/** From now on nothing is sent to these. */
export function addSuppressions(
  session: Session,
  body: BodyOf<typeof AddSuppressions>,
  options?: CallOptions,
): Promise<AnswerOf<typeof AddSuppressions>> {
  return call<typeof AddSuppressions>(session, { method: 'POST', path, body }, options)
}

/** Lets an address be written to again; `consented` where the person has asked for mail again. */
export function deleteSuppression(
  session: Session,
  id: string,
  query: QueryOf<typeof DeleteSuppression> = {},
  options?: CallOptions,
): Promise<null> {
  return call<typeof DeleteSuppression>(
    session,
    { method: 'DELETE', path: '/email/suppressions/{id}', params: { id }, query },
    options,
  )
}

/** Adds the addresses of a CSV. */
export function importSuppressions(
  session: Session,
  csv: string,
  options: CallOptions = {},
): Promise<ImportedSuppressions> {
  return call<typeof ImportSuppressions>(
    session,
    { method: 'POST', path: '/email/suppressions/import' },
    { ...options, stream: { type: 'text/csv', body: csv } },
  )
}

/** All of them as CSV. */
export async function exportSuppressions(session: Session, options?: CallOptions): Promise<string> {
  let csv = ''
  const call = { method: 'GET', path: '/email/suppressions/export' } as const
  for await (const chunk of callStream<typeof ExportSuppressions>(session, call, options)) csv += chunk
  return csv
}
