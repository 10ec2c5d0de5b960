import type { IncomingMessage } from 'node:http'

/** Whether a client loads a page in advance: browsers and scanners announce it by one of these headers. */
export function announcesPrefetch({ headers }: IncomingMessage): boolean {
  return names.some((name) => {
    const value = headers[name]
    return value !== undefined && /prefetch|preview|prerender/i.test([value].flat().join(','))
  })
}

const names = ['purpose', 'sec-purpose', 'x-moz', 'x-purpose']
