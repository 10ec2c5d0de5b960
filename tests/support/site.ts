import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { extname, join, normalize } from 'node:path'

/** The headers under which the dashboard runs in production: what they forbid must not be needed (security.md, Pages). */
export const pagePolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types dompurify',
].join('; ')

const framePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; frame-ancestors 'self'; sandbox allow-same-origin"

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Serves a built folder as the server does: its files, and `page` for every other address. */
export function serveFolder(folder: string, page = 'index.html'): RequestListener {
  return (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/preview-frame') {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': framePolicy })
      response.end('<!doctype html><meta charset="utf-8"><title>Preview</title><body></body>')
      return
    }
    const path = join(folder, normalize(pathname))
    const file = extname(path) === '' ? join(folder, page) : path
    readFile(file).then(
      (content) => {
        const type = types[extname(file)] ?? 'application/octet-stream'
        response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': pagePolicy })
        response.end(content)
      },
      () => {
        response.writeHead(404)
        response.end()
      },
    )
  }
}
