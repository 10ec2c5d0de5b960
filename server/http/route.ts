import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../contract/errors.ts'
import type { AnswerOf, BodyOf, Operation, ParamsOf, QueryOf } from '../../contract/operation.ts'
import type { Caller, Mailbox } from '../domain/caller.ts'
import type { Authenticate } from '../usecases/authenticate.ts'

/** Who is calling, as far as the call's access tells. */
type CallerOf<O extends Operation> = O['access'] extends 'account' | 'member'
  ? Caller
  : O['access'] extends 'key'
    ? Mailbox
    : null

/** A call whose access and shape hold. */
export interface Call<O extends Operation> {
  params: ParamsOf<O>
  query: QueryOf<O>
  body: BodyOf<O>
  caller: CallerOf<O>
  request: FastifyRequest
  reply: FastifyReply
}

/** Adds the route of one operation: method, path, access and shapes come from the contract. */
export type AddRoute = <const O extends Operation>(
  operation: O,
  handle: (call: Call<O>) => Promise<AnswerOf<O>>,
) => void

/** Binds operations to an app. Access is checked before the shape, so that a stranger learns nothing of it. */
export function createAddRoute(
  app: FastifyInstance,
  authenticate: Authenticate,
  isLoopback: (request: FastifyRequest) => boolean,
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
      },
      handler: async (request, reply) => {
        void reply.status(Number(status))
        const { params, query, body, caller } = request
        type Parts = Call<typeof operation>
        const call = { params, query, body, caller, request, reply } as unknown as Parts
        return reply.send(await handle(call))
      },
    })
  }

  async function findCaller(operation: Operation, request: FastifyRequest): Promise<Caller | Mailbox | null> {
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

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | Mailbox | null
  }
  interface FastifyContextConfig {
    operation?: Operation
  }
}
