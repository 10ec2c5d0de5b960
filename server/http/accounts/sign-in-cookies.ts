import type { FastifyReply, FastifyRequest } from 'fastify'
import { confirmationLifeHours, signInCodeLifeSeconds } from '../../../contract/account/account.limits.ts'
import type { Identity } from '../../domain/accounts/account.ts'
import type { GoogleTry } from '../../domain/accounts/google.ts'
import { createSignedCookie, type CookieWorld, type SignedCookie } from '../core/signed-cookie.ts'
import { createTokenCookie, type TokenCookie } from '../core/token-cookie.ts'

/** A browser and the users who signed in with it: their failed sign-ins are counted separately. */
interface Device {
  id: string
  userIds: readonly string[]
}

/** What a browser keeps for us around signing in. */
export interface SignInCookies {
  /** Handle of the account that signed up or tried to confirm, for another confirmation mail. */
  pendingAccount: TokenCookie
  device: SignedCookie<Device>
  /** What it must bring back from Google. */
  google: SignedCookie<GoogleTry>
  /** Binds the one-time code of /login to it. */
  signInBrowser: SignedCookie<string>
  /** Who it is at Google, while the account's password is asked for. */
  pendingLink: SignedCookie<Identity & { userId: string }>
  /** Records a sign-in in this browser. */
  rememberDevice: (request: FastifyRequest, reply: FastifyReply, userId: string) => void
}

const minuteSeconds = 60
const daySeconds = 86_400
/** People who are remembered on one device: a shared one, not a call centre's. */
const deviceUsersMaxCount = 5

export function createSignInCookies({ newId, ...world }: CookieWorld & { newId: () => string }): SignInCookies {
  const device = createSignedCookie<Device>(
    { name: 'sw_device', path: '/auth', sameSite: 'strict', lifeSeconds: 180 * daySeconds },
    world,
  )
  return {
    pendingAccount: createTokenCookie(
      {
        name: 'sw_pending_account',
        path: '/email/resend-confirmation',
        lifeSeconds: confirmationLifeHours * 60 * minuteSeconds,
      },
      world,
    ),
    device,
    google: createSignedCookie(
      { name: 'sw_google', path: '/', sameSite: 'lax', lifeSeconds: 10 * minuteSeconds },
      world,
    ),
    signInBrowser: createSignedCookie(
      { name: 'sw_sign_in', path: '/', sameSite: 'strict', lifeSeconds: signInCodeLifeSeconds },
      world,
    ),
    pendingLink: createSignedCookie(
      { name: 'sw_pending_link', path: '/auth/login', sameSite: 'strict', lifeSeconds: 30 * minuteSeconds },
      world,
    ),
    rememberDevice(request, reply, userId) {
      const known = device.read(request) ?? { id: newId(), userIds: [] }
      const others = known.userIds.filter((id) => id !== userId)
      device.set(reply, { id: known.id, userIds: [userId, ...others].slice(0, deviceUsersMaxCount) })
    },
  }
}
