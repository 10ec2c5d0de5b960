import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../contract/core/errors.ts'
import type { AnswerOf, BodyOf, Operation, ParamsOf, QueryOf } from '../../../contract/core/operation.ts'
import { authorize } from '../../domain/auth/authorize.ts'
import type { AccountCaller, Caller, MemberCaller, PublicCaller, SecretKeyCaller } from '../../domain/auth/caller.ts'
import type { EmbedCaller, EmbedVisitor } from '../../domain/auth/embed.ts'
import type { CallRate } from '../../domain/limits/call-rate.ts'
import type { HostedCaller, HostedUserCaller } from '../../domain/auth/hosted.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { AuthenticateEmbed } from '../../usecases/auth/authenticate-embed.ts'
import type { AuthenticateHosted } from '../../usecases/auth/authenticate-hosted.ts'
import type { Authenticate } from '../../usecases/auth/authenticate.ts'
import {
  keyReused,
  type IdempotentResult,
  type KeptAnswer,
  type IdempotentRun,
  type RepeatableCall,
} from '../../usecases/core/run-idempotently.ts'
import { bodyShapeOf } from './closed-shape.ts'
import { repeatableCall } from './idempotency.ts'
import { digestStream } from './stream-digest.ts'

/** The kinds of caller of each access. */
interface CallerByAccess {
  public: PublicCaller
  loopback: PublicCaller
  account: AccountCaller
  member: MemberCaller
  key: SecretKeyCaller
  opener: MemberCaller | SecretKeyCaller
  hosted: HostedCaller
  'hosted-user': HostedUserCaller
}

type CallerOf<O extends Operation> =
  CallerByAccess[O['access']] | (O['access'] extends 'account' | 'member' ? FromPages<O> : never)

/** The callers from pages of other sites. */
type FromPages<O extends Operation> =
  | (O['embed'] extends { scope: string } ? EmbedCaller : never)
  | (O['embed'] extends { byId: true } ? EmbedVisitor : never)

/** A call whose access and shape hold. */
export interface Call<O extends Operation> {
  params: ParamsOf<O>
  query: QueryOf<O>
  body: BodyOf<O>
  caller: CallerOf<O>
  /** What the caller may reach; null where the operation needs no permission. */
  scope: O['permission'] extends null ? null : Scope
  /** Id for what the call makes, where it came with an Idempotency-Key; null otherwise. */
  resourceId: string | null
  /** Whether it may have been done before, under the same key, its answer lost. */
  isRetry: boolean
  request: FastifyRequest
  reply: FastifyReply
}

/** Adds the route of one operation: method, path, access and shapes come from the contract. */
export type AddRoute = <const O extends Operation>(
  operation: O,
  handle: (call: Call<O>) => Promise<AnswerOf<O>>,
  /** `canUseCachedMailbox`: the work compares the mailbox's version when it is done, so that a remembered one will do. */
  options?: { canUseCachedMailbox: boolean },
) => void

/** What routes stand on. */
export interface RouteParts {
  authenticate: Authenticate
  authenticateHosted: AuthenticateHosted
  authenticateEmbed: AuthenticateEmbed
  isOwnPage: (request: FastifyRequest) => boolean
  isLoopback: (request: FastifyRequest) => boolean
  callRate: CallRate
  runIdempotently: (
    call: RepeatableCall,
    work: (run: IdempotentRun) => Promise<KeptAnswer>,
  ) => Promise<IdempotentResult>
}

