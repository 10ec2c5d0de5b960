import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { loaderFiles } from '../../../contract/embed/embed-files.ts'
import { removePageHeaders } from '../core/security-headers.ts'
import { addStaticFiles } from '../core/static-files.ts'

/** How long a browser keeps `/embed/loader.js` and its like, the newest; and for how long it may show it while it asks again. */
const loaderFreshSeconds = 300
const loaderStaleSeconds = 86_400
const yearSeconds = 31_536_000

/**
 * Serves `/embed/loader.js`, the loaders with a widget in them and `/embed/<version>/…` to every origin. A version's files
 * never change; packed ones lie beside them. `folder` is where they are published.
 */
export async function addEmbedFiles(app: FastifyInstance, folder: string): Promise<void> {
  const newest = new Set(['embed.json', ...loaderFiles].map((name) => join(folder, name)))
  await addStaticFiles(app, {
    root: folder,
    prefix: '/embed/',
    preCompressed: true,
    cacheControl: false,
    decorateReply: false,
    index: false,
    dotfiles: 'ignore',
    setHeaders(reply, path) {
      removePageHeaders(reply)
      const isNewest = newest.has(path.replace(/\.(br|gz)$/, ''))
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
