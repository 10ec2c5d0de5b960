import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'

/** A stream whose content can be compared once it was read. */
export interface DigestedStream {
  /** The same bytes; to be read in place of the stream. */
  body: Readable
  /** The digest of what has been read of it, base64. */
  digest: () => string
  /** Discards the rest of the stream and returns the digest of all of it. */
  rest: () => Promise<string>
}

/** Takes a stream's digest as it is read. */
export function digestStream(stream: Readable): DigestedStream {
  const hash = createHash('sha256')
  async function* pass() {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      hash.update(chunk)
      yield chunk
    }
  }
  const body = Readable.from(pass(), { objectMode: false })
  const digest = () => hash.copy().digest('base64')
  return {
    body,
    digest,
    async rest() {
      body.resume()
      await finished(body)
      return digest()
    },
  }
}
