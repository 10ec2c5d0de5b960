import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A page with its encodings, each compressed at its first request. */
export interface PageFile {
  etag: string
  as: (encoding: Encoding) => Buffer
}

type Encoding = 'br' | 'gzip' | 'identity'

/** Close to the smallest, in a few milliseconds: the public address is written in after the build. */
const brotliQuality = 9

const encoders: Readonly<Record<Encoding, (content: Buffer) => Buffer>> = {
  br: (content) => brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (content) => gzipSync(content, { level: 9 }),
  identity: (content) => content,
}

/** Holds a page's HTML ready for sending. */
export function createPageFile(html: string): PageFile {
  const content = Buffer.from(html)
  const made = new Map<Encoding, Buffer>()
  return {
    etag: `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
    as(encoding) {
      const known = made.get(encoding) ?? encoders[encoding](content)
      made.set(encoding, known)
      return known
    },
  }
}

/** Sends a page, as small as the browser reads it, or 304 where it has this very one. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, page: PageFile, status = 200): void {
  const encoding = encodingFor(request.headers['accept-encoding'] ?? '')
  void reply.headers({
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
    etag: page.etag,
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
  })
  if (status === 200 && request.headers['if-none-match'] === page.etag) void reply.status(304).send()
  else void reply.status(status).type('text/html; charset=utf-8').send(page.as(encoding))
}

function encodingFor(accepted: string): Encoding {
  const offers = accepted.split(',').map((offer) => offer.trim())
  const takes = (name: string) =>
    offers.some((offer) => offer === name || (offer.startsWith(`${name};`) && !/;\s*q=0(\.0*)?$/.test(offer)))
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : 'identity'
}
