import { Readable } from 'node:stream'
import * as contract from '../../../contract/audience/imports/import.ts'
import { importChunkBytes } from '../../../contract/audience/imports/import.limits.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { createWatchImport } from '../../usecases/imports/watch-import.ts'
import { undoUntil, type createImportService, type ImportDetail } from '../../usecases/imports/import-service.ts'
import { csvLine } from '../core/csv-line.ts'
import { eventStream } from '../core/event-stream.ts'
import type { AddRoute } from '../core/route.ts'

type ImportUseCases = ReturnType<typeof createImportService> & ReturnType<typeof createWatchImport>

/** `/email/imports`. */
export function addImportRoutes(add: AddRoute, imports: ImportUseCases): void {
  add(contract.listImports, async ({ scope }) =>
    (await imports.listImports(scope)).map((record) =>
      toImport({ ...record, receivedBytes: record.fileSizeBytes, preview: null }),
    ),
  )
  add(contract.createImport, async ({ body, caller, scope }) =>
    toImport(await imports.createImport(scope, body, caller.userId)),
  )
  add(contract.getImport, async ({ params, scope }) => toImport(await imports.getImport(scope, params.id)))
  add(contract.updateImport, async ({ params, body, scope }) =>
    toImport(await imports.updateImport(scope, params.id, body)),
  )
  add(contract.checkImport, async ({ params, scope }) => toImport(await imports.checkImport(scope, params.id)))
  add(contract.startImport, async ({ params, scope }) => toImport(await imports.startImport(scope, params.id)))
  add(contract.cancelImport, async ({ params, scope }) => toImport(await imports.cancelImport(scope, params.id)))
  add(contract.undoImport, async ({ params, scope }) => toImport(await imports.undoImport(scope, params.id)))
  add(contract.watchImport, async ({ params, scope, reply }) =>
    eventStream(reply, 'import', await imports.watchImport(scope, params.id), toImport),
  )
  add(contract.exportImportRefusals, async ({ params, scope, reply }) => {
    const lines = await refusalLines(imports, scope, params.id)
    void reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="refused-rows.csv"',
    })
    return Readable.from(lines) as never
  })
}

/** The call whose body is a piece of a file. `add` is bound to where bodies arrive as streams. */
export function addImportStreamRoutes(add: AddRoute, imports: ImportUseCases): void {
  add(contract.uploadImportFile, async ({ params, scope, request, body: given }) => {
    const body: unknown = given
    if (!(body instanceof Readable)) throw new AppError('unsupported_media_type')
    const range = readRange(request.headers['content-range'])
    return toImport(await imports.uploadFile(scope, params.id, range, await readPiece(body)))
  })
}

/** `bytes 0-1048575/2097152` (RFC 9110 §14.4). */
function readRange(header: string | undefined): { start: number; total: number } {
  const parts = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15})$/.exec(header ?? '')
  if (parts) return { start: Number(parts[1]), total: Number(parts[2]) }
  const msg = 'must say which bytes follow, as bytes 0-1048575/2097152'
  throw new AppError('validation', { items: [{ loc: ['header', 'content-range'], msg, type: 'range' }] })
}

async function readPiece(body: Readable): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > importChunkBytes) throw new AppError('body_too_large')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

async function refusalLines(imports: ImportUseCases, scope: Scope, id: string): Promise<AsyncGenerator<string>> {
  const { headers, rows } = await imports.exportRefusals(scope, id)
  return (async function* () {
    yield csvLine(['line', 'reason', ...headers])
    for await (const { line, reason, cells } of rows) yield csvLine([String(line), reason, ...cells])
  })()
}

/** Cells of a preview are cut: a cell may have 64 KiB. */
const shownMaxChars = 200
const shown = (cell: string): string => cell.slice(0, shownMaxChars)

function toImport(record: ImportDetail): contract.Import {
  const { preview, mapping, state } = record
  const hasCounts = state !== 'uploading' && state !== 'mapping'
  return {
    id: String(record.id),
    file_name: record.fileName,
    size_bytes: record.fileSizeBytes,
    received_bytes: record.receivedBytes,
    state,
    encoding: record.encoding,
    delimiter: record.delimiter as contract.Import['delimiter'],
    has_header: record.hasHeader,
    mode: record.mode,
    list_id: record.listId === null ? null : String(record.listId),
    consent: record.consentText,
    columns: (preview?.headers ?? []).map((header, column) => {
      const inferred = preview?.inferred[column]
      return {
        header: shown(header),
        samples: (preview?.rows ?? []).slice(0, 3).map((cells) => shown(cells[column] ?? '')),
        target: mapping?.[column] ?? { kind: 'skip' },
        readings: (inferred?.alternatives ?? []).map((reading) => ({
          type: reading.type,
          ...('style' in reading && { style: reading.style }),
        })),
        is_long_number: inferred?.isLongNumber ?? false,
      }
    }),
    preview: (preview?.rows ?? []).map((cells) => cells.map(shown)),
    bytes_done: record.byteOffset,
    counts: hasCounts
      ? {
          added: record.added,
          updated: record.updated,
          unchanged: record.unchanged,
          refused: record.refused,
          suppressed: record.suppressed,
          repeated: record.repeated,
          empty: record.empty,
        }
      : null,
    error: record.error,
    kept: record.kept,
    undo_until: undoUntil(record)?.toISOString() ?? null,
    created_at: record.createdAt.toISOString(),
    finished_at: record.finishedAt?.toISOString() ?? null,
  }
}
