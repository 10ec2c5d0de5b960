import { createHash } from 'node:crypto'
import type { ImportChoices, ImportTarget, NewImport } from '../../../contract/audience/imports/import.ts'
import { contactFieldsMaxCount } from '../../../contract/audience/contact.limits.ts'
import { importChunkBytes, importMaxBytes, importUndoDays } from '../../../contract/audience/imports/import.limits.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { checkWorkbookSize, isWorkbook, WorkbookError } from '../../domain/imports/workbook.ts'
import type { BlobStore } from '../../store/blobs/blob.ts'
import type { ContactFieldStore } from '../../store/contacts/contact-field.ts'
import type { ImportChanges, ImportRecord, ImportStore } from '../../store/imports/import.ts'
import type { ListStore } from '../../store/lists/list.ts'
import { checkField } from '../contacts/contact-field-service.ts'
import { detectFormat, fileUnreadable, previewFile, suggestFor, type FilePreview } from './import-file.ts'

interface Ports {
  imports: Pick<ImportStore, 'create' | 'find' | 'list' | 'update' | 'start' | 'refusals' | 'clearRefusals'>
  blobs: BlobStore
  fields: Pick<ContactFieldStore, 'list'>
  lists: Pick<ListStore, 'listExisting'>
  /** The first sheet of an XLSX file as CSV. Throws WorkbookError. */
  readWorkbook: (file: Buffer) => Promise<Buffer>
  /** Wakes the process that checks, writes and takes back. */
  wake: () => void
  now: () => Date
}

/** An import with what its file shows. */
export interface ImportDetail extends ImportRecord {
  receivedBytes: number
  /** Null before the file is complete, and where it cannot be read. */
  preview: FilePreview | null
}

const chosenStates = ['mapping', 'checked'] as const
const dayMs = 86_400_000

const fileDeleted = 'The file of this import was deleted 7 days after it stopped. Import the file again.'

