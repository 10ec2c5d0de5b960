import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../contract/core/errors.ts'
import type { AnswerOf, BodyOf, Operation, ParamsOf, QueryOf } from '../../../contract/core/operation.ts'
import type { Caller, Mailbox } from '../../domain/auth/caller.ts'
import type { EmbedCaller, EmbedVisitor } from '../../domain/auth/embed.ts'
import type { CallRate } from '../../domain/limits/call-rate.ts'
import type { HostedCaller, HostedUserCaller } from '../../domain/auth/hosted.ts'
import type { AuthenticateEmbed } from '../../usecases/auth/authenticate-embed.ts'
import type { AuthenticateHosted } from '../../usecases/auth/authenticate-hosted.ts'
import type { Authenticate } from '../../usecases/auth/authenticate.ts'
import { keyReused, type Done, type KeptAnswer, type Making, type RepeatableCall } from '../../usecases/core/do-once.ts'
import type { AnyCaller } from '../auth/any-caller.ts'
import { bodyShapeOf } from './closed-shape.ts'
import { repeatableCall } from './idempotency.ts'
import { digestStream } from './stream-digest.ts'

/** Who is calling, as far as the call's access tells. */
type CallerOf<O extends Operation> = O['access'] extends 'account' | 'member'
  ? Caller | FromPages<O>
  : O['access'] extends 'key'
    ? Mailbox
    : O['access'] extends 'opener'
      ? Caller | Mailbox
      : O['access'] extends 'hosted'
        ? HostedCaller
        : O['access'] extends 'hosted-user'
          ? HostedUserCaller
          : null

/** Who may call from a page of another site. */
type FromPages<O extends Operation> =
  | (O['embed'] extends { scope: string } ? EmbedCaller : never)
  | (O['embed'] extends { byId: true } ? EmbedVisitor : never)

/** A call whose access and shape hold. */
export interface Call<O extends Operation> {
  params: ParamsOf<O>
  query: QueryOf<O>
  body: BodyOf<O>
  caller: CallerOf<O>
  /** Id for what the call makes, where it came with an Idempotency-Key; null otherwise. */
  makes: string | null
  /** Whether it may have been done before, under the same key, its answer lost. */
  isAgain: boolean
  request: FastifyRequest
  reply: FastifyReply
}

/** Adds the route of one operation: method, path, access and shapes come from the contract. */
export type AddRoute = <const O extends Operation>(
  operation: O,
  handle: (call: Call<O>) => Promise<AnswerOf<O>>,
  /** `recallsMailbox`: the work compares the mailbox's version when it is done, so that a remembered one will do. */
  options?: { recallsMailbox: boolean },
) => void

/** What routes stand on. */
export interface RouteParts {
  authenticate: Authenticate
  authenticateHosted: AuthenticateHosted
  authenticateEmbed: AuthenticateEmbed
  isOwnPage: (request: FastifyRequest) => boolean
  isLoopback: (request: FastifyRequest) => boolean
  callRate: CallRate
  doOnce: (call: RepeatableCall, work: (making: Making) => Promise<KeptAnswer>) => Promise<Done>
}

/** Binds operations to an app. Access is checked before the shape, so that a stranger learns nothing of it. */
export function createAddRoute(
  app: FastifyInstance,
  { authenticate, authenticateHosted, authenticateEmbed, isOwnPage, isLoopback, callRate, doOnce }: RouteParts,
): AddRoute {
  return (operation, handle, { recallsMailbox = false } = { recallsMailbox: false }) => {
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
        request.caller = await findCaller(operation, request, recallsMailbox)
        slowDown(request.caller, request)
      },
      handler: async (request, reply) => {
        void reply.status(Number(status))
        const { params, query, caller } = request
        const once = repeatableCall(operation, request)
        const streamed = once !== null && request.body instanceof Readable ? digestStream(request.body) : null
        const body = streamed?.body ?? request.body
        type Parts = Call<typeof operation>
        const answer = (making: Making | null) => {
          const { id: makes = null, isAgain = false } = making ?? {}
          return handle({ params, query, body, caller, makes, isAgain, request, reply } as unknown as Parts)
        }
        if (once === null) return reply.send(await answer(null))
        const work = async (making: Making) => {
          const answered = { status: Number(status), body: await answer(making) }
          return streamed ? { ...answered, streamDigest: streamed.digest() } : answered
        }
        const { answer: given, isRepeated } = await doOnce(once, work)
        // What a stream says is known once it was read.
        if (isRepeated && streamed && given.streamDigest !== (await streamed.rest())) throw keyReused()
        // What stands in a kept answer may be a secret.
        if (isRepeated) void reply.headers({ 'idempotency-replayed': 'true', 'cache-control': 'no-store' })
        return reply.status(given.status).send(given.body)
      },
    })
  }

  /** Refuses who calls too often. */
  function slowDown(caller: AnyCaller, { ip }: FastifyRequest): void {
    const who = rateKey(caller, ip)
    if (who === null) return
    const retryAfterMs = callRate.take(who)
    if (retryAfterMs > 0) throw new AppError('too_many_calls', { retryAfterMs })
  }

  async function findCaller(
    operation: Operation,
    request: FastifyRequest,
    recallsMailbox: boolean,
  ): Promise<AnyCaller> {
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
          return authenticate.mailbox(token)
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
        const mayRecall = recallsMailbox && request.headers['idempotency-key'] === undefined
        return mayRecall ? authenticate.recalledMailbox(secretKey) : authenticate.mailbox(secretKey)
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
        return null
      case 'public':
        return null
    }
  }

  /** Who calls from a page of another site; null for a call of our own. */
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

/** Whom a call counts for: a mailbox of a key, a session, a person; null for nobody. */
function rateKey(caller: AnyCaller, ip: string): string | null {
  if (caller === null || 'key' in caller) return null
  if ('grant' in caller) return caller.grant.sessionId
  if ('embedId' in caller) return `${caller.embedId} ${ip}`
  return 'mailboxId' in caller ? caller.mailboxId : caller.userId
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
    caller: AnyCaller
  }
  interface FastifyContextConfig {
    operation?: Operation
  }
}
