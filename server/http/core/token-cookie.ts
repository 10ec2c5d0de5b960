import type { FastifyReply, FastifyRequest } from 'fastify'

/** A cookie that contains only a random token: neither its purpose nor its time. */
export interface TokenCookie {
  set: (reply: FastifyReply, token: string) => void
  /** Null where there is none. */
  read: (request: FastifyRequest) => string | null
}

/** Keeps a token in a cookie that no script reads, for `path` only. It is not signed: what it may do is looked up. */
export function createTokenCookie(
  { name, path, lifeSeconds }: { name: string; path: string; lifeSeconds: number },
  { isSecure }: { isSecure: boolean },
): TokenCookie {
  const options = { path, httpOnly: true, sameSite: 'strict', secure: isSecure, maxAge: lifeSeconds } as const
  return {
    set: (reply, token) => void reply.setCookie(name, token, options),
    read: (request) => request.cookies[name] ?? null,
  }
}