/** Manages the imports of a workspace. */
export function createImportService({ imports, blobs, fields, lists, readWorkbook, wake, now }: Ports) {
  const known = async (scope: Scope, id: string): Promise<ImportRecord> => {
    const record = /^[1-9]\d{0,17}$/.test(id) ? await imports.find(scope, Number(id)) : null
    if (record === null) throw new AppError('import_not_found')
    return record
  }

  const detail = async (scope: Scope, record: ImportRecord): Promise<ImportDetail> => {
    const { state, fileSha256, fileSizeBytes, encoding, delimiter, hasHeader } = record
    if (state === 'uploading') {
      const count = await blobs.countChunks(scope, fileSha256)
      return { ...record, receivedBytes: Math.min(count * importChunkBytes, fileSizeBytes), preview: null }
    }
    const piece = await blobs.readChunk(scope, fileSha256, 0)
    if (piece === null || encoding === null) return { ...record, receivedBytes: fileSizeBytes, preview: null }
    const read = readable(() =>
      previewFile(piece, { encoding, delimiter: delimiter ?? ',', hasHeader: hasHeader ?? false }),
    )
    const error = record.error ?? (read.ok ? null : read.sentence)
    return { ...record, error, receivedBytes: fileSizeBytes, preview: read.ok ? read.value : null }
  }

  const change = async (
    scope: Scope,
    record: ImportRecord,
    states: readonly ImportRecord['state'][],
    changes: ImportChanges,
  ): Promise<ImportRecord> => {
    const changed = await imports.update(scope, record.id, states, changes)
    if (changed === null) throw new AppError('import_state')
    return changed
  }

  /** After the last piece: checks the sum, detects the format, suggests targets. Throws `checksum_mismatch`. */
  const complete = async (scope: Scope, record: ImportRecord): Promise<ImportRecord> => {
    const hash = createHash('sha256')
    for await (const bytes of blobs.read(scope, record.fileSha256)) hash.update(bytes)
    if (!hash.digest().equals(record.fileSha256)) {
      await blobs.remove(scope, record.fileSha256)
      await announce(scope, record)
      const item = { loc: ['file'], msg: 'arrived damaged; upload it again', type: 'checksum' }
      throw new AppError('checksum_mismatch', { items: [item] })
    }
    const first = (await blobs.readChunk(scope, record.fileSha256, 0)) ?? Buffer.alloc(0)
    const table = isWorkbook(first) ? await storeSheet(scope, record) : null
    const piece = table?.piece ?? first
    const format = detectFormat(piece)
    return change(scope, record, ['uploading'], {
      ...format,
      ...table?.file,
      ...(await suggestions(scope, piece, format)),
      state: 'mapping',
    })
  }

  const announce = (scope: Scope, { fileSha256, fileSizeBytes }: Pick<ImportRecord, 'fileSha256' | 'fileSizeBytes'>) =>
    blobs.create(scope, {
      sha256: fileSha256,
      sizeBytes: fileSizeBytes,
      contentType: 'application/octet-stream',
      chunkCount: Math.ceil(fileSizeBytes / importChunkBytes),
      createdAt: now(),
    })

  /**
   * Stores the first sheet of a workbook as CSV, which is what the import reads from then on. Throws `file_unreadable`;
   * the file has to be uploaded again then.
   */
  const storeSheet = async (scope: Scope, record: ImportRecord) => {
    try {
      checkWorkbookSize(record.fileSizeBytes)
      const pieces: Buffer[] = []
      for await (const bytes of blobs.read(scope, record.fileSha256)) pieces.push(bytes)
      const csv = await readWorkbook(Buffer.concat(pieces))
      if (csv.length === 0) throw fileUnreadable('The first sheet is empty. Choose another file.')
      const file = { fileSha256: createHash('sha256').update(csv).digest(), fileSizeBytes: csv.length }
      await announce(scope, file)
      for (let start = 0, no = 0; start < csv.length; start += importChunkBytes, no += 1)
        await blobs.addChunk(scope, file.fileSha256, no, csv.subarray(start, start + importChunkBytes))
      return { file, piece: csv.subarray(0, importChunkBytes) }
    } catch (error) {
      await blobs.remove(scope, record.fileSha256)
      await announce(scope, record)
      throw error instanceof WorkbookError ? fileUnreadable(error.message, error) : error
    }
  }

  const suggestions = async (
    scope: Scope,
    piece: Buffer,
    { encoding, delimiter, hasHeader }: ReturnType<typeof detectFormat>,
  ): Promise<{ mapping: string | null }> => {
    if (encoding === null) return { mapping: null }
    const read = readable(() =>
      previewFile(piece, { encoding, delimiter: delimiter ?? ',', hasHeader: hasHeader ?? false }),
    )
    return { mapping: read.ok ? JSON.stringify(suggestFor(read.value, await fields.list(scope))) : null }
  }

  return {
    /** Newest first. */
    listImports: (scope: Scope) => imports.list(scope),

    /** Throws `file_too_large`. A file that is stored already needs no upload. */
    async createImport(
      scope: Scope,
      { file_name: fileName, size_bytes: sizeBytes, sha256 }: NewImport,
      userId: string,
    ): Promise<ImportDetail> {
      if (sizeBytes > importMaxBytes) throw new AppError('file_too_large')
      if (sizeBytes === 0) throw fileUnreadable('The file is empty. Choose another one.')
      const file = { fileSha256: Buffer.from(sha256, 'hex'), fileSizeBytes: sizeBytes }
      await announce(scope, file)
      const record = await imports.create(scope, { ...file, fileName, createdBy: userId, createdAt: now() })
      const count = await blobs.countChunks(scope, file.fileSha256)
      return detail(scope, count * importChunkBytes >= sizeBytes ? await complete(scope, record) : record)
    },

    /** Stores a piece that begins at `start`. Throws `import_not_found`, `import_state`, `validation`, `checksum_mismatch`. */
    async uploadFile(
      scope: Scope,
      id: string,
      { start, total }: { start: number; total: number },
      bytes: Buffer,
    ): Promise<ImportDetail> {
      const record = await known(scope, id)
      if (record.state !== 'uploading') throw new AppError('import_state')
      const isLast = start + bytes.length === record.fileSizeBytes
      const isPiece =
        start % importChunkBytes === 0 && (bytes.length === importChunkBytes || isLast) && bytes.length > 0
      if (total !== record.fileSizeBytes || !isPiece) {
        const msg = `must name a piece of ${importChunkBytes} bytes, the last one less, of ${record.fileSizeBytes} bytes`
        throw new AppError('validation', { items: [{ loc: ['header', 'content-range'], msg, type: 'range' }] })
      }
      await blobs.addChunk(scope, record.fileSha256, start / importChunkBytes, bytes)
      const count = await blobs.countChunks(scope, record.fileSha256)
      return detail(scope, count * importChunkBytes >= record.fileSizeBytes ? await complete(scope, record) : record)
    },

    /** Throws `import_not_found`. */
    getImport: async (scope: Scope, id: string) => detail(scope, await known(scope, id)),

    /** Throws `import_not_found`, `import_state`, `list_not_found`, `field_not_found`, `validation`. */
    async updateImport(scope: Scope, id: string, choices: ImportChoices): Promise<ImportDetail> {
      const record = await known(scope, id)
      const { encoding, delimiter, has_header: hasHeader, targets, mode, list_id: listId, consent } = choices
      if (typeof listId === 'string' && !(await lists.listExisting(scope, [listId])).has(listId))
        throw new AppError('list_not_found')
      const format = {
        encoding: encoding ?? record.encoding,
        delimiter: delimiter ?? record.delimiter,
        hasHeader: hasHeader ?? record.hasHeader,
      }
      const isFormat = encoding !== undefined || delimiter !== undefined || hasHeader !== undefined
      if (targets !== undefined) await checkTargets(scope, targets)
      const piece = isFormat && targets === undefined ? await blobs.readChunk(scope, record.fileSha256, 0) : null
      const changed = await change(scope, record, chosenStates, {
        ...format,
        ...(piece && (await suggestions(scope, piece, format))),
        ...(targets !== undefined && { mapping: JSON.stringify(targets) }),
        ...(mode !== undefined && { mode }),
        ...(listId !== undefined && { listId: listId === null ? null : Number(listId) }),
        ...(consent !== undefined && { consentText: consent.trim() || null }),
        // What was checked is not what will be written any more.
        state: 'mapping',
        checkedSha256: null,
        error: null,
      })
      return detail(scope, changed)
    },

    /** Throws `import_not_found`, `import_state`, `email_column_missing`, `encoding_unknown`, `file_unreadable`. */
    async checkImport(scope: Scope, id: string): Promise<ImportDetail> {
      const record = await known(scope, id)
      if (record.encoding === null) {
        const item = { loc: ['encoding'], msg: 'cannot be detected; choose it', type: 'encoding' }
        throw new AppError('encoding_unknown', { items: [item] })
      }
      requireEmail(record.mapping)
      const { preview } = await detail(scope, record)
      if (preview?.samples.length === 0)
        throw fileUnreadable('The file has no rows below its header. Choose another one.')
      await imports.clearRefusals(scope, record.id)
      const changed = await change(scope, record, chosenStates, {
        state: 'checking',
        byteOffset: 0,
        leaseUntil: null,
        error: null,
        ...noCounts,
      })
      wake()
      return detail(scope, changed)
    },

    /** Throws `import_not_found`, `import_state`, `email_column_missing`, `field_exists`, `field_limit_reached`, `file_unreadable`. */
    async startImport(scope: Scope, id: string): Promise<ImportDetail> {
      const record = await known(scope, id)
      requireEmail(record.mapping)
      if (record.state === 'failed') {
        if ((await blobs.readChunk(scope, record.fileSha256, 0)) === null) throw fileUnreadable(fileDeleted)
        const resumed = await change(scope, record, ['failed'], {
          state: 'running',
          leaseUntil: null,
          error: null,
          finishedAt: null,
        })
        wake()
        return detail(scope, resumed)
      }
      if (record.state !== 'checked') throw new AppError('import_state')
      await begin(scope, record)
      const started = await known(scope, id)
      wake()
      return detail(scope, started)
    },

    /** Throws `import_not_found`, `import_state`. */
    async cancelImport(scope: Scope, id: string): Promise<ImportDetail> {
      const record = await known(scope, id)
      const isBefore = record.state === 'checking'
      const changes = isBefore ? { state: 'mapping' as const } : { state: 'cancelled' as const, finishedAt: now() }
      const states = isBefore
        ? (['checking'] as const)
        : (['uploading', 'mapping', 'checked', 'running', 'failed'] as const)
      return detail(scope, await change(scope, record, states, changes))
    },

    /** Throws `import_not_found`, `import_state`, also after 30 days. */
    async undoImport(scope: Scope, id: string): Promise<ImportDetail> {
      const record = await known(scope, id)
      const until = undoUntil(record)
      if (until === null || until <= now()) throw new AppError('import_state')
      const undone = await change(scope, record, ['done', 'cancelled'], { state: 'undoing', kept: 0, leaseUntil: null })
      wake()
      return detail(scope, undone)
    },

    /** Throws `import_not_found`. */
    async exportRefusals(scope: Scope, id: string) {
      const record = await known(scope, id)
      const { preview } = await detail(scope, record)
      return { headers: preview?.headers ?? [], rows: imports.refusals(scope, record.id) }
    },
  }

  async function checkTargets(scope: Scope, targets: readonly ImportTarget[]): Promise<void> {
    if (targets.filter(({ kind }) => kind === 'email').length > 1) {
      const msg = 'gives the address to two columns; keep one'
      throw new AppError('validation', { items: [{ loc: ['body', 'targets'], msg, type: 'email' }] })
    }
    const existing = new Set((await fields.list(scope)).map(({ no }) => no))
    if (targets.some((target) => target.kind === 'field' && !existing.has(target.no)))
      throw new AppError('field_not_found')
  }

  /** Starts a checked import with the new fields of its mapping, all or nothing. */
  async function begin(scope: Scope, record: ImportRecord): Promise<void> {
    const targets = record.mapping ?? []
    const made = targets.filter((target) => target.kind === 'new_field')
    const outcome = await imports.start(scope, record.id, {
      fields: made.map(({ key, label, type }) => checkField({ key, label: label || key, type })),
      fieldsMaxCount: contactFieldsMaxCount,
      at: now(),
      mappingOf(numbers) {
        const rest = [...numbers]
        return JSON.stringify(
          targets.map((target) =>
            target.kind === 'new_field'
              ? { kind: 'field', no: rest.shift(), ...(target.style && { style: target.style }) }
              : target,
          ),
        )
      },
    })
    if (outcome === 'started') return
    throw new AppError(
      { taken: 'field_exists', limit: 'field_limit_reached', state: 'import_state' }[outcome] as 'import_state',
    )
  }
}

const noCounts = { added: 0, updated: 0, unchanged: 0, refused: 0, suppressed: 0, repeated: 0, empty: 0 }

/** Until when an import can be taken back; null where it cannot. */
export function undoUntil({ state, finishedAt, added, updated }: ImportRecord): Date | null {
  const isWritten = (state === 'done' || state === 'cancelled') && added + updated > 0
  return isWritten && finishedAt ? new Date(finishedAt.getTime() + importUndoDays * dayMs) : null
}

function requireEmail(targets: readonly ImportTarget[] | null): void {
  if (targets?.some(({ kind }) => kind === 'email')) return
  const item = { loc: ['targets'], msg: 'need a column for the address; choose one', type: 'email' }
  throw new AppError('email_column_missing', { items: [item] })
}

/** What a file shows, or why it cannot be read. */
function readable<T>(read: () => T): { ok: true; value: T } | { ok: false; sentence: string } {
  try {
    return { ok: true, value: read() }
  } catch (error) {
    if (error instanceof AppError) return { ok: false, sentence: error.items[0]?.msg ?? error.message }
    throw error
  }
}
