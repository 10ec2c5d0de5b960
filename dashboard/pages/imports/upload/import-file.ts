import { uploadImportFile } from '../../../../client/audience/import.ts'
import type { Session } from '../../../../client/core/http.ts'
import { importChunkBytes, importMaxBytes } from '../../../../contract/audience/imports/import.limits.ts'
import type { Import } from '../../../../contract/audience/imports/import.ts'
import { pageLanguage } from '../../../../widgets/lib/messages/messages.ts'
import { createSha256 } from './sha256.ts'

const sharedKey = 'import-files'

/** Files under upload by the id of their import: an upload goes on after a change of screens. */
export function importFiles(session: Pick<Session, 'shared'>): Map<string, File> {
  const files = (session.shared.get(sharedKey) as Map<string, File> | undefined) ?? new Map<string, File>()
  session.shared.set(sharedKey, files)
  return files
}

/** Why a file cannot be imported, before its bytes are read; null where it can. */
export function fileProblem({ name, size }: Pick<File, 'name' | 'size'>): string | null {
  const { t } = pageLanguage
  if (size === 0) return t('The file is empty. Choose another one.')
  if (size > importMaxBytes) return t('The file is larger than 2 GiB. Split it into several files.')
  if (/\.(?:xls|xlsb|ods|numbers)$/i.test(name))
    return t('This kind of workbook cannot be read. In your spreadsheet program, save it as XLSX or CSV.')
  return null
}

async function readPiece(file: Blob, start: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await file.slice(start, start + importChunkBytes).arrayBuffer())
  } catch (cause) {
    throw new Error(pageLanguage.t('The file can no longer be read. Choose it again.'), { cause })
  }
}

/** SHA-256 of a file, read in pieces. `onRead` is given the bytes that were read. */
export async function digestFile(file: Blob, onRead: (bytes: number) => void, signal: AbortSignal): Promise<string> {
  const sum = createSha256()
  for (let start = 0; start < file.size; start += importChunkBytes) {
    signal.throwIfAborted()
    sum.update(await readPiece(file, start))
    onRead(Math.min(file.size, start + importChunkBytes))
  }
  return sum.digest()
}

/** Uploads what the server does not have of a file. `onStored` is given the import after each piece. */
export async function uploadRest(
  session: Session,
  announced: Import,
  file: Blob,
  { signal, onStored }: { signal: AbortSignal; onStored: (record: Import) => void },
): Promise<void> {
  for (let record = announced; record.state === 'uploading';) {
    const start = record.received_bytes
    const piece = new Blob([await readPiece(file, start)])
    record = await uploadImportFile(session, record.id, { start, totalBytes: file.size, piece }, { signal })
    onStored(record)
    if (record.state === 'uploading' && record.received_bytes <= start)
      throw new Error(pageLanguage.t('The file did not arrive. Upload it again.'))
  }
}
