import type { EncodedAttachment } from '../../domain/messages/delivery.ts'

/** A file of a message as `findContents` reads it. */
export interface AttachmentOfMessage {
  /** Hexadecimal. */
  sha256: string
  filename: string
  contentType: string
  sizeBytes: number
  inlineId: string | null
}

/** Bytes of a line of base64, and its characters with CRLF (RFC 2045 §6.8). */
const lineBytes = 57
const lineChars = 78

/** Encodes a file in base64 lines, once for all mails; in shared memory, so that worker threads read it without a copy. */
export async function encodeAttachment(
  { filename, contentType, sizeBytes, inlineId }: AttachmentOfMessage,
  pieces: AsyncIterable<Buffer>,
): Promise<EncodedAttachment> {
  const encodedBytes = Math.ceil(sizeBytes / lineBytes) * lineChars
  const encoded = Buffer.from(new SharedArrayBuffer(encodedBytes))
  let at = 0
  let rest: Buffer = Buffer.alloc(0)
  const add = (bytes: Buffer) => {
    const lines = bytes.toString('base64').replaceAll(/.{1,76}/g, '$&\r\n')
    at += encoded.write(lines, at, 'latin1')
  }
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece])
    const wholeBytes = bytes.length - (bytes.length % lineBytes)
    add(bytes.subarray(0, wholeBytes))
    rest = bytes.subarray(wholeBytes)
    // A piece takes about 10 ms.
    await new Promise(setImmediate)
  }
  add(rest)
  return { filename, contentType, inlineId, encoded: encoded.subarray(0, at) }
}
