import { isDatabaseUnavailable } from '../../domain/core/database-unavailable.ts'
import type { Parts } from './parts.ts'

/** Logs failures of a background task; not those of an unavailable database, which the connection pool logs once. */
export const logFailure = (log: Parts['log'], message: string) => (error: unknown) => {
  if (!isDatabaseUnavailable(error)) log.error({ err: error }, message)
}
