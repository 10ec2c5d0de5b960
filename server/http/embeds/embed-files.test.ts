import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../../tests/support/temporary-folder.ts'
import { addEmbedFiles } from './embed-files.ts'
import { addSecurityHeaders } from '../core/security-headers.ts'

let app: FastifyInstance
let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  folder = await temporaryFolder()
  await mkdir(join(folder.path, 'v1'))
  for (const name of ['loader.js', 'v1/client.js']) {
    const script = `console.log('${name}')`.repeat(20)
    await writeFile(join(folder.path, name), script)
    await writeFile(join(folder.path, `${name}.br`), brotliCompressSync(script))
  }
  app = Fastify()
  addSecurityHeaders(app, { isSecure: true })
  await addEmbedFiles(app, folder.path)
})
afterAll(async () => {
  await app.close()
  await folder[Symbol.asyncDispose]()
})

/** Headers of every HTTP response: about the content and the connection, not about a page. */
const transport = new Set([
  'accept-ranges',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
])
const wanted = [
  'access-control-allow-origin',
  'cache-control',
  'cross-origin-resource-policy',
  'etag',
  'last-modified',
  'timing-allow-origin',
  'vary',
  'x-content-type-options',
]

it('TRIAL-68 script responses have no page header: only nosniff, CORP, CORS and cache headers', async () => {
  for (const url of ['/embed/loader.js', '/embed/v1/client.js']) {
    for (const encoding of ['identity', 'br']) {
      const { statusCode, headers } = await app.inject({ url, headers: { 'accept-encoding': encoding } })
      expect([statusCode, headers['content-encoding']]).toEqual([200, encoding === 'br' ? 'br' : undefined])
      const names = Object.keys(headers).filter((name) => !transport.has(name))
      expect(names.sort()).toEqual(wanted)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
      })
      const again = await app.inject({
        url,
        headers: { 'accept-encoding': encoding, 'if-none-match': String(headers.etag) },
      })
      expect([again.statusCode, again.headers['content-security-policy']]).toEqual([304, undefined])
    }
  }
})

it('a page served for a missing script keeps the headers of a page', async () => {
  const { statusCode, headers } = await app.inject('/embed/none.js')
  expect(statusCode).toBe(404)
  expect(headers['content-security-policy']).toContain("default-src 'self'")
  expect(headers).not.toHaveProperty('access-control-allow-origin')
})
