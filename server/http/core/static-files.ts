import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** Serves the files of a folder. A path that the build gives no file, such as `..` or `%00`, answers 404 like a missing file. */
export async function addStaticFiles(app: FastifyInstance, options: FastifyStaticOptions): Promise<void> {
  await app.register(async (files) => {
    files.addHook('preHandler', (request, reply, done) => {
      if (isFilePath(request.url)) done()
      else reply.callNotFound()
    })
    await files.register(fastifyStatic, options)
  })
}

/** Names of built files hold letters, digits, dots, dashes and underscores: nothing that a URL encodes. */
function isFilePath(url: string): boolean {
  const path = url.split('?', 1)[0] ?? ''
  return !/[%\\]/.test(path) && !path.includes('..')
}
