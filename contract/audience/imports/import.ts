import { Type, type Static } from 'typebox'
import { defineOperation, routeOf } from '../../core/operation.ts'
import { csvDelimiters, dateStyles, decimalStyles, importModes, textEncodings } from './csv.ts'
import { fieldKeyMaxChars, fieldLabelMaxChars } from '../contact.limits.ts'
import { importChunkBytes, importColumnsMaxCount } from './import.limits.ts'
import * as routes from './import.routes.ts'
import { fieldTypes } from '../segment-rule.ts'

export const importStates = [
  'uploading',
  'mapping',
  'checking',
  'checked',
  'running',
  'done',
  'cancelled',
  'failed',
  'undoing',
  'undone',
] as const
export type ImportState = (typeof importStates)[number]

const style = Type.Enum([...dateStyles, ...decimalStyles])
const Target = Type.Union([
  Type.Object({ kind: Type.Enum(['skip', 'email', 'list', 'locale', 'timezone']) }),
  Type.Object({
    kind: Type.Literal('field'),
    no: Type.Integer({ minimum: 1, maximum: 32_767 }),
    style: Type.Optional(style),
  }),
  Type.Object({
    kind: Type.Literal('new_field'),
    key: Type.String({ maxLength: fieldKeyMaxChars }),
    label: Type.String({ maxLength: fieldLabelMaxChars }),
    type: Type.Enum([...fieldTypes]),
    style: Type.Optional(style),
  }),
])
/** Where the cells of a column go; `list`: the cell names the lists, separated by commas. */
export type ImportTarget = Static<typeof Target>

const counts = {
  added: Type.Integer({ description: 'New contacts' }),
  updated: Type.Integer({ description: 'Changed contacts' }),
  unchanged: Type.Integer(),
  refused: Type.Integer({ description: 'Rows that are not valid' }),
  suppressed: Type.Integer({ description: 'Rows of contacts that get no mail; they keep their status' }),
  repeated: Type.Integer({ description: 'Rows whose address a later row has' }),
  empty: Type.Integer({ description: 'Rows without a value, skipped' }),
}
const ImportCounts = Type.Object(counts)
export type ImportCounts = Static<typeof ImportCounts>

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(shape: T) => Type.Union([shape, Type.Null()])

const Import = Type.Object({
  id: Type.String(),
  file_name: Type.String(),
  size_bytes: Type.Integer(),
  received_bytes: Type.Integer({ description: 'Bytes at the beginning of the file that are stored' }),
  state: Type.Enum([...importStates]),
  encoding: orNull(Type.Enum([...textEncodings])),
  delimiter: orNull(Type.Enum([...csvDelimiters])),
  has_header: orNull(Type.Boolean()),
  mode: Type.Enum([...importModes]),
  list_id: orNull(Type.String()),
  consent: orNull(Type.String({ description: 'Source and wording of the consent' })),
  columns: Type.Array(
    Type.Object({
      header: Type.String(),
      samples: Type.Array(Type.String()),
      target: Target,
      readings: Type.Array(Type.Object({ type: Type.Enum([...fieldTypes]), style: Type.Optional(style) }), {
        description: 'How the column can be read; more than one is a choice',
      }),
      is_long_number: Type.Boolean({ description: 'Numbers of more than 15 digits are kept as text' }),
    }),
  ),
  preview: Type.Array(Type.Array(Type.String()), { description: 'The first 20 rows' }),
  bytes_done: Type.Integer({ description: 'Progress of the check or of the import' }),
  counts: orNull(ImportCounts),
  error: orNull(Type.String()),
  kept: Type.Integer({ description: 'Contacts that an import taken back could not restore' }),
  undo_until: orNull(Type.String({ description: 'ISO 8601, UTC' })),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
  finished_at: orNull(Type.String({ description: 'ISO 8601, UTC' })),
})
/** An import of contacts from a file. */
export type Import = Static<typeof Import>

const NewImport = Type.Object({
  file_name: Type.String({ minLength: 1, maxLength: 255 }),
  size_bytes: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Of the whole file, hexadecimal' }),
})
export type NewImport = Static<typeof NewImport>

