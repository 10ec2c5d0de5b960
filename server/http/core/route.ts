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
import {
  keyReused,
  type IdempotentResult,
  type KeptAnswer,
  type IdempotentRun,
  type RepeatableCall,
} from '../../usecases/core/run-idempotently.ts'
import { createAuthenticateRequest, type AuthenticationParts } from './authenticate-request.ts'
import { bodyShapeOf } from '../shapes/closed-shape.ts'
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
  | CallerByAccess[O['access']]
  | (O['access'] extends 'account' | 'member' ? FromPages<O> : never)

/** The callers from pages of other sites. */
type FromPages<O extends Operation> =
  | (O['embed'] extends { scope: string } ? EmbedCaller : never)
  | (O['embed'] extends { byId: true } ? EmbedVisitor : never)

/** An authorized, validated call. */
export interface Call<O extends Operation> {
  params: ParamsOf<O>
  query: QueryOf<O>
  body: BodyOf<O>
  caller: CallerOf<O>
  /** What the caller may reach; null where the operation needs no permission. */
  scope: O['permission'] extends null ? null : Scope
  /** Id for the resource that the call creates, where it has an Idempotency-Key; null otherwise. */
  resourceId: string | null
  /** Whether an earlier attempt under the same key may have completed. */
  isRetry: boolean
  request: FastifyRequest
  reply: FastifyReply
}

/** Adds the route of one operation: method, path, access and shapes come from the contract. */
export type AddRoute = <const O extends Operation>(
  operation: O,
  /** Returns the answer's body; nothing for an answer without one. */
  handle: (call: Call<O>) => Promise<AnswerOf<O>> | (null extends AnswerOf<O> ? Promise<void> : never),
  /** `canUseCachedMailbox`: the handler compares the mailbox's version when it commits, so that a cached one is safe. */
  options?: { canUseCachedMailbox: boolean },
) => void

export interface RouteParts extends AuthenticationParts {
  callRate: CallRate
  runIdempotently: (
    call: RepeatableCall,
    work: (run: IdempotentRun) => Promise<KeptAnswer>,
  ) => Promise<IdempotentResult>
}

/** Binds operations to an app. Access is checked before the shape, so that a request without access learns nothing of it. */
export function createAddRoute(app: FastifyInstance, { callRate, runIdempotently, ...parts }: RouteParts): AddRoute {
  const findCaller = createAuthenticateRequest(parts)

  return (operation, handle, { canUseCachedMailbox = false } = { canUseCachedMailbox: false }) => {
    const status = Number(Object.keys(operation.answers)[0])
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      schema: schemaOf(operation),
      ...(operation.bodyMaxBytes !== undefined && { bodyLimit: operation.bodyMaxBytes }),
      config: { operation },
      preValidation: async (request, reply) => {
        // Answers are personal, and some contain secrets. Browsers keep some for ever that do not say how long, such as a 410.
        void reply.header('cache-control', 'no-store')
        const caller = await findCaller(operation, request, canUseCachedMailbox)
        request.caller = caller
        limitRate(caller, request)
        if (operation.permission !== null) request.scope = authorize(caller, operation.permission)
      },
      handler: async (request, reply) => {
        void reply.status(status)
        const { params, query, caller, scope } = request
        const run = async (body: unknown, { resourceId, isRetry }: IdempotentRun | typeof firstRun) => {
          const call = { params, query, body, caller, scope, resourceId, isRetry, request, reply }
          return (await handle(call as unknown as Call<typeof operation>)) ?? null
        }
        const call = repeatableCall(operation, request)
        if (call === null) return reply.send(await run(request.body, firstRun))
        return sendOnce(call, request.body, reply, async (body, idempotent) => ({
          status,
          body: await run(body, idempotent),
        }))
      },
    })
  }

  /** Sends the response of a call with an Idempotency-Key: the stored one where the call is a repetition. */
  async function sendOnce(
    call: RepeatableCall,
    given: unknown,
    reply: FastifyReply,
    run: (body: unknown, idempotent: IdempotentRun) => Promise<KeptAnswer>,
  ): Promise<FastifyReply> {
    const streamed = given instanceof Readable ? digestStream(given) : null
    const { answer, isRepeated } = await runIdempotently(call, async (idempotent) => {
      const answered = await run(streamed?.body ?? given, idempotent)
      return streamed ? { ...answered, streamDigest: streamed.digest() } : answered
    })
    // A stream can be compared only after it was read.
    if (isRepeated && streamed && answer.streamDigest !== (await streamed.rest())) throw keyReused()
    if (isRepeated) void reply.header('idempotency-replayed', 'true')
    return reply.status(answer.status).send(answer.body)
  }

  /** Throws `too_many_calls`. */
  function limitRate(caller: Caller, { ip }: FastifyRequest): void {
    const key = rateKey(caller, ip)
    if (key === null) return
    const retryAfterMs = callRate.take(key)
    if (retryAfterMs > 0) throw new AppError('too_many_calls', { retryAfterMs })
  }
}

const firstRun = { resourceId: null, isRetry: false } as const

/** The shapes of a call in the form that Fastify compiles. */
export function schemaOf(operation: Operation) {
  const body = bodyShapeOf(operation)
  const answers = Object.entries(operation.answers).flatMap(([code, answer]) =>
    answer.body && answer.media === undefined ? [[code, answer.body] as const] : [],
  )
  return {
    ...(operation.params && { params: operation.params }),
    ...(operation.query && { querystring: operation.query }),
    ...(body && { body }),
    response: Object.fromEntries(answers),
  }
}

/** Rate limit key of a caller: a mailbox, an embed session or a user; null if calls are not limited. */
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

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    scope: Scope | null
  }
  interface FastifyContextConfig {
    operation?: Operation
  }
}
