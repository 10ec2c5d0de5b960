import fastifyCookie from '@fastify/cookie'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify'
import { AppError } from '../../../contract/core/errors.ts'
import { bodyMaxBytes } from '../../../contract/core/limits.ts'
import { operations } from '../../../contract/core/operations.ts'
import type { AuthenticateEmbed } from '../../usecases/auth/authenticate-embed.ts'
import type { AuthenticateHosted } from '../../usecases/auth/authenticate-hosted.ts'
import type { Authenticate } from '../../usecases/auth/authenticate.ts'
import { addAccountRoutes, type AccountUseCases } from '../accounts/account.ts'
import type { ClientLimits } from '../../domain/limits/client-limits.ts'
import { createIsTrustedProxy } from '../../domain/limits/client-limits.ts'
import { addCampaignRoutes, addCampaignStreamRoutes, type CampaignUseCases } from '../campaigns/campaign.ts'
import { limitProxiedRequests } from '../limits/client-connections.ts'
import { addConfigRoutes, type ConfigUseCases } from '../mailboxes/config.ts'
import { addDraftRoutes, type DraftUseCases } from '../templates/draft.ts'
import { addEmbedCors, createIsOwnPage } from '../embeds/embed-cors.ts'
import { addEmbedFiles } from '../embeds/embed-files.ts'
import { addEmbedSessionRoutes, type EmbedSessionUseCases } from '../embeds/embed-session.ts'
import { addEmbedRoutes, type EmbedUseCases } from '../embeds/embed.ts'
import { answerError } from './errors.ts'
import type { StandIn } from '../../domain/accounts/google.ts'
import { addGoogleStandIn } from '../accounts/google-stand-in.ts'
import { addGoogleRoutes, type GoogleUseCases } from '../accounts/google.ts'
import { addHealthRoutes, type Health } from '../operating/health.ts'
import { addHostedRelayRoutes, type HostedUpstream } from '../hosted/hosted-relay.ts'
import { addHostedUserRoutes, type HostedUserUseCases } from '../hosted/hosted-user.ts'
import { addDocumentRoutes, type DocumentUseCases } from '../hosted/hosted.ts'
import { parseJsonBody } from './json-body.ts'
import { addMetricsRoute, type MetricsSource } from '../operating/metrics.ts'
import { addMessageRoutes, type MessageUseCases } from '../messages/message.ts'
import { addPages } from '../pages/pages.ts'
import { addRealtime, type Realtime } from '../hosted/realtime.ts'
import type { RealtimeSource } from '../hosted/realtime-source.ts'
import { createAddRoute, type RouteParts } from './route.ts'
import { addProfileRoutes, type ProfileUseCases } from '../accounts/profile.ts'
import { addSecurityHeaders } from './security-headers.ts'
import { cutSlowBodies } from '../limits/slow-bodies.ts'
import { addSessionRoutes, type SessionUseCases } from '../accounts/sessions.ts'
import { addStatisticsRoutes, type StatisticsUseCases } from '../statistics/statistics.ts'
import { createSignInCookies } from '../accounts/sign-in-cookies.ts'
import { addSandboxRoutes, isLoopbackRequest, type SandboxInbox } from '../sandbox/sandbox.ts'
import {
  addSuppressionRoutes,
  addSuppressionStreamRoutes,
  type SuppressionUseCases,
} from '../suppressions/suppression.ts'
import { addTemplateRoutes, type TemplateUseCases } from '../templates/template.ts'
import { watchForUntrustedProxy } from '../limits/untrusted-proxy.ts'
import { addUnsubscribePages, type UnsubscribeUseCases } from '../suppressions/unsubscribe.ts'
import { createValidatorCompiler } from './validation.ts'
import { addWorkspaceRoutes, type WorkspaceUseCases } from '../accounts/workspace.ts'

/** What the HTTP side needs; `sandbox` null where it is off. */
export interface AppParts extends Pick<RouteParts, 'callRate' | 'doOnce'> {
  log: FastifyBaseLogger
  authenticate: Authenticate
  authenticateEmbed: AuthenticateEmbed
  useCases: AccountUseCases &
    CampaignUseCases &
    ConfigUseCases &
    DocumentUseCases &
    DraftUseCases &
    EmbedSessionUseCases &
    EmbedUseCases &
    GoogleUseCases &
    HostedUserUseCases &
    MessageUseCases &
    ProfileUseCases &
    SessionUseCases &
    StatisticsUseCases &
    SuppressionUseCases &
    TemplateUseCases &
    UnsubscribeUseCases &
    WorkspaceUseCases
  hosted: HostedParts
  sandbox: SandboxInbox | null
  /** Stands in for Google in the sandbox; null where Google is set up, and without the sandbox. */
  googleStandIn: StandIn | null
  health: Health
  metrics: MetricsSource
  cookieKey: Buffer
  pagesFolder: string
  /** Where the embed's files are published. */
  embedFolder: string
  /** Proxies whose X-Forwarded-For says who the client is. */
  trustedProxies: readonly string[]
  /** What is known of a proxy that nobody trusts, and what to do when one shows. */
  untrustedProxy: { isKnown: boolean; onSeen: () => void }
  clientLimits: ClientLimits
  now: () => Date
  newId: () => string
}

