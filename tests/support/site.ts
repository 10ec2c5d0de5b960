import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { extname, join, normalize } from 'node:path'
import Fastify from 'fastify'
import type { Manifest } from '../../commands/build/manifest.ts'
import { addPages } from '../../server/http/pages/pages.ts'
import { addSecurityHeaders } from '../../server/http/core/security-headers.ts'

/** The dashboard's production headers: the pages must not need anything they forbid (security.md, Pages). */
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

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

const root = join(import.meta.dirname, '../..')

/** The product's own address in prerendered pages. */
export const samplePublicUrl = 'https://mail.example.com'

/** Serves the built dashboard with the server's own code and headers. */
export async function serveDashboard(): Promise<RequestListener> {
  const app = Fastify()
  addSecurityHeaders(app, { isSecure: false })
  const answerWithPage = await addPages(app, join(root, 'dist/dashboard'), { publicUrl: samplePublicUrl, facts: {} })
  app.setNotFoundHandler((request, reply) => {
    if (!answerWithPage(request, reply)) void reply.status(404).send({ detail: 'Nothing is here.' })
  })
  await app.ready()
  return (request, response) => app.routing(request, response)
}

/** Serves the page with every component of the kit, as a third-party page: hostile rules, strict policy. */
export function serveGallery(): RequestListener {
  const source = join(root, 'tests/gallery')
  const built = join(root, 'dist/gallery')
  return (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const entry = /^\/(gallery|sanitiser|mails)\.js$/.exec(pathname)?.[1]
    if (pathname === '/') void sendFile(response, join(source, 'gallery.html'))
    else if (pathname === '/sanitiser') void sendFile(response, join(source, 'sanitiser.html'))
    // Only the sanitiser protects this page from hostile HTML.
    else if (pathname === '/sanitiser-alone') void sendFile(response, join(source, 'sanitiser.html'), null)
    else if (pathname === '/mails') void sendFile(response, join(source, 'mails.html'))
    else if (pathname === '/mails-alone') void sendFile(response, join(source, 'mails.html'), null)
    else if (pathname === '/page.css') void sendFile(response, join(source, 'page.css'))
    else if (entry !== undefined) {
      void readManifest(built).then((manifest) => sendFile(response, join(built, manifest[entry]?.file ?? '')))
    } else void sendFile(response, join(built, normalize(pathname)))
  }
}

/** The files that the entries of a built folder consist of. */
export async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest
}

async function sendFile(
  response: Parameters<RequestListener>[1],
  file: string,
  policy: string | null = pagePolicy,
): Promise<void> {
  const content = await readFile(file).catch(() => null) // Missing: 404.
  const type = types[extname(file)] ?? 'application/octet-stream'
  response.writeHead(content === null ? 404 : 200, {
    'Content-Type': type,
    ...(policy !== null && { 'Content-Security-Policy': policy }),
  })
  response.end(content)
}
