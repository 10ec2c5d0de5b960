/** Errors of connections to the database: the system's own say nothing of whose connection it was. */
const connectionErrors = new WeakSet<Error>()

/**
 * SQLSTATE classes and codes by which PostgreSQL says that it cannot serve now: connection exceptions, too many connections,
 * shutting down, starting up, a standby that has not taken over yet.
 */
const unavailableCode = /^(?:08\w{3}|53300|57P0[1-5]|25006)$/
/** pg's words for a statement on a connection that had broken before. */
const brokenConnection = /^(?:Client has encountered a connection error|Client was closed) and is not queryable$/
const causesMaxCount = 3

/** An embedded database is back in about so long; others take longer, and the next answer says so again. */
export const databaseRetryMs = 2000

/** Remembers that an error came of connecting to the database, or of a connection to it that broke. */
export function noteConnectionError(error: Error): void {
  connectionErrors.add(error)
}

/** Whether work failed only because the database could not be reached, or went away meanwhile: it may be tried again. */
export function isDatabaseUnavailable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error)) return false
  if (connectionErrors.has(error) || brokenConnection.test(error.message)) return true
  if ('code' in error && typeof error.code === 'string' && unavailableCode.test(error.code)) return true
  return depth < causesMaxCount && isDatabaseUnavailable(error.cause, depth + 1)
}
