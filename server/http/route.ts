import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../contract/errors.ts'
import type { AnswerOf, BodyOf, Operation, ParamsOf, QueryOf } from '../../contract/operation.ts'
import type { Caller, Mailbox } from '../domain/caller.ts'
import type { CallRate } from '../domain/call-rate.ts'
import type { HostedCaller, HostedUserCaller } from '../domain/hosted.ts'
import type { AuthenticateHosted } from '../usecases/authenticate-hosted.ts'
import type { Authenticate } from '../usecases/authenticate.ts'
import type { Done, Making, RepeatableCall } from '../usecases/do-once.ts'
import { repeatableCall } from './idempotency.ts'

/** Who is calling, as far as the call's access tells. */
type CallerOf<O extends Operation> = O['access'] extends 'account' | 'member'
  ? Caller
  : O['access'] extends 'key'
    ? Mailbox
    : O['access'] extends 'hosted'
      ? HostedCaller
      : O['access'] extends 'hosted-user'
        ? HostedUserCaller
        : null

/** Any of them. */
type AnyCaller = Caller | Mailbox | HostedCaller | null

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
) => void

/** What routes stand on. */
export interface RouteParts {
  authenticate: Authenticate
  authenticateHosted: AuthenticateHosted
  isLoopback: (request: FastifyRequest) => boolean
  callRate: CallRate
  doOnce: (call: RepeatableCall, work: (making: Making) => Promise<{ status: number; body: unknown }>) => Promise<Done>
}

/** Binds operations to an app. Access is checked before the shape, so that a stranger learns nothing of it. */
export function createAddRoute(
  app: FastifyInstance,
  { authenticate, authenticateHosted, isLoopback, callRate, doOnce }: RouteParts,
): AddRoute {
  return (operation, handle) => {
    const [status] = Object.keys(operation.answers)
    const answers = Object.entries(operation.answers).flatMap(([code, { body, media }]) =>
      body && media === undefined ? [[code, body] as const] : [],
    )
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      schema: {
        ...(operation.params && { params: operation.params }),
        ...(operation.query && { querystring: operation.query }),
        ...(operation.body && { body: operation.body }),
        response: Object.fromEntries(answers),
      },
      config: { operation },
      preValidation: async (request) => {
        request.caller = await findCaller(operation, request)
        slowDown(request.caller)
      },
      handler: async (request, reply) => {
        void reply.status(Number(status))
        const { params, query, body, caller } = request
        type Parts = Call<typeof operation>
        const answer = (making: Making | null) => {
          const { id: makes = null, isAgain = false } = making ?? {}
          return handle({ params, query, body, caller, makes, isAgain, request, reply } as unknown as Parts)
        }
        const once = repeatableCall(operation, request)
        if (once === null) return reply.send(await answer(null))
        const { answer: given, isRepeated } = await doOnce(once, async (making) => ({
          status: Number(status),
          body: await answer(making),
        }))
        // What stands in a kept answer may be a secret.
        if (isRepeated) void reply.headers({ 'idempotency-replayed': 'true', 'cache-control': 'no-store' })
        // A stream that is not read would hold the connection up.
        if (isRepeated && body instanceof Readable) body.resume()
        return reply.status(given.status).send(given.body)
      },
    })
  }

  /** Refuses who calls too often: by the mailbox of a key, or by the person. */
  function slowDown(caller: AnyCaller): void {
    if (caller === null || !('configId' in caller || 'userId' in caller)) return
    const retryAfterMs = callRate.take('configId' in caller ? caller.configId : caller.userId)
    if (retryAfterMs > 0) throw new AppError('too_many_calls', { retryAfterMs })
  }

  async function findCaller(operation: Operation, request: FastifyRequest): Promise<AnyCaller> {
    switch (operation.access) {
      case 'account':
        return authenticate.account(bearerOf(request))
      case 'member':
        return authenticate.member(bearerOf(request))
      case 'key': {
        // Only browsers send it: a key that works in a page is a key that everybody has.
        if (request.headers.origin !== undefined) throw new AppError('browser_with_secret_key')
        const { secret_key: inPath } = request.params as { secret_key?: string }
        return authenticate.mailbox(inPath ?? bearerOf(request))
      }
      case 'hosted':
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
