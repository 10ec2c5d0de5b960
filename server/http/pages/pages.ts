import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { operations } from '../../../contract/core/operations.ts'
import { publicUrlMark, type BuiltPages } from '../../../contract/core/pages.ts'
import { acceptsHtml, namesHtml } from '../core/accepts-html.ts'
import { robotsText, sitemapText } from './crawlers.ts'
import { createPageFile, sendPage } from '../core/page-file.ts'
import { addStaticFiles } from '../core/static-files.ts'

/** What a page of ours may load. Pictures of a previewed mail come from anywhere, over https only. */
export const dashboardPolicy: Record<string, string[]> = {
  'default-src': ["'self'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:', 'https:'],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
  'form-action': ["'self'"],
  'require-trusted-types-for': ["'script'"],
  'trusted-types': ['dompurify'],
}

/** The sandboxed frame for untrusted HTML: no script, no form, no origin (security.md, Pages). */
const previewPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https: data:; frame-ancestors 'self'; sandbox allow-same-origin"
const previewPage = '<!doctype html><html><head><meta charset="utf-8"><title>Preview</title></head><body></body></html>'

/** The consent window of an embed. */
const consentPaths: readonly string[] = ['/embed/authorize', '/login']
const yearSeconds = 31_536_000

/**
 * Serves the built dashboard: hashed files with an unlimited cache time, a page per route, and the files for crawlers.
 * `folder` contains the build, `publicUrl` is the public base URL, `facts` are the values of the pages' `<meta>` elements.
 */
export async function addPages(
  app: FastifyInstance,
  folder: string,
  { publicUrl, facts }: { publicUrl: string; facts: Readonly<Record<string, string>> },
): Promise<(request: FastifyRequest, reply: FastifyReply) => boolean> {
  const built = JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8')) as BuiltPages
  const read = (file: string) =>
    createPageFile(withFacts(readFileSync(join(folder, file), 'utf8'), facts).replaceAll(publicUrlMark, publicUrl))
  const pages = built.pages.map(({ path, file }) => ({ pattern: patternOf(path), page: read(file) }))
  const notFound = read(built.notFoundFile)

  await addStaticFiles(app, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: yearSeconds * 1000,
    decorateReply: false,
    index: false,
  })
  for (const [path, file] of Object.entries(built.fixedFiles)) {
    const content = readFileSync(join(folder, file))
    app.get(path, (_request, reply) =>
      reply.type('image/x-icon').header('cache-control', 'public, max-age=86400').send(content),
    )
  }
  app.get('/robots.txt', (_request, reply) => reply.type('text/plain; charset=utf-8').send(robotsText(publicUrl)))
  const listed = built.pages.filter(({ isListed }) => isListed).map(({ path }) => publicUrl + path)
  app.get('/sitemap.xml', (_request, reply) => reply.type('application/xml').send(sitemapText(listed)))

  app.get('/preview-frame', { config: { ownPolicy: true } }, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': previewPolicy, 'cache-control': 'no-cache' })
      .send(previewPage),
  )

  /**
   * Answers a reading of any address that is no call and no file: with its page, or with the way to / where it has none
   * (spec §2). False where the client takes no HTML, and among the calls unless it is a browser.
   */
  return (request, reply) => {
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    if (!isReading || !acceptsHtml(request.headers.accept)) return false
    const path = request.url.split('?', 1)[0] ?? '/'
    const found = pages.find(({ pattern }) => pattern.test(path))
    if (found !== undefined) {
      // The page that opened this window waits for its answer, also while the person signs in elsewhere and comes back: any
      // other policy would cut the two apart.
      if (consentPaths.includes(path)) void reply.header('cross-origin-opener-policy', 'unsafe-none')
      sendPage(request, reply, found.page)
    } else if (!roomsOfCalls.has(firstOf(path))) void reply.redirect('/', 302)
    else if (namesHtml(request.headers.accept)) sendPage(request, reply, notFound, 404)
    else return false
    return true
  }
}

/** Fills in what the page's own script reads. The values are ours, of letters and digits. */
function withFacts(page: string, facts: Readonly<Record<string, string>>): string {
  return Object.entries(facts).reduce(
    (text, [name, value]) => text.replace(`<meta name="${name}" content=""`, `<meta name="${name}" content="${value}"`),
    page,
  )
}

function patternOf(path: string): RegExp {
  const pattern = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${pattern.replace(/\/$/, '')}/?$`)
}

const firstOf = (path: string) => path.split('/')[1] ?? ''
const roomsOfCalls = new Set(['assets', ...operations.map(({ path }) => firstOf(path))])
