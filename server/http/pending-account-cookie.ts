import type { FastifyReply, FastifyRequest } from 'fastify'
import { confirmationLifeHours } from '../../contract/limits.ts'

/** Remembers, signed, which account a browser signed up or tried to confirm, so that it may ask for another mail. */
export interface PendingAccountCookie {
  set: (reply: FastifyReply, userId: string) => void
  /** The account's id, or null where there is no cookie or it is not ours. */
  read: (request: FastifyRequest) => string | null
}

const name = 'sw_pending_account'
const path = '/email/resend-confirmation'

/** `isSecure`: whether people reach the server over https. */
export function createPendingAccountCookie(isSecure: boolean): PendingAccountCookie {
  return {
    set(reply, userId) {
      void reply.setCookie(name, userId, {
        path,
        httpOnly: true,
        sameSite: 'strict',
        secure: isSecure,
        signed: true,
        maxAge: confirmationLifeHours * 3600,
      })
    },
    read(request) {
      const value = request.cookies[name]
      return value === undefined ? null : request.unsignCookie(value).value
    },
  }
}
