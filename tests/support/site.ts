import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { extname, join, normalize } from 'node:path'
import type { Manifest } from '../../commands/build/manifest.ts'

/** The headers under which the dashboard runs in production: what they forbid must not be needed (security.md, Pages). */
const pagePolicy = [
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

const root = join(import.meta.dirname, '../..')

/** Serves the built dashboard as the server does: its files, and its one page for every other address. */
export function serveDashboard(): RequestListener {
  const folder = join(root, 'dist/dashboard')
  return (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/preview-frame') {
      response.writeHead(200, { 'Content-Type': types['.html'], 'Content-Security-Policy': framePolicy })
      response.end('<!doctype html><meta charset="utf-8"><title>Preview</title><body></body>')
      return
    }
    const isFile = pathname.startsWith('/assets/')
    void sendFile(response, join(folder, isFile ? normalize(pathname) : 'index.html'))
  }
}

/** Serves the page with every component of the kit, as a page of somebody else: hostile rules, strict policy. */
export function serveGallery(): RequestListener {
  const source = join(root, 'tests/gallery')
  const built = join(root, 'dist/gallery')
  return (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const entry = /^\/(gallery|sanitiser)\.js$/.exec(pathname)?.[1]
    if (pathname === '/') void sendFile(response, join(source, 'gallery.html'))
    else if (pathname === '/sanitiser') void sendFile(response, join(source, 'sanitiser.html'))
    // Nothing but the sanitiser stands between hostile HTML and this one.
    else if (pathname === '/sanitiser-alone') void sendFile(response, join(source, 'sanitiser.html'), null)
    else if (pathname === '/page.css') void sendFile(response, join(source, 'page.css'))
    else if (entry !== undefined) {
      void readManifest(built).then((manifest) => sendFile(response, join(built, manifest[entry]?.file ?? '')))
    } else void sendFile(response, join(built, normalize(pathname)))
  }
}

/** Which files the entries of a built folder consist of. */
export async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest
}

async function sendFile(
  response: Parameters<RequestListener>[1],
  file: string,
  policy: string | null = pagePolicy,
): Promise<void> {
  const content = await readFile(file).catch(() => null) // Not there: 404.
  const type = types[extname(file)] ?? 'application/octet-stream'
  response.writeHead(content === null ? 404 : 200, {
    'Content-Type': type,
    ...(policy !== null && { 'Content-Security-Policy': policy }),
  })
  response.end(content)
}
