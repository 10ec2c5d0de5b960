import { setImmediate } from 'node:timers/promises'
import {
  createCsvReader,
  CsvFormatError,
  detectDelimiter,
  detectHeader,
  isEmptyRow,
  readSample,
  type CsvDelimiter,
  type CsvRow,
} from '../../../contract/audience/imports/csv.ts'
import type { ImportTarget } from '../../../contract/audience/imports/import.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { FieldDefinition } from '../../domain/contacts/field-value.ts'
import { detectEncoding } from '../../../contract/audience/imports/encoding.ts'
import { csvLimits, inferColumns, suggestTargets, type ImportFormat } from '../../domain/imports/mapping.ts'
import type { InferredColumn } from '../../domain/imports/read-cell.ts'
import type { BlobStore } from '../../store/blobs/blob.ts'
import { readAhead } from './read-ahead.ts'

/** Sentences of files that are no tables. */
const formatSentences = {
  quote_unclosed: (line: number) =>
    `A quote that begins in line ${line} is not closed. Close it, then upload the file again.`,
  cell_too_long: (line: number) =>
    `A cell that begins in line ${line} is longer than 64 KiB. Check whether its quote is closed, then upload the file again.`,
  too_many_columns: (line: number) => `Line ${line} has more than 1,000 columns. Upload a file with fewer columns.`,
}

/** What the sentence of a format error says. */
export function formatSentence(error: CsvFormatError): string {
  return formatSentences[error.problem](error.line)
}

/** `file_unreadable` with its sentence. */
export function fileUnreadable(sentence: string, cause?: unknown): AppError {
  return new AppError('file_unreadable', { items: [{ loc: ['file'], msg: sentence, type: 'file' }], cause })
}

const previewRowsCount = 20

export interface FilePreview {
  headers: string[]
  /** Rows below the header; the first 20. */
  rows: string[][]
  /** Up to 200 rows below the header. */
  samples: string[][]
  inferred: InferredColumn[]
}

/** The format of a file by its first piece; null encoding: none fits. */
export function detectFormat(piece: Buffer): { [K in keyof ImportFormat]: ImportFormat[K] | null } {
  const detected = detectEncoding(piece)
  if (detected === null) return { encoding: null, delimiter: null, hasHeader: null }
  const text = decodeSample(piece, detected.encoding)
  const delimiter = detectDelimiter(text, csvLimits)
  return {
    encoding: detected.encoding,
    delimiter,
    hasHeader: detectHeader(readSample(text, delimiter, csvLimits)),
  }
}

const sampleMaxBytes = 256 * 1024

function decodeSample(piece: Buffer, encoding: string): string {
  return new TextDecoder(encoding).decode(piece.subarray(0, sampleMaxBytes), { stream: true })
}

/** Columns, types and the first rows by a format. Throws `file_unreadable`. */
export function previewFile(piece: Buffer, { encoding, delimiter, hasHeader }: ImportFormat): FilePreview {
  const reader = createCsvReader(delimiter as CsvDelimiter, csvLimits)
  let rows: CsvRow[]
  try {
    rows = reader.read(decodeSample(piece, encoding))
    if (piece.length <= sampleMaxBytes) rows.push(...reader.end())
  } catch (error) {
    if (error instanceof CsvFormatError) throw fileUnreadable(formatSentence(error), error)
    throw error
  }
  const filled = rows.filter((row) => !isEmptyRow(row))
  const columnsCount = Math.max(0, ...filled.slice(0, 200).map(({ cells }) => cells.length))
  const named = hasHeader ? (filled[0]?.cells ?? []) : []
  const headers = Array.from({ length: columnsCount }, (_, at) => named[at] ?? (hasHeader ? '' : `Column ${at + 1}`))
  const samples = filled.slice(hasHeader ? 1 : 0, 201).map(({ cells }) => cells)
  return { headers, rows: samples.slice(0, previewRowsCount), samples, inferred: inferColumns(samples, columnsCount) }
}

export const suggestFor = (
  { headers, samples, inferred }: FilePreview,
  fields: readonly FieldDefinition[],
): ImportTarget[] => suggestTargets(headers, samples, inferred, fields)

/** Rows that a piece of a file completes, empty ones too, and the number of bytes up to its end. */
export interface FilePiece {
  rows: CsvRow[]
  byteOffset: number
}

/** Bytes read at a time: a millisecond of work, so that the database does not wait long for the statements of a batch. */
const pieceBytes = 16 * 1024

/** The rows of a file below its header, piece by piece. Throws CsvFormatError. */
export async function* readPieces(
  blobs: Pick<BlobStore, 'read'>,
  scope: Scope,
  sha256: Buffer,
  { encoding, delimiter, hasHeader }: ImportFormat,
): AsyncGenerator<FilePiece> {
  const decoder = new TextDecoder(encoding)
  const reader = createCsvReader(delimiter as CsvDelimiter, csvLimits)
  let byteOffset = 0
  let isHeaderDue = hasHeader
  const below = (rows: CsvRow[]): FilePiece => {
    const header = isHeaderDue ? rows.findIndex((row) => !isEmptyRow(row)) : -1
    if (header === -1) return { rows, byteOffset }
    isHeaderDue = false
    return { rows: rows.toSpliced(header, 1), byteOffset }
  }
  for await (const bytes of readAhead(blobs.read(scope, sha256))) {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const piece = bytes.subarray(at, at + pieceBytes)
      byteOffset += piece.length
      yield below(reader.read(decoder.decode(piece, { stream: true })))
      await setImmediate()
    }
  }
  yield below(reader.read(decoder.decode()))
  yield below(reader.end())
}
