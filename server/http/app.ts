import fastifyCookie from '@fastify/cookie'
import fastifyHelmet from '@fastify/helmet'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify'
import { AppError } from '../../contract/errors.ts'
import { bodyMaxBytes } from '../../contract/limits.ts'
import { operations } from '../../contract/operations.ts'
import type { Authenticate } from '../usecases/authenticate.ts'
import { addAccountRoutes, type AccountUseCases } from './account.ts'
import { addCampaignRoutes, addCampaignStreamRoutes, type CampaignUseCases } from './campaign.ts'
import { addConfigRoutes, type ConfigUseCases } from './config.ts'
import { answerError } from './errors.ts'
import { addHealthRoutes, type Health } from './health.ts'
import { parseJsonBody } from './json-body.ts'
import { addMessageRoutes, type MessageUseCases } from './message.ts'
import { addPages, dashboardPolicy } from './pages.ts'
import { createPendingAccountCookie } from './pending-account-cookie.ts'
import { createAddRoute } from './route.ts'
import { addSandboxRoutes, isLoopbackRequest, type SandboxInbox } from './sandbox.ts'
import { addSuppressionRoutes, addSuppressionStreamRoutes, type SuppressionUseCases } from './suppression.ts'
import { addTemplateRoutes, type TemplateUseCases } from './template.ts'
import { addUnsubscribePages, type UnsubscribeUseCases } from './unsubscribe.ts'
import { createValidatorCompiler } from './validation.ts'
import { addWorkspaceRoutes, type WorkspaceUseCases } from './workspace.ts'

/** What the HTTP side needs; `sandbox` null where it is off. */
export interface AppParts {
  log: FastifyBaseLogger
  authenticate: Authenticate
  useCases: AccountUseCases &
    CampaignUseCases &
    ConfigUseCases &
    MessageUseCases &
    SuppressionUseCases &
    TemplateUseCases &
    UnsubscribeUseCases &
    WorkspaceUseCases
  sandbox: SandboxInbox | null
  health: Health
  cookieKey: Buffer
  pagesFolder: string
}

/** Puts the routes together. It neither listens nor knows where its parts come from. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: parts.log,
    // Fastify's own lines hold the address; ours do not.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyMaxBytes,
    trustProxy: false,
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
  app.addHook('onRequest', refuseCompressedBody)
  app.addHook('onResponse', logRequest)
  await app.register(fastifyCookie, { secret: parts.cookieKey })
  const isSecure = parts.health.publicUrl.startsWith('https:')
  await app.register(fastifyHelmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: dashboardPolicy,
    },
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    strictTransportSecurity: isSecure,
    referrerPolicy: { policy: 'no-referrer' },
  })

  const add = createAddRoute(app, parts.authenticate, isLoopbackRequest)
  addAccountRoutes(add, parts.useCases, createPendingAccountCookie(isSecure))
  addConfigRoutes(add, parts.useCases)
  addTemplateRoutes(add, parts.useCases)
  addMessageRoutes(add, parts.useCases)
  addCampaignRoutes(add, parts.useCases)
  addWorkspaceRoutes(add, parts.useCases)
  addSuppressionRoutes(add, parts.useCases)
  await addUnsubscribePages(app, parts.useCases)
  await app.register((streams, _options, done) => {
    // Bodies without an end in sight are handed on as they come.
    const handOn = (_request: unknown, body: unknown, read: (error: null, body: unknown) => void) => read(null, body)
    streams.addContentTypeParser(['application/x-ndjson', 'text/csv'], handOn)
    const addStream = createAddRoute(streams, parts.authenticate, isLoopbackRequest)
    addCampaignStreamRoutes(addStream, parts.useCases)
    addSuppressionStreamRoutes(addStream, parts.useCases)
    done()
  })
  if (parts.sandbox !== null) addSandboxRoutes(add, parts.sandbox)
  addHealthRoutes(add, parts.health)
  const answerWithPage = await addPages(app, parts.pagesFolder)

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
