import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../contract/core/errors.ts'
import type { Operation } from '../../../contract/core/operation.ts'
import type { Caller, PublicCaller } from '../../domain/auth/caller.ts'
import type { EmbedCaller, EmbedVisitor } from '../../domain/auth/embed.ts'
import type { AuthenticateEmbed } from '../../usecases/auth/authenticate-embed.ts'
import type { AuthenticateHosted } from '../../usecases/auth/authenticate-hosted.ts'
import type { Authenticate } from '../../usecases/auth/authenticate.ts'
import { apiKeyOf, bearerOf, originOf } from './request-credentials.ts'

export interface AuthenticationParts {
  authenticate: Authenticate
  authenticateHosted: AuthenticateHosted
  authenticateEmbed: AuthenticateEmbed
  isOwnPage: (request: FastifyRequest) => boolean
  isLoopback: (request: FastifyRequest) => boolean
}

type FindCaller = (operation: Operation, request: FastifyRequest, canUseCachedMailbox: boolean) => Promise<Caller>

const publicCaller: PublicCaller = { kind: 'public' }

/** Returns a function that finds the caller of a request by the operation's access. It throws where the access is refused. */
export function createAuthenticateRequest(parts: AuthenticationParts): FindCaller {
  const { authenticate, authenticateHosted, authenticateEmbed, isOwnPage, isLoopback } = parts

  /** The caller from a page of another site; null for a call from our own pages or from a server. */
  const findEmbedCaller = async (
    { embed }: Operation,
    request: FastifyRequest,
  ): Promise<EmbedCaller | EmbedVisitor | null> => {
    const token = bearerOf(request)
    const origin = originOf(request)
    if (authenticateEmbed.isSession(token)) return authenticateEmbed.session(token, origin, embed?.scope ?? null)
    if (authenticateEmbed.isEmbed(token) && embed?.byId) return authenticateEmbed.visitor(token, origin)
    // Pages of other sites can read the responses of these calls: a member's own token must not work there.
    if (embed && origin !== null && !isOwnPage(request)) throw new AppError('token_in_foreign_page')
    return null
  }

  const byAccess: Record<Operation['access'], FindCaller> = {
    account: async (operation, request) =>
      (await findEmbedCaller(operation, request)) ?? authenticate.account(bearerOf(request)),

    member: async (operation, request) =>
      (await findEmbedCaller(operation, request)) ?? authenticate.member(bearerOf(request)),

    async opener(_operation, request) {
      const token = bearerOf(request)
      const isBrowser = request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined
      if (token?.startsWith('ck_')) {
        if (isBrowser) throw new AppError('browser_with_secret_key')
        return authenticate.secretKey(token)
      }
      if (isBrowser && !isOwnPage(request)) throw new AppError('embed_session_in_browser')
      return authenticate.member(token)
    },

    async key(_operation, request, canUseCachedMailbox) {
      // Only browsers send an origin: a secret key in a page is public.
      if (request.headers.origin !== undefined) throw new AppError('browser_with_secret_key')
      const { secret_key: inPath } = request.params as { secret_key?: string }
      const secretKey = inPath ?? bearerOf(request)
      // A replayed response is returned without a comparison of versions.
      const mayUseCache = canUseCachedMailbox && request.headers['idempotency-key'] === undefined
      return mayUseCache ? authenticate.cachedSecretKey(secretKey) : authenticate.secretKey(secretKey)
    },

    async hosted({ embed }, request) {
      const apiKey = apiKeyOf(request)
      if (!embed?.byId || !authenticateEmbed.isEmbed(apiKey))
        return authenticateHosted.caller(apiKey, bearerOf(request))
      await authenticateEmbed.visitor(apiKey, originOf(request))
      return authenticateHosted.visitor()
    },

    'hosted-user': (_operation, request) => authenticateHosted.user(apiKeyOf(request), bearerOf(request)),

    async loopback(_operation, request) {
      if (!isLoopback(request)) throw new AppError('not_found')
      return Promise.resolve(publicCaller)
    },

    public: () => Promise.resolve(publicCaller),
  }

  return (operation, request, canUseCachedMailbox) =>
    byAccess[operation.access](operation, request, canUseCachedMailbox)
}
