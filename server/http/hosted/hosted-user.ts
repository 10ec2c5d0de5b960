import type { createSignInHosted, HostedSignIn } from '../../usecases/hosted/sign-in-hosted.ts'
import type { createSignUpHosted } from '../../usecases/hosted/sign-up-hosted.ts'
import type { createUpdateHostedUser } from '../../usecases/hosted/update-hosted-user.ts'
import * as contract from '../../../contract/hosted/hosted.ts'
import type { HostedUserRow } from '../../domain/auth/hosted.ts'
import type { AddRoute } from '../core/route.ts'
import { toWire } from '../core/wire.ts'

/** The use cases of the calls of hosted users. */
export interface HostedUserUseCases {
  signInHosted: ReturnType<typeof createSignInHosted>
  signUpHosted: ReturnType<typeof createSignUpHosted>
  updateHostedUser: ReturnType<typeof createUpdateHostedUser>
}

/** `/auth-collections/*` (spec §7): bodies are not wrapped. The responses are personal and must not be cached. */
export function addHostedUserRoutes(add: AddRoute, useCases: HostedUserUseCases): void {
  add(contract.signInHosted, async ({ body, request }) => {
    return toSignedIn(await useCases.signInHosted({ ...body, address: request.ip }))
  })

  add(contract.signUpHosted, async ({ body, resourceId, request }) => {
    const { email, password, data = {} } = body
    return toSignedIn(await useCases.signUpHosted({ email, password, data, address: request.ip, resourceId }))
  })

  add(contract.getHostedUser, ({ caller }) => {
    return Promise.resolve(toUser(caller.user))
  })

  add(contract.updateHostedUser, async ({ body, caller }) => {
    const { current_password: currentPassword, ...change } = body
    const changed = { ...change, ...(currentPassword !== undefined && { currentPassword }) }
    return toUser(await useCases.updateHostedUser(caller, changed))
  })
}

function toSignedIn({ token, user }: HostedSignIn): contract.SignedIn {
  return { access_token: token, user: toUser(user) }
}

function toUser(user: HostedUserRow): contract.HostedUser {
  return toWire(user, ['id', 'email', 'data', 'createdAt', 'updatedAt'])
}
