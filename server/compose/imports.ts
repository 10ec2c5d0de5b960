import { addImportRoutes, addImportStreamRoutes } from '../http/imports/import.ts'
import { createChildProcess } from '../child-process/child-process.ts'
import { authorizeAll } from '../domain/auth/authorize.ts'
import { createWorkbookReader } from '../spreadsheet/workbook.ts'
import { createBlobStore } from '../store/blobs/blob.ts'
import { createImportStore } from '../store/imports/import.ts'
import type { ImportProcessStart } from '../import-process.ts'
import { createBackgroundWorker } from '../usecases/core/background-worker.ts'
import { createImportService } from '../usecases/imports/import-service.ts'
import { createWatchImport } from '../usecases/imports/watch-import.ts'
import { fieldStore } from './contacts.ts'
import { listStore } from './lists.ts'
import { logFailure } from './core/log-failure.ts'
import { hourMs, type Noun, type Parts, type ServerParts } from './core/parts.ts'

/** Rows live for one batch: a small young generation and a bounded old one keep its memory low (docs/decisions/0039). */
const importProcess = {
  url: new URL('../import-process.ts', import.meta.url),
  flags: ['--max-semi-space-size=16', '--max-old-space-size=192'],
}

const importStore = ({ database }: Parts) => createImportStore(database)

function useCases({ database, direct, settings, now, tickMs, log, errorOutput, onStop, resolve }: ServerParts) {
  const [imports, fields, blobs] = [resolve(importStore), resolve(fieldStore), createBlobStore(database)]
  const child = createChildProcess({ ...importProcess, errorOutput })
  const worker = createBackgroundWorker({
    claim: async () =>
      (await imports.isDue(authorizeAll({ kind: 'system', task: 'imports' }), now())) ? direct : null,
    run: (connection) => child.run({ connection, logLevel: settings.logLevel } satisfies ImportProcessStart),
    onError: logFailure(log, 'The process for imports failed'),
  })
  worker.start()
  onStop(() => {
    child.close()
    return worker.close()
  })
  const workbooks = createWorkbookReader()
  onStop(workbooks.close)
  const service = createImportService({
    imports,
    blobs,
    fields,
    lists: resolve(listStore),
    readWorkbook: (file) => workbooks.readWorkbook(file),
    wake: worker.wake,
    now,
  })
  const { watchImport, close } = createWatchImport({ getImport: service.getImport, tickMs })
  onStop(close)
  return { ...service, watchImport, close }
}

export const imports: Noun = {
  maintenance: ({ now, resolve }, system) => [
    { intervalMs: hourMs, run: () => resolve(importStore).prune(system, now()) },
  ],
  addRoutes: (add, { resolve }) => addImportRoutes(add, resolve(useCases)),
  addStreamRoutes: (add, { resolve }) => addImportStreamRoutes(add, resolve(useCases)),
}
