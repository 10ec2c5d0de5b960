import { documentMaxBytes } from '../../../contract/hosted/hosted.limits.ts'
import type { DocumentData } from '../auth/hosted.ts'

/** Whether a document's data is larger than 256 kB, as JSON text in UTF-8. */
export function isTooLarge(data: DocumentData): boolean {
  return Buffer.byteLength(JSON.stringify(data)) > documentMaxBytes
}
