import type { IncomingMessage } from 'node:http'

/** Whether a client loads a page in advance: browsers and scanners announce it by one of these headers. */
export function announcesPrefetch({ headers }: IncomingMessage): boolean {
  return ['purpose', 'sec-purpose', 'x-moz', 'x-purpose'].some((name) =>
    /prefetch|preview|prerender/i.test([headers[name]].flat().join(',')),
  )
}