/** The hosted data backend; with an `upstream`, another deployment answers in our place. */
export interface HostedParts {
  authenticate: AuthenticateHosted
  source: RealtimeSource
  upstream: HostedUpstream | null
  /** The API key that our own pages carry. */
  pageKey: string
  /** Origins of our own pages. */
  origins: ReadonlySet<string>
}

/** Routes, ready to take requests and upgrades to websockets, and the websockets. */
export interface App {
  http: FastifyInstance
  realtime: Realtime
}

/** Puts the routes together. It neither listens nor knows where its parts come from. */
export async function createApp(parts: AppParts): Promise<App> {
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
  const { clientLimits: limits, trustedProxies } = parts
  if (trustedProxies.length === 0) watchForUntrustedProxy(app, { log: parts.log, ...parts.untrustedProxy })
  else {
    const isTrustedProxy = createIsTrustedProxy(trustedProxies)
    limitProxiedRequests(app, { maxCount: limits.connectionsMaxCount, isTrustedProxy })
  }
  cutSlowBodies(app, limits)
  app.addHook('onRequest', refuseCompressedBody)
  app.addHook('onResponse', logRequest)
  app.addHook('onResponse', (request, reply, done) => {
    const { operation } = request.routeOptions.config
    if (operation) parts.metrics.noteRequest(operation.name, reply.statusCode, reply.elapsedTime)
    done()
  })
  await app.register(fastifyCookie, { secret: parts.cookieKey })
  const isSecure = parts.health.publicUrl.startsWith('https:')
  addSecurityHeaders(app, { isSecure })

  const { authenticate, callRate, doOnce } = parts
  const authenticateHosted = parts.hosted.authenticate
  const { authenticateEmbed } = parts
  const isOwnPage = createIsOwnPage(parts.hosted.origins)
  addEmbedCors(app, authenticateEmbed)
  const routeParts = {
    authenticate,
    authenticateHosted,
    authenticateEmbed,
    isOwnPage,
    isLoopback: isLoopbackRequest,
    callRate,
    doOnce,
  }
  const add = createAddRoute(app, routeParts)
  const cookies = createSignInCookies({ isSecure, now: parts.now, newId: parts.newId })
  addAccountRoutes(add, parts.useCases, cookies)
  addGoogleRoutes(add, parts.useCases, cookies, {
    publicUrl: parts.health.publicUrl,
    log: parts.log,
    isForLoopbackOnly: parts.googleStandIn !== null,
  })
  if (parts.googleStandIn !== null) addGoogleStandIn(app, parts.googleStandIn)
  addSessionRoutes(add, parts.useCases)
  addProfileRoutes(add, parts.useCases)
  addStatisticsRoutes(add, parts.useCases)
  addConfigRoutes(add, parts.useCases)
  addTemplateRoutes(add, parts.useCases)
  addMessageRoutes(add, parts.useCases)
  addEmbedRoutes(add, parts.useCases)
  addEmbedSessionRoutes(add, parts.useCases, isOwnPage)
  addCampaignRoutes(add, parts.useCases)
  addDraftRoutes(add, parts.useCases)
  addWorkspaceRoutes(add, parts.useCases)
  addSuppressionRoutes(add, parts.useCases)
  await addUnsubscribePages(app, parts.useCases)
  await app.register((streams, _options, done) => {
    // Bodies without an end in sight are handed on as they come.
    const handOn = (_request: unknown, body: unknown, read: (error: null, body: unknown) => void) => read(null, body)
    streams.addContentTypeParser(['application/x-ndjson', 'text/csv'], handOn)
    const addStream = createAddRoute(streams, routeParts)
    addCampaignStreamRoutes(addStream, parts.useCases)
    addSuppressionStreamRoutes(addStream, parts.useCases)
    done()
  })
  if (parts.sandbox !== null) addSandboxRoutes(add, parts.sandbox)
  if (parts.hosted.upstream === null) {
    addDocumentRoutes(add, parts.useCases)
    addHostedUserRoutes(add, parts.useCases)
  } else addHostedRelayRoutes(add, parts.hosted.upstream)
  addHealthRoutes(add, parts.health)
  addMetricsRoute(app, parts.metrics)
  const realtime = await addRealtime(app, {
    authenticateKey: parts.hosted.authenticate.key,
    source: parts.hosted.source,
    origins: parts.hosted.origins,
    unauthenticatedMaxCount: limits.unauthenticatedSocketsMaxCount,
    log: parts.log,
  })
  await addEmbedFiles(app, parts.embedFolder)
  const answerWithPage = await addPages(app, parts.pagesFolder, {
    publicUrl: parts.health.publicUrl,
    facts: {
      'sendwright-hosted-key': parts.hosted.pageKey,
    },
  })

  app.setNotFoundHandler((request, reply) => {
    const allowed = allowedMethods(request)
    if (allowed.length > 0) {
      void reply.header('allow', allowed.join(', '))
      throw new AppError('method_not_allowed')
    }
    if (!answerWithPage(request, reply)) throw new AppError('not_found')
  })
  return { http: app, realtime }
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
