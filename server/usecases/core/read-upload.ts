import type { Readable } from 'node:stream'
import type { AppError } from '../../../contract/core/errors.ts'

/** Reads the body of an upload into memory, up to `maxBytes`; a larger one is refused and read no further. */
export async function readUpload(body: Readable, maxBytes: number, tooLarge: () => AppError): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > maxBytes) throw tooLarge()
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
