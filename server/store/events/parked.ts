import type { SystemScope } from '../../domain/auth/scope.ts'
import { countRows, type Queryable } from '../core/database.ts'

/** Events that were set aside because they could not be digested. */
export const countParked = (_system: SystemScope, executor: Queryable): Promise<number> =>
  countRows(executor, 'select count(*)::int as count from event_inbox where parked_error is not null')

/** Lets the running digests take these events again; returns their number. */
export async function repeatParked(_system: SystemScope, executor: Queryable): Promise<number> {
  const { rowCount } = await executor.query('update event_inbox set parked_error = null where parked_error is not null')
  return rowCount ?? 0
}
