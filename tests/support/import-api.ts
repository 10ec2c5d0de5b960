import { createHash } from 'node:crypto'
import type { CsvDelimiter } from '../../contract/audience/imports/csv.ts'
import type { ContactField } from '../../contract/audience/contact-field.ts'
import type { Import, ImportChoices, ImportTarget } from '../../contract/audience/imports/import.ts'
import { importChunkBytes } from '../../contract/audience/imports/import.limits.ts'
import type { List } from '../../contract/audience/list.ts'
import { detectFormat, previewFile, suggestFor } from '../../server/usecases/imports/import-file.ts'
import type { ApiServer, Reply } from './api-server.ts'
import { progressEvents } from './progress-events.ts'

const at = '2025-08-14T09:30:00.000Z'
const field = (no: number, key: string, label: string, type: ContactField['type'] = 'text'): ContactField => ({
  no,
  key,
  label,
  type,
  choices: [],
  created_at: at,
})

/** Fields of the workspace. */
const importFields = [
  field(1, 'first_name', 'First name'),
  field(2, 'last_name', 'Last name'),
  field(7, 'member_since', 'Member since', 'date'),
]

export const sampleList = (changes: Partial<List> = {}): List => ({
  id: '4',
  name: 'Newsletter',
  description: '',
  is_public: false,
  member_count: 120,
  pending_count: 0,
  unsubscribed_count: 3,
  growth_30_days: 5,
  created_at: at,
  ...changes,
})

/** The calls of one import, which keeps what is chosen as the server does: its preview is that of the server's reader. */
export function startImportApi(site: ApiServer, file: Buffer) {
  const format = detectFormat(file)
  const read = () => {
    const { encoding, delimiter, hasHeader } = format
    if (encoding === null) return null
    return previewFile(file, { encoding, delimiter: delimiter ?? ',', hasHeader: hasHeader ?? false })
  }
  let targets: ImportTarget[] = []
  const suggest = () => {
    const preview = read()
    targets = preview ? suggestFor(preview, importFields) : []
  }
  suggest()
  /** What the test sets: the state and whatever the server would count. */
  const record: Import = {
    id: '12',
    file_name: 'people.csv',
    size_bytes: file.length,
    received_bytes: 0,
    state: 'uploading',
    encoding: null,
    delimiter: null,
    has_header: null,
    mode: 'add_and_update',
    list_id: null,
    consent: null,
    columns: [],
    preview: [],
    bytes_done: 0,
    counts: null,
    error: null,
    kept: 0,
    undo_until: null,
    created_at: at,
    finished_at: null,
  }
  const shown = (): Import => {
    if (record.state === 'uploading') return record
    const preview = read()
    return {
      ...record,
      received_bytes: record.size_bytes,
      encoding: format.encoding,
      delimiter: format.delimiter as CsvDelimiter | null,
      has_header: format.hasHeader,
      preview: preview?.rows ?? [],
      columns: (preview?.headers ?? []).map((header, column) => {
        const inferred = preview?.inferred[column]
        return {
          header,
          samples: (preview?.rows ?? []).slice(0, 3).map((cells) => cells[column] ?? ''),
          target: targets[column] ?? { kind: 'skip' },
          readings: (inferred?.alternatives ?? []).map((reading) => ({
            type: reading.type,
            ...('style' in reading && { style: reading.style }),
          })),
          is_long_number: inferred?.isLongNumber ?? false,
        }
      }),
    }
  }
  const answer = (): Reply => ({ json: shown() })
  const turn = (changes: Partial<Import>): Reply => {
    Object.assign(record, changes)
    return answer()
  }
  const choose = (choices: ImportChoices) => {
    const { encoding, delimiter, has_header: hasHeader, targets: chosen, ...rest } = choices
    if (encoding !== undefined) format.encoding = encoding
    if (delimiter !== undefined) format.delimiter = delimiter
    if (hasHeader !== undefined) format.hasHeader = hasHeader
    if (chosen) targets = chosen
    else if (encoding !== undefined || delimiter !== undefined || hasHeader !== undefined) suggest()
    return turn({ ...rest, state: 'mapping' })
  }
  let storedBytes = 0
  site.on('listImports', { json: [] })
  site.on('listContactFields', { json: importFields })
  site.on('listLists', { json: [sampleList()] })
  site.on('createImport', () => ({ status: 201, json: shown() }))
  site.on('getImport', answer)
  site.on('updateImport', ({ body }) => choose(body as ImportChoices))
  site.on('uploadImportFile', ({ headers }) => {
    const [, start = 0] = /^bytes (\d+)-/.exec(headers['content-range'] ?? '') ?? []
    storedBytes = Math.min(Number(start) + importChunkBytes, record.size_bytes)
    const isLast = storedBytes === record.size_bytes
    return turn(isLast ? { state: 'mapping' } : { received_bytes: storedBytes })
  })
  site.on('watchImport', () => progressEvents(shown()))
  return {
    record,
    targets: () => targets,
    sha256: createHash('sha256').update(file).digest('hex'),
    /** Changes the state, as the server does by itself. */
    turn,
  }
}
