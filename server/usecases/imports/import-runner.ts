import { CsvFormatError, isEmptyRow, type CsvRow } from '../../../contract/audience/imports/csv.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { FieldDefinition } from '../../domain/contacts/field-value.ts'
import { createRowReader, type ImportRow } from '../../domain/imports/mapping.ts'
import type { BlobStore } from '../../store/blobs/blob.ts'
import type { ContactFieldStore } from '../../store/contacts/contact-field.ts'
import type { ImportRecord, ImportStore } from '../../store/imports/import.ts'
import type { ImportRowStore, RowBatch } from '../../store/imports/import-rows.ts'
import { createBackgroundWorker } from '../core/background-worker.ts'
import { formatSentence, readPieces } from './import-file.ts'
import { readAhead } from './read-ahead.ts'

interface Ports {
  imports: Pick<ImportStore, 'update' | 'renew' | 'addRefusals'>
  /** Takes an import of any workspace; null where none is due. */
  claim: (owner: string, now: Date, leaseMs: number) => Promise<ImportRecord | null>
  rows: ImportRowStore
  blobs: Pick<BlobStore, 'read'>
  fields: Pick<ContactFieldStore, 'list'>
  /** The scope of a task in one workspace. */
  scopeOf: (workspaceId: string) => Scope
  now: () => Date
  newId: () => string
  onError: (error: unknown) => void
}

const batchCount = 5000
const leaseMs = 10_000
const renewMs = 2500
const undoBatchCount = 1000
const serverFault: Partial<Record<ImportRecord['state'], string>> = {
  checking: 'The check stopped because of an error on our side. Check the file again.',
  running: 'The import stopped because of an error on our side. Resume it.',
  undoing: 'Taking back stopped because of an error on our side. Resume the import, then take it back again.',
}

/** PostgreSQL's code of a disk without space. */
const diskFull = '53100'

function faultSentence(error: unknown, state: ImportRecord['state']): string | undefined {
  const isDiskFull = (error as { code?: string }).code === diskFull
  return isDiskFull && state === 'running'
    ? 'The import stopped because the disk of the server is full. Free some space, then resume it.'
    : serverFault[state]
}

