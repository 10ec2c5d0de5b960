import { once } from 'node:events'
import process from 'node:process'
import { pino } from 'pino'
import { logFailure } from './compose/core/log-failure.ts'
import { authorize, authorizeAll } from './domain/auth/authorize.ts'
import { createNewId } from './domain/core/id.ts'
import { createLogger } from './logger.ts'
import { createBlobStore } from './store/blobs/blob.ts'
import { createContactFieldStore } from './store/contacts/contact-field.ts'
import { openDatabase, type Connection } from './store/core/database.ts'
import { createImportRowStore } from './store/imports/import-rows.ts'
import { createImportStore } from './store/imports/import.ts'
import { createImportRunner } from './usecases/imports/import-runner.ts'

// The process that reads and writes files of contacts: it has its own memory, and calls do not wait for it. It ends when no
// import is due.

/** First message of its parent process. */
export interface ImportProcessStart {
  connection: Connection
  logLevel: string
}

const [start] = (await once(process, 'message')) as [ImportProcessStart]
const database = openDatabase(start.connection, () => undefined) // The current statement reports the error.
const imports = createImportStore(database)
const now = () => new Date()
const runner = createImportRunner({
  imports,
  claim: (owner, at, leaseMs) => imports.claim(authorizeAll({ kind: 'system', task: 'imports' }), owner, at, leaseMs),
  rows: createImportRowStore(database),
  blobs: createBlobStore(database),
  fields: createContactFieldStore(database),
  scopeOf: (workspaceId) => authorize({ kind: 'system', task: 'imports' }, 'contacts:write', workspaceId),
  now,
  newId: createNewId(),
  onError: logFailure(createLogger(start.logLevel, pino.destination({ dest: 2, sync: true })), 'An import failed'),
})

const close = () => void runner.close()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, close)
// The server has ended: another process continues the import when its lease ends.
process.on('disconnect', () => process.exit(0))

try {
  await runner.runDue()
} catch {
  process.exitCode = 1 // The database is unavailable: the parent process tries again.
}
await database.close()
process.disconnect()
