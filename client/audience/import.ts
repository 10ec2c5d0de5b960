import type {
  cancelImport as CancelImport,
  checkImport as CheckImport,
  createImport as CreateImport,
  exportImportRefusals as ExportImportRefusals,
  getImport as GetImport,
  Import,
  ImportChoices,
  listImports as ListImports,
  NewImport,
  startImport as StartImport,
  undoImport as UndoImport,
  updateImport as UpdateImport,
  uploadImportFile as UploadImportFile,
  watchImport as WatchImport,
} from '../../contract/audience/imports/import.ts'
import * as routes from '../../contract/audience/imports/import.routes.ts'
import { callStream, readEvents } from '../core/event-stream.ts'
import { call, type CallOptions, type Session } from '../core/http.ts'

/** The last imports, newest first, without their columns. */
export function listImports(session: Session, options?: CallOptions): Promise<Import[]> {
  return call<typeof ListImports>(session, { route: routes.listImports }, options)
}

/** Announces a file. */
export function createImport(session: Session, body: NewImport, options?: CallOptions): Promise<Import> {
  return call<typeof CreateImport>(session, { route: routes.createImport, body }, options)
}

/** Uploads the piece of a file of `totalBytes` that begins at `start`. */
export function uploadImportFile(
  session: Session,
  id: string,
  { start, totalBytes, piece }: { start: number; totalBytes: number; piece: Blob },
  options: CallOptions = {},
): Promise<Import> {
  const range = `bytes ${start}-${start + piece.size - 1}/${totalBytes}`
  return call<typeof UploadImportFile>(
    session,
    { route: routes.uploadImportFile, params: { id } },
    {
      ...options,
      headers: { ...options.headers, 'Content-Range': range },
      stream: { type: 'application/octet-stream', body: piece },
    },
  )
}

export function getImport(session: Session, id: string, options?: CallOptions): Promise<Import> {
  return call<typeof GetImport>(session, { route: routes.getImport, params: { id } }, options)
}

/** Changes format, targets, list or consent. */
export function updateImport(
  session: Session,
  id: string,
  body: ImportChoices,
  options?: CallOptions,
): Promise<Import> {
  return call<typeof UpdateImport>(session, { route: routes.updateImport, params: { id }, body }, options)
}

/** Counts what the import would do. */
export function checkImport(session: Session, id: string, options?: CallOptions): Promise<Import> {
  return call<typeof CheckImport>(session, { route: routes.checkImport, params: { id } }, options)
}

/** Starts a checked import, or resumes one that failed. */
export function startImport(session: Session, id: string, options?: CallOptions): Promise<Import> {
  return call<typeof StartImport>(session, { route: routes.startImport, params: { id } }, options)
}

export function cancelImport(session: Session, id: string, options?: CallOptions): Promise<Import> {
  return call<typeof CancelImport>(session, { route: routes.cancelImport, params: { id } }, options)
}

/** Takes an import back. */
export function undoImport(session: Session, id: string, options?: CallOptions): Promise<Import> {
  return call<typeof UndoImport>(session, { route: routes.undoImport, params: { id } }, options)
}

/** The progress, until the state stays. */
export function watchImport(session: Session, id: string, options?: CallOptions): AsyncGenerator<Import> {
  return readEvents<Import>(
    callStream<typeof WatchImport>(session, { route: routes.watchImport, params: { id } }, options),
  )
}

/** Refused rows as CSV. */
export async function exportImportRefusals(session: Session, id: string, options?: CallOptions): Promise<string> {
  let csv = ''
  const refusals = { route: routes.exportImportRefusals, params: { id } } as const
  for await (const chunk of callStream<typeof ExportImportRefusals>(session, refusals, options)) csv += chunk
  return csv
}
