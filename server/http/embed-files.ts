import { basename, dirname } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { createPreloads } from './embed-preloads.ts'

/** How long a browser keeps `/embed/loader.js` and `/embed/embed.json`, the newest; and for how long it may show it while it asks again. */
const loaderFreshSeconds = 300
const loaderStaleSeconds = 86_400
const yearSeconds = 31_536_000

/**
 * Serves `/embed/loader.js` and `/embed/<version>/…` to every origin. A version's files never change; packed ones lie
 * beside them. `folder` is where they are published.
 */
export async function addEmbedFiles(app: FastifyInstance, folder: string): Promise<void> {
  const preloadsOf = createPreloads(folder)
  await app.register(fastifyStatic, {
    root: folder,
    prefix: '/embed/',
    preCompressed: true,
    cacheControl: false,
    decorateReply: false,
    index: false,
    dotfiles: 'ignore',
    setHeaders(reply, path, { mtimeMs: modifiedMs }) {
      const isLoader = basename(path).startsWith('loader.js')
      const link = isLoader ? preloadsOf({ path, modifiedMs }, reply.request.query as object) : null
      if (link !== null) void reply.header('link', link)
      const isNewest = dirname(path) === folder && /^(loader\.js|embed\.json)/.test(basename(path))
      reply.headers({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'timing-allow-origin': '*',
        'cache-control': isNewest
          ? `public, max-age=${loaderFreshSeconds}, stale-while-revalidate=${loaderStaleSeconds}`
          : `public, max-age=${yearSeconds}, immutable`,
        vary: 'accept-encoding',
      })
    },
  })
}
