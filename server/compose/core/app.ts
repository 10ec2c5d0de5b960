import type { FastifyInstance } from 'fastify'
import { createCallRate } from '../../domain/limits/call-rate.ts'
import { createApp } from '../../http/core/app.ts'
import { authenticate, authenticateEmbed } from '../auth.ts'
import { authenticateHosted, hostedPageKey } from '../hosted.ts'
import * as nouns from '../nouns.ts'
import { runIdempotently } from '../operating.ts'
import { isOwnPage } from './own-pages.ts'
import type { Noun, ServerParts } from './parts.ts'

/** The HTTP app of a server, with the routes of every noun. */
export function composeApp(parts: ServerParts, pagesFolder: string): Promise<FastifyInstance> {
  const { log, metrics, publicUrl, settings, tickMs, vault, resolve } = parts
  const all = Object.values<Noun>(nouns)
  return createApp({
    log,
    authenticate: resolve(authenticate),
    authenticateEmbed: resolve(authenticateEmbed),
    authenticateHosted: resolve(authenticateHosted),
    isOwnPage: resolve(isOwnPage),
    callRate: createCallRate(settings.callsPerSecond, tickMs),
    runIdempotently: resolve(runIdempotently),
    async addHooks(app) {
      for (const noun of all) await noun.addHooks?.(app, parts)
    },
    async addRoutes(add, app) {
      for (const noun of all) await noun.addRoutes?.(add, parts, app)
    },
    addStreamRoutes(add) {
      for (const noun of all) noun.addStreamRoutes?.(add, parts)
    },
    noteRequest: (...given) => metrics.noteRequest(...given),
    publicUrl,
    cookieKey: vault.cookieKey.export(),
    pagesFolder,
    pageFacts: { 'sendwright-hosted-key': resolve(hostedPageKey) },
    trustedProxies: settings.trustedProxies,
  })
}
