import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BuiltPages } from '../../../contract/core/pages.ts'
import { temporaryFolder } from '../../../tests/support/temporary-folder.ts'
import { addPages } from './pages.ts'

let app: FastifyInstance
let folder: Awaited<ReturnType<typeof temporaryFolder>>
const publicUrl = 'https://mail.example.com'
const terms = `<!doctype html><link rel="canonical" href="{{public_url}}/termspage">${'<p>long</p>'.repeat(200)}`

beforeAll(async () => {
  folder = await temporaryFolder()
  const write = (name: string, text: string) => writeFile(join(folder.path, name), text)
  await mkdir(join(folder.path, 'assets'))
  const built: BuiltPages = {
    pages: [
      { path: '/', file: 'home.html', isListed: true },
      { path: '/termspage', file: 'terms.html', isListed: true },
      { path: '/forgot_password/{reset_token}', file: 'reset.html', isListed: false },
    ],
    notFoundFile: '404.html',
    fixedFiles: { '/favicon.ico': 'assets/icon.ico' },
  }
  await write('pages.json', JSON.stringify(built))
  await write('home.html', '<!doctype html><title>Home</title>')
  await write('terms.html', terms)
  await write('reset.html', '<!doctype html><title>Reset</title>')
  await write('404.html', '<!doctype html><title>Nothing is here</title>')
  await write('assets/icon.ico', 'icon')
  app = Fastify()
  const answerWithPage = await addPages(app, folder.path, { publicUrl, facts: {} })
  app.setNotFoundHandler((request, reply) => {
    if (!answerWithPage(request, reply)) void reply.status(404).send({ detail: 'Nothing is here.' })
  })
})
afterAll(async () => {
  await app.close()
  await folder[Symbol.asyncDispose]()
})

const open = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { accept: 'text/html,*/*', ...headers } })

it('each page has its path, with a segment for parameters, with and without a trailing slash', async () => {
  for (const [path, title] of [
    ['/', 'Home'],
    ['/forgot_password/rs_1', 'Reset'],
    ['/forgot_password/rs_1/?from=mail', 'Reset'],
  ] as const) {
    const answer = await open(path)
    expect([answer.statusCode, answer.body]).toEqual([200, expect.stringContaining(`<title>${title}</title>`)])
  }
})

it('ROUTES-21 TRIAL-22 any other path redirects to /, also one with a file extension', async () => {
  const paths = ['/whatever', '/dashboard/none', '/forgot_password/a/b', '/termspage/x']
  for (const path of [...paths, '/index.html', '/old-page.php', '/robot.txt', '/wp-login.php', '/.env']) {
    for (const accept of ['text/html,*/*', '*/*']) {
      const answer = await open(path, { accept })
      expect([answer.statusCode, answer.headers.location], `${path} as ${accept}`).toEqual([302, '/'])
    }
  }
})

it('a missing asset or call is a page with status 404 for a browser, and no page for a program', async () => {
  for (const path of ['/assets/none.js', '/email/nothing', '/api']) {
    const answer = await open(path)
    expect([answer.statusCode, answer.body], path).toEqual([404, expect.stringContaining('Nothing is here')])
    const program = await open(path, { accept: '*/*' })
    expect([program.statusCode, program.json()], path).toEqual([404, { detail: 'Nothing is here.' }])
  }
})

it('TRIAL-23 a page is served to any client that accepts HTML, by name, by a wildcard or without Accept', async () => {
  for (const accept of ['*/*', 'text/*', 'image/png, */*;q=0.1', 'text/html', '']) {
    const answer = await open('/termspage', { accept })
    expect([answer.statusCode, answer.body], accept).toEqual([200, terms.replace('{{public_url}}', publicUrl)])
  }
  const answer = await app.inject({ url: '/termspage' })
  expect(answer.raw.req.headers.accept).toBeUndefined()
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect((await app.inject({ url: '/termspage', method: 'HEAD' })).statusCode).toBe(200)
})

it('a client that does not accept HTML gets no page', async () => {
  for (const accept of ['application/json', 'image/*', '*/*;q=0', 'text/html;q=0, */*']) {
    for (const path of ['/whatever', '/termspage']) {
      const answer = await open(path, { accept })
      expect([answer.statusCode, answer.json()], accept).toEqual([404, { detail: 'Nothing is here.' }])
    }
  }
})

it('a page contains its public URL, and is compressed as the browser accepts', async () => {
  const whole = terms.replace('{{public_url}}', publicUrl)
  expect((await open('/termspage')).body).toBe(whole)
  const br = await open('/termspage', { 'accept-encoding': 'gzip, deflate, br' })
  expect(br.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(br.rawPayload).toString()).toBe(whole)
  const gzip = await open('/termspage', { 'accept-encoding': 'gzip, br;q=0' })
  expect(gzip.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(whole)
})

it('an unchanged page is not sent again', async () => {
  const first = await open('/termspage')
  expect(first.headers['cache-control']).toBe('no-cache')
  const again = await open('/termspage', { 'if-none-match': String(first.headers.etag) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

it('/robots.txt restricts crawlers to the public pages and names the sitemap', async () => {
  const { body, headers } = await app.inject('/robots.txt')
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  for (const path of ['/dashboard', '/email_confirm/', '/forgot_password/'])
    expect(body).toContain(`Disallow: ${path}\n`)
  expect(body).toContain(`Sitemap: ${publicUrl}/sitemap.xml\n`)
})

it('/sitemap.xml lists the public pages by their public URL', async () => {
  const { body } = await app.inject('/sitemap.xml')
  expect([...body.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url)).toEqual([
    `${publicUrl}/`,
    `${publicUrl}/termspage`,
  ])
})

it('/favicon.ico exists for clients that request it by default', async () => {
  const { body, headers } = await app.inject('/favicon.ico')
  expect([body, headers['content-type']]).toEqual(['icon', 'image/x-icon'])
})
