import type { FastifyReply, FastifyRequest } from 'fastify'

/** A signed cookie that scripts cannot read. */
export interface SignedCookie<T> {
  set: (reply: FastifyReply, value: T) => void
  /** Null where there is none, or it has ended, or it is not ours. */
  read: (request: FastifyRequest) => T | null
  clear: (reply: FastifyReply) => void
}

interface Shape {
  name: string
  path: string
  /** `lax` where it must come along when another site leads back to us. */
  sameSite: 'strict' | 'lax'
  lifeSeconds: number
}

/** `isSecure`: whether browsers reach the server over https. */
export interface CookieWorld {
  isSecure: boolean
  now: () => Date
}

/**
 * Keeps a value in a signed cookie. The name and the end of its life are signed with it: one cookie does not pass as
 * another, nor after its time. Over https and for the whole site the name takes `__Host-` (RFC 6265bis §4.1.3.2).
 */
export function createSignedCookie<T>(shape: Shape, { isSecure, now }: CookieWorld): SignedCookie<T> {
  const name = isSecure && shape.path === '/' ? `__Host-${shape.name}` : shape.name
  const options = { path: shape.path, httpOnly: true, sameSite: shape.sameSite, secure: isSecure } as const
  return {
    set(reply, value) {
      const content = [shape.name, now().getTime() + shape.lifeSeconds * 1000, value]
      const text = Buffer.from(JSON.stringify(content)).toString('base64url')
      void reply.setCookie(name, text, { ...options, signed: true, maxAge: shape.lifeSeconds })
    },
    read(request) {
      const { value } = request.unsignCookie(request.cookies[name] ?? '')
      if (value === null) return null
      const [kind, endsAtMs, content] = parse(value) as [string, number, T]
      return kind === shape.name && now().getTime() < endsAtMs ? content : null
    },
    clear(reply) {
      void reply.clearCookie(name, options)
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return [] // Signed by us, for something else.
  }
}