const ImportChoices = Type.Object({
  encoding: Type.Optional(Type.Enum([...textEncodings])),
  delimiter: Type.Optional(Type.Enum([...csvDelimiters])),
  has_header: Type.Optional(Type.Boolean()),
  targets: Type.Optional(Type.Array(Target, { maxItems: importColumnsMaxCount, description: 'One for each column' })),
  mode: Type.Optional(Type.Enum([...importModes])),
  list_id: Type.Optional(orNull(Type.String({ maxLength: 40 }))),
  consent: Type.Optional(Type.String({ maxLength: 2000 })),
})
/** What the person chooses; changes of the format suggest new targets. */
export type ImportChoices = Static<typeof ImportChoices>

const byId = Type.Object({ id: Type.String({ maxLength: 40 }) })
const answer = { 200: { description: 'The import.', body: Import } }
const shared = { access: 'member', permission: 'contacts:write', params: byId } as const

export const listImports = defineOperation({
  name: 'listImports',
  summary: 'The last 100 imports, newest first, without their columns',
  ...routeOf(routes.listImports),
  access: 'member',
  permission: 'contacts:write',
  answers: { 200: { description: 'The imports.', body: Type.Array(Import) } },
  errors: [],
})

export const createImport = defineOperation({
  name: 'createImport',
  summary: 'Create an import of a file; its bytes follow in pieces',
  ...routeOf(routes.createImport),
  access: 'member',
  permission: 'contacts:write',
  body: NewImport,
  answers: { 201: { description: 'The import.', body: Import } },
  errors: ['file_too_large', 'file_unreadable'],
})

export const uploadImportFile = defineOperation({
  name: 'uploadImportFile',
  summary: `A piece of the file: ${importChunkBytes} bytes, the last one less; Content-Range says which`,
  ...routeOf(routes.uploadImportFile),
  ...shared,
  bodyMedia: ['application/octet-stream'],
  answers: answer,
  errors: ['import_not_found', 'import_state', 'checksum_mismatch', 'file_unreadable', 'body_too_large', 'validation'],
})

export const getImport = defineOperation({
  name: 'getImport',
  summary: 'An import with its columns, its preview and its progress',
  ...routeOf(routes.getImport),
  ...shared,
  answers: answer,
  errors: ['import_not_found'],
})

export const updateImport = defineOperation({
  name: 'updateImport',
  summary: 'Change format, targets, list or consent of an import that has not started',
  ...routeOf(routes.updateImport),
  ...shared,
  body: ImportChoices,
  answers: answer,
  errors: ['import_not_found', 'import_state', 'list_not_found', 'field_not_found', 'file_unreadable'],
})

export const checkImport = defineOperation({
  name: 'checkImport',
  summary: 'Count what the import would do; nothing is written',
  ...routeOf(routes.checkImport),
  ...shared,
  answers: answer,
  errors: ['import_not_found', 'import_state', 'email_column_missing', 'encoding_unknown', 'file_unreadable'],
})

export const startImport = defineOperation({
  name: 'startImport',
  summary: 'Start a checked import, or resume one that failed',
  ...routeOf(routes.startImport),
  ...shared,
  answers: answer,
  errors: ['import_not_found', 'import_state', 'email_column_missing', 'field_exists', 'field_limit_reached'],
})

export const cancelImport = defineOperation({
  name: 'cancelImport',
  summary: 'Cancel an import; rows that are written stay',
  ...routeOf(routes.cancelImport),
  ...shared,
  answers: answer,
  errors: ['import_not_found', 'import_state'],
})

export const undoImport = defineOperation({
  name: 'undoImport',
  summary: 'Undo an import, within 30 days',
  ...routeOf(routes.undoImport),
  ...shared,
  answers: answer,
  errors: ['import_not_found', 'import_state'],
})

export const watchImport = defineOperation({
  name: 'watchImport',
  summary: 'The progress of an import as server-sent events named `import`, until its state stays',
  ...routeOf(routes.watchImport),
  ...shared,
  answers: { 200: { description: 'One event now and one for each change.', media: 'text/event-stream', body: Import } },
  errors: ['import_not_found'],
})

export const exportImportRefusals = defineOperation({
  name: 'exportImportRefusals',
  summary: 'Refused rows as CSV: line, reason and the original cells',
  ...routeOf(routes.exportImportRefusals),
  ...shared,
  answers: { 200: { description: 'The rows.', media: 'text/csv', body: Type.String() } },
  errors: ['import_not_found'],
})