/** Checks, writes and takes back imports, one at a time; resumes those of a process that ended. */
export function createImportRunner(ports: Ports) {
  const owner = ports.newId()
  let isClosed = () => false

  async function run(record: ImportRecord, isClosing: () => boolean): Promise<void> {
    isClosed = isClosing
    const scope = ports.scopeOf(record.workspaceId)
    const renewal = setInterval(() => {
      void ports.imports.renew(scope, record.id, owner, new Date(ports.now().getTime() + leaseMs)).catch(ports.onError)
    }, renewMs)
    try {
      if (record.state === 'checking') await check(scope, record)
      else if (record.state === 'running') await write(scope, record)
      else await undo(scope, record)
    } catch (error) {
      if (isClosed()) return // The lease ends; another process goes on.
      if (!(error instanceof CsvFormatError)) ports.onError(error)
      const sentence = error instanceof CsvFormatError ? formatSentence(error) : faultSentence(error, record.state)
      // A check wrote nothing: its choices can be changed, and it can be started again.
      const end =
        record.state === 'checking'
          ? { state: 'mapping' as const }
          : { state: 'failed' as const, finishedAt: ports.now() }
      await ports.imports.update(scope, record.id, [record.state], { ...end, error: sentence ?? null })
    } finally {
      clearInterval(renewal)
    }
  }

  /** Fields by number, those that the import would create too. */
  async function fieldsOf(scope: Scope, record: ImportRecord) {
    const fields = new Map<number, FieldDefinition>((await ports.fields.list(scope)).map((field) => [field.no, field]))
    const targets = (record.mapping ?? []).map((target, column) => {
      if (target.kind !== 'new_field') return target
      // Numbers that no field has: nothing is written in a check.
      const no = 40_000 + column
      fields.set(no, { no, key: target.key, label: target.label, type: target.type, choices: [] })
      return { kind: 'field' as const, no, ...(target.style && { style: target.style }) }
    })
    return createRowReader(targets, fields)
  }

  async function check(scope: Scope, record: ImportRecord): Promise<void> {
    const counts = { refused: 0, empty: 0 }
    const reader = await fieldsOf(scope, record)
    async function* batches(): AsyncGenerator<ImportRow[]> {
      for await (const batch of readAhead(batchesOf(scope, record, reader))) {
        counts.refused += batch.refusals.length
        counts.empty += batch.emptyCount
        await ports.imports.update(scope, record.id, ['checking'], { byteOffset: batch.byteOffset })
        yield [...batch.rows, ...batch.replaced]
      }
    }
    const found = await ports.rows.check(scope, record.mode, batches())
    await ports.imports.update(scope, record.id, ['checking'], {
      ...found,
      ...counts,
      byteOffset: record.fileSizeBytes,
      state: 'checked',
    })
  }

  async function write(scope: Scope, record: ImportRecord): Promise<void> {
    const reader = await fieldsOf(scope, record)
    for await (const batch of readAhead(batchesOf(scope, record, reader))) {
      if (isClosed() || !(await ports.rows.write(scope, record, batch, { owner, now: ports.now() }))) return
    }
    await ports.imports.update(scope, record.id, ['running'], {
      state: 'done',
      byteOffset: record.fileSizeBytes,
      finishedAt: ports.now(),
    })
  }

  async function undo(scope: Scope, record: ImportRecord): Promise<void> {
    let keptCount = 0
    for (let after = 0; ;) {
      const page = await ports.rows.undo(scope, record.id, { after, limit: undoBatchCount, now: ports.now() })
      if (page === null || isClosed()) break
      keptCount += page.keptCount
      after = page.last
    }
    if (!isClosed()) await ports.imports.update(scope, record.id, ['undoing'], { state: 'undone', kept: keptCount })
  }

  type Batch = RowBatch & { replaced: ImportRow[] }

  /** Rows behind the stored line, in batches of different addresses. */
  async function* batchesOf(
    scope: Scope,
    record: ImportRecord,
    read: ReturnType<typeof createRowReader>,
  ): AsyncGenerator<Batch> {
    const format = {
      encoding: record.encoding ?? 'utf-8',
      delimiter: record.delimiter ?? ',',
      hasHeader: record.hasHeader ?? false,
    }
    let byKey = new Map<string, ImportRow>()
    let batch = emptyBatch()
    let count = 0
    const take = (): Batch => {
      const full = { ...batch, rows: [...byKey.values()], repeatedCount: batch.replaced.length }
      byKey = new Map()
      batch = emptyBatch()
      count = 0
      return full
    }
    const add = (row: CsvRow) => {
      batch.line = row.line
      count += 1
      if (isEmptyRow(row)) {
        batch.emptyCount += 1
        return
      }
      const found = read(row.line, row.cells)
      if (!found.ok) batch.refusals.push(found)
      else {
        const earlier = byKey.get(found.row.key)
        if (earlier) batch.replaced.push(earlier)
        byKey.set(found.row.key, found.row)
      }
    }
    for await (const { rows, byteOffset } of readPieces(ports.blobs, scope, record.fileSha256, format)) {
      batch.byteOffset = byteOffset
      for (const row of rows) {
        if (record.state === 'running' && row.line <= record.line) continue
        add(row)
        if (count < batchCount) continue
        yield take()
        batch.byteOffset = byteOffset
      }
    }
    if (count > 0) yield take()
  }

  return createBackgroundWorker({
    claim: () => ports.claim(owner, ports.now(), leaseMs),
    run,
    onError: ports.onError,
  })
}

const emptyBatch = () => ({
  replaced: [] as ImportRow[],
  refusals: [] as { line: number; reason: string; cells: string[] }[],
  emptyCount: 0,
  line: 0,
  byteOffset: 0,
})