/** Binds operations to an app. Access is checked before the shape, so that a stranger learns nothing of it. */
export function createAddRoute(
  app: FastifyInstance,
  { authenticate, authenticateHosted, authenticateEmbed, isOwnPage, isLoopback, callRate, runIdempotently }: RouteParts,
): AddRoute {
  return (operation, handle, { canUseCachedMailbox = false } = { canUseCachedMailbox: false }) => {
    const [status] = Object.keys(operation.answers)
    const bodyShape = bodyShapeOf(operation)
    const answers = Object.entries(operation.answers).flatMap(([code, { body, media }]) =>
      body && media === undefined ? [[code, body] as const] : [],
    )
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      schema: {
        ...(operation.params && { params: operation.params }),
        ...(operation.query && { querystring: operation.query }),
        ...(bodyShape && { body: bodyShape }),
        response: Object.fromEntries(answers),
      },
      config: { operation },
      preValidation: async (request) => {
        const caller = await findCaller(operation, request, canUseCachedMailbox)
        request.caller = caller
        limitRate(caller, request)
        if (operation.permission !== null) request.scope = authorize(caller, operation.permission)
      },
      handler: async (request, reply) => {
        void reply.status(Number(status))
        const { params, query, caller, scope } = request
        const once = repeatableCall(operation, request)
        const streamed = once !== null && request.body instanceof Readable ? digestStream(request.body) : null
        const body = streamed?.body ?? request.body
        type Parts = Call<typeof operation>
        const answer = (run: IdempotentRun | null) => {
          const { resourceId = null, isRetry = false } = run ?? {}
          return handle({ params, query, body, caller, scope, resourceId, isRetry, request, reply } as unknown as Parts)
        }
        if (once === null) return reply.send(await answer(null))
        const work = async (run: IdempotentRun) => {
          const answered = { status: Number(status), body: await answer(run) }
          return streamed ? { ...answered, streamDigest: streamed.digest() } : answered
        }
        const { answer: given, isRepeated } = await runIdempotently(once, work)
        // What a stream says is known once it was read.
        if (isRepeated && streamed && given.streamDigest !== (await streamed.rest())) throw keyReused()
        // What stands in a kept answer may be a secret.
        if (isRepeated) void reply.headers({ 'idempotency-replayed': 'true', 'cache-control': 'no-store' })
        return reply.status(given.status).send(given.body)
      },
    })
  }

  /** Throws `too_many_calls`. */
  function limitRate(caller: Caller, { ip }: FastifyRequest): void {
    const key = rateKey(caller, ip)
    if (key === null) return
    const retryAfterMs = callRate.take(key)
    if (retryAfterMs > 0) throw new AppError('too_many_calls', { retryAfterMs })
  }

  async function findCaller(
    operation: Operation,
    request: FastifyRequest,
    canUseCachedMailbox: boolean,
  ): Promise<Caller> {
    switch (operation.access) {
      case 'account':
      case 'member': {
        const token = bearerOf(request)
        const fromPage = await findPage(operation, request, token)
        if (fromPage !== null) return fromPage
        return operation.access === 'account' ? authenticate.account(token) : authenticate.member(token)
      }
      case 'opener': {
        const token = bearerOf(request)
        const isBrowser = request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined
        if (token?.startsWith('ck_')) {
          if (isBrowser) throw new AppError('browser_with_secret_key')
          return authenticate.secretKey(token)
        }
        if (isBrowser && !isOwnPage(request)) throw new AppError('embed_session_in_browser')
        return authenticate.member(token)
      }
      case 'key': {
        // Only browsers send it: a key that works in a page is a key that everybody has.
        if (request.headers.origin !== undefined) throw new AppError('browser_with_secret_key')
        const { secret_key: inPath } = request.params as { secret_key?: string }
        const secretKey = inPath ?? bearerOf(request)
        // An answer that is given again is not compared with anything.
        const mayUseCache = canUseCachedMailbox && request.headers['idempotency-key'] === undefined
        return mayUseCache ? authenticate.cachedSecretKey(secretKey) : authenticate.secretKey(secretKey)
      }
      case 'hosted':
        if (operation.embed?.byId && authenticateEmbed.isEmbed(apiKeyOf(request))) {
          await authenticateEmbed.visitor(apiKeyOf(request) ?? '', originOf(request))
          return authenticateHosted.visitor()
        }
        return authenticateHosted.caller(apiKeyOf(request), bearerOf(request))
      case 'hosted-user':
        return authenticateHosted.user(apiKeyOf(request), bearerOf(request))
      case 'loopback':
        if (!isLoopback(request)) throw new AppError('not_found')
        return publicCaller
      case 'public':
        return publicCaller
    }
  }

  /** The caller from a page of another site; null for a call from our own pages or from a server. */
  async function findPage(
    { embed }: Operation,
    request: FastifyRequest,
    token: string | null,
  ): Promise<EmbedCaller | EmbedVisitor | null> {
    const origin = originOf(request)
    if (authenticateEmbed.isSession(token)) return authenticateEmbed.session(token, origin, embed?.scope ?? null)
    if (authenticateEmbed.isEmbed(token) && embed?.byId) return authenticateEmbed.visitor(token, origin)
    // Answers of these calls are let into pages of other sites: a person's own token must not be of use there.
    if (embed && origin !== null && !isOwnPage(request)) throw new AppError('token_in_foreign_page')
    return null
  }
}

const publicCaller: PublicCaller = { kind: 'public' }

/** The key under which calls count: a mailbox, an embed session, a person; null where they are not counted. */
function rateKey(caller: Caller, ip: string): string | null {
  switch (caller.kind) {
    case 'account':
    case 'member':
      return caller.userId
    case 'secret_key':
      return caller.mailbox.mailboxId
    case 'embed':
      return caller.grant.sessionId
    case 'embed_visitor':
      return `${caller.embedId} ${ip}`
    case 'public':
    case 'hosted':
    case 'hosted_user':
    case 'system':
    case 'operator':
      return null
  }
}

/** The origin of the page that a request says it comes from, or null. */
export function originOf({ headers }: FastifyRequest): string | null {
  return headers.origin ?? null
}

/** The bearer token of a request, or null. */
export function bearerOf(request: FastifyRequest): string | null {
  return /^Bearer ([\w-]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
}

/** The API key of the hosted data backend that a request carries, or null. */
export function apiKeyOf(request: FastifyRequest): string | null {
  const header = request.headers['x-api-key']
  return typeof header === 'string' ? header : null
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    scope: Scope | null
  }
  interface FastifyContextConfig {
    operation?: Operation
  }
}
