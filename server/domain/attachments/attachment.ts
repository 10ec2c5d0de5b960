import { filenameMaxChars } from '../../../contract/files/attachment.limits.ts'

/** A file of a message, campaign or template: its bytes are a blob. */
export interface AttachmentRow {
  sha256: Buffer
  filename: string
  contentType: string
  sizeBytes: number
  /** Content-ID of an image that the body shows; null for a file of its own. */
  inlineId: string | null
}

/** Whose files they are. */
export interface AttachmentOwner {
  kind: 'template' | 'campaign' | 'message'
  id: string
}

/** An uploaded file. */
export interface UploadRow extends Omit<AttachmentRow, 'inlineId'> {
  id: string
}

/** A file name without folders, control and bidirectional characters; never empty. */
export function cleanFilename(given: string): string {
  const name = given
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu, '')
  const own = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).trim()
  const dot = own.lastIndexOf('.')
  const extension = dot > 0 && own.length - dot <= 16 ? own.slice(dot) : ''
  const stem = own.slice(0, own.length - extension.length).slice(0, filenameMaxChars - extension.length)
  return `${stem}${extension}`.toWellFormed() || 'attachment'
}

/** Types of texts, which have no signature, by extension. */
const textTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  htm: 'text/html',
  html: 'text/html',
  ics: 'text/calendar',
  json: 'application/json',
  md: 'text/markdown',
  svg: 'image/svg+xml',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  vcf: 'text/vcard',
  xml: 'application/xml',
}

/** The type of a file without a signature. */
export function typeOfName(filename: string): string {
  return textTypes[filename.slice(filename.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream'
}
