import { addImportRoutes, addImportStreamRoutes } from '../http/imports/import.ts'
import { authorize, authorizeAll } from '../domain/auth/authorize.ts'
import { createWorkbookReader } from '../spreadsheet/workbook.ts'
import { createBlobStore } from '../store/blobs/blob.ts'
import { createImportRowStore } from '../store/imports/import-rows.ts'
import { createImportStore } from '../store/imports/import.ts'
import { createImportRunner } from '../usecases/imports/import-runner.ts'
import { createImportService } from '../usecases/imports/import-service.ts'
import { createWatchImport } from '../usecases/imports/watch-import.ts'
import { fieldStore } from './contacts.ts'
import { listStore } from './lists.ts'
import { logFailure } from './core/log-failure.ts'
import { hourMs, type Noun, type Parts, type ServerParts } from './core/parts.ts'

const importStore = ({ database }: Parts) => createImportStore(database)

function useCases({ database, now, newId, tickMs, log, onStop, resolve }: ServerParts) {
  const [imports, fields, blobs] = [resolve(importStore), resolve(fieldStore), createBlobStore(database)]
  const runner = createImportRunner({
    imports,
    claim: (owner, at, leaseMs) => imports.claim(authorizeAll({ kind: 'system', task: 'imports' }), owner, at, leaseMs),
    rows: createImportRowStore(database),
    blobs,
    fields,
    scopeOf: (workspaceId) => authorize({ kind: 'system', task: 'imports' }, 'contacts:write', workspaceId),
    now,
    newId,
    onError: logFailure(log, 'An import failed'),
  })
  runner.start()
  onStop(() => runner.close())
  const workbooks = createWorkbookReader()
  onStop(workbooks.close)
  const service = createImportService({
    imports,
    blobs,
    fields,
    lists: resolve(listStore),
    readWorkbook: (file) => workbooks.readWorkbook(file),
    wake: runner.wake,
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
