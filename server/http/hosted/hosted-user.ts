import * as contract from '../../../contract/hosted/hosted.ts'
import type { DocumentData, HostedUserCaller, HostedUserRow } from '../../domain/auth/hosted.ts'
import type { AddRoute } from '../core/route.ts'

/** A hosted user with a token that was just made. */
interface HostedSignIn {
  token: string
  user: HostedUserRow
}

/** The use-cases behind the calls of hosted users. `address` is where a request comes from. */
export interface HostedUserUseCases {
  signInHosted: (input: { email: string; password: string; address: string }) => Promise<HostedSignIn>
  signUpHosted: (input: {
    email: string
    password: string
    data: DocumentData
    address: string
    /** Id of the user, where the call came with an Idempotency-Key. */
    resourceId: string | null
  }) => Promise<HostedSignIn>
  updateHostedUser: (
    caller: HostedUserCaller,
    change: { email?: string; password?: string; currentPassword?: string; data?: DocumentData },
  ) => Promise<HostedUserRow>
}

/** `/auth-collections/*` (spec §7): bodies are not wrapped. The responses are personal and must not be cached. */
export function addHostedUserRoutes(add: AddRoute, useCases: HostedUserUseCases): void {
  add(contract.signInHosted, async ({ body, request, reply }) => {
    void reply.header('cache-control', 'no-store')
    return toSignedIn(await useCases.signInHosted({ ...body, address: request.ip }))
  })

  add(contract.signUpHosted, async ({ body, resourceId, request, reply }) => {
    void reply.header('cache-control', 'no-store')
    const { email, password, data = {} } = body
    return toSignedIn(await useCases.signUpHosted({ email, password, data, address: request.ip, resourceId }))
  })

  add(contract.getHostedUser, ({ caller, reply }) => {
    void reply.header('cache-control', 'no-store')
    return Promise.resolve(toUser(caller.user))
  })

  add(contract.updateHostedUser, async ({ body, caller, reply }) => {
    void reply.header('cache-control', 'no-store')
    const { current_password: currentPassword, ...change } = body
    const changed = { ...change, ...(currentPassword !== undefined && { currentPassword }) }
    return toUser(await useCases.updateHostedUser(caller, changed))
  })
}

function toSignedIn({ token, user }: HostedSignIn): contract.SignedIn {
  return { access_token: token, user: toUser(user) }
}

function toUser(user: HostedUserRow): contract.HostedUser {
  return {
    id: user.id,
    email: user.email,
    data: user.data,
    created_at: user.createdAt.toISOString(),
    updated_at: user.updatedAt.toISOString(),
  }
}
