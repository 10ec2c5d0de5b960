import fastifyCookie from '@fastify/cookie'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify'
import { AppError } from '../../../contract/core/errors.ts'
import { bodyMaxBytes } from '../../../contract/core/limits.ts'
import { operations } from '../../../contract/core/operations.ts'
import { addPages } from '../pages/pages.ts'
import { answerError } from './errors.ts'
import { parseJsonBody } from './json-body.ts'
import { isLoopbackRequest } from './loopback-request.ts'
import { createAddRoute, type AddRoute, type RouteParts } from './route.ts'
import { addSecurityHeaders } from './security-headers.ts'
import { createSerializerCompiler } from '../shapes/serialization.ts'
import { createValidatorCompiler } from '../shapes/validation.ts'

/** What the HTTP side needs. The three functions add what each noun brings. */
export interface AppParts extends Omit<RouteParts, 'isLoopback'> {
  log: FastifyBaseLogger
  addHooks: (app: FastifyInstance) => Promise<void>
  addRoutes: (add: AddRoute, app: FastifyInstance) => Promise<void>
  addStreamRoutes: (add: AddRoute) => void
  noteRequest: (operation: string, status: number, durationMs: number) => void
  publicUrl: string
  cookieKey: Buffer
  pagesFolder: string
  /** What our own pages read from their `meta` elements, by name. */
  pageFacts: Readonly<Record<string, string>>
  /** Proxies whose X-Forwarded-For names the client. */
  trustedProxies: readonly string[]
}

/** Builds the HTTP app from its routes and hooks. It does not listen. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: parts.log,
    // Fastify's own lines hold the address; ours do not.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyMaxBytes,
    trustProxy: parts.trustedProxies.length > 0 && [...parts.trustedProxies],
    frameworkErrors: answerError,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512 },
  })
  const routes: string[] = []
  app.addHook('onRoute', ({ method, url, config }) => {
    if (method !== 'HEAD') routes.push(`${[method].flat().at(-1) ?? ''} ${config?.operation?.path ?? url}`)
  })
  app.addHook('onReady', (done) => {
    parts.log.debug({ routes }, 'routes')
    done()
  })
  app.setValidatorCompiler(createValidatorCompiler())
  app.setSerializerCompiler(createSerializerCompiler())
  app.setErrorHandler(answerError)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJsonBody(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  app.decorateRequest('caller', null)
  app.decorateRequest('scope', null)
  await parts.addHooks(app)
  app.addHook('onRequest', refuseCompressedBody)
  app.addHook('onResponse', logRequest)
  app.addHook('onResponse', (request, reply, done) => {
    const { operation } = request.routeOptions.config
    if (operation) parts.noteRequest(operation.name, reply.statusCode, reply.elapsedTime)
    done()
  })
  await app.register(fastifyCookie, { secret: parts.cookieKey })
  addSecurityHeaders(app, { isSecure: parts.publicUrl.startsWith('https:') })

  const routeParts: RouteParts = { ...parts, isLoopback: isLoopbackRequest }
  await parts.addRoutes(createAddRoute(app, routeParts), app)
  await app.register((streams, _options, done) => {
    // Bodies of any length are handed on as they come.
    const handOn = (_request: unknown, body: unknown, read: (error: null, body: unknown) => void) => read(null, body)
    streams.addContentTypeParser(['application/x-ndjson', 'text/csv', 'application/octet-stream'], handOn)
    parts.addStreamRoutes(createAddRoute(streams, routeParts))
    done()
  })
  const answerWithPage = await addPages(app, parts.pagesFolder, { publicUrl: parts.publicUrl, facts: parts.pageFacts })

  app.setNotFoundHandler((request, reply) => {
    const allowed = allowedMethods(request)
    if (allowed.length > 0) {
      void reply.header('allow', allowed.join(', '))
      throw new AppError('method_not_allowed')
    }
    if (!answerWithPage(request, reply)) throw new AppError('not_found')
  })
  return app
}

/** A small body may unpack to a huge one; nothing of ours needs it. */
function refuseCompressedBody(request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void {
  const encoding = request.headers['content-encoding']
  done(encoding === undefined || encoding === 'identity' ? undefined : new AppError('unsupported_media_type'))
}

/** One line a request: the route's pattern, never its address, which may hold a key, a token or an email address. */
function logRequest(
  request: FastifyRequest,
  reply: { statusCode: number; elapsedTime: number },
  done: () => void,
): void {
  const { operation, url } = { operation: request.routeOptions.config.operation, url: request.routeOptions.url }
  const line = {
    operation: operation?.name,
    method: request.method,
    route: operation?.path ?? url ?? null,
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime),
  }
  request.log.info(line, 'request')
  done()
}

const patterns = operations.map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+').replace(/\/$/, '')}/?$`),
}))

function allowedMethods(request: FastifyRequest): string[] {
  const path = request.url.split('?', 1)[0] ?? ''
  const methods: string[] = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  // A call that exists and was not found is one that this server leaves out, such as the sandbox's.
  return methods.includes(request.method) ? [] : methods
}
