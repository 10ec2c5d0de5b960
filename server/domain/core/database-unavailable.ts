/** Errors of database connections: a system error does not say to which connection it belongs. */
const connectionErrors = new WeakSet<Error>()

/**
 * SQLSTATE codes of a temporarily unavailable PostgreSQL: connection exceptions, too many connections, shutdown, startup, a
 * standby before promotion.
 */
const unavailableCode = /^(?:08\w{3}|53300|57P0[1-5]|25006)$/
/** Message of pg for a statement on a broken connection. */
const brokenConnection = /^(?:Client has encountered a connection error|Client was closed) and is not queryable$/
const causesMaxCount = 3

/** `Retry-After` of 503 responses: about the restart time of the embedded database. */
export const databaseRetryMs = 2000

/** Marks an error of a failed or broken database connection. */
export function noteConnectionError(error: Error): void {
  connectionErrors.add(error)
}

/** Whether work failed only because the database was unavailable, so that it can be retried. */
export function isDatabaseUnavailable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error)) return false
  if (connectionErrors.has(error) || brokenConnection.test(error.message)) return true
  if ('code' in error && typeof error.code === 'string' && unavailableCode.test(error.code)) return true
  return depth < causesMaxCount && isDatabaseUnavailable(error.cause, depth + 1)
}
