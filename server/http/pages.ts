import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

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

/** The frame that other people's HTML is shown in: no script, no form, no origin's power (security.md, Pages). */
const previewPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; frame-ancestors 'self'; sandbox allow-same-origin"
const previewPage = '<!doctype html><html><head><meta charset="utf-8"><title>Preview</title></head><body></body></html>'

const yearSeconds = 31_536_000

/**
 * Serves the built dashboard: files whose names hold their hash for ever, and its one page for every other address that
 * a browser opens. `folder` is where the build put it; `facts` go into the page's `<meta>` of their names.
 */
export async function addPages(
  app: FastifyInstance,
  folder: string,
  facts: Readonly<Record<string, string>>,
): Promise<(request: FastifyRequest, reply: FastifyReply) => boolean> {
  const page = withFacts(readFileSync(join(folder, 'index.html'), 'utf8'), facts)
  await app.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: yearSeconds * 1000,
    decorateReply: false,
    index: false,
  })

  app.get('/preview-frame', { helmet: { contentSecurityPolicy: false, frameguard: false } }, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': previewPolicy, 'cache-control': 'no-cache' })
      .send(previewPage),
  )

  /** Answers with the page where a browser asks for one; false where it does not. */
  return (request, reply) => {
    const wantsPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')
    if (wantsPage)
      void reply.status(200).type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page)
    return wantsPage
  }
}

/** Fills in what the page's own script reads. The values are ours, of letters and digits. */
function withFacts(page: string, facts: Readonly<Record<string, string>>): string {
  return Object.entries(facts).reduce(
    (text, [name, value]) => text.replace(`<meta name="${name}" content=""`, `<meta name="${name}" content="${value}"`),
    page,
  )
}
