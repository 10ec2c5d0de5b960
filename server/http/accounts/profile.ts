import * as contract from '../../../contract/account/profile.ts'
import type { SignedInUser } from '../../domain/auth/caller.ts'
import { toUser } from './account.ts'
import type { AddRoute } from '../core/route.ts'

/** The use-cases behind what people change of themselves. */
export interface ProfileUseCases {
  updateUser: (caller: SignedInUser, changes: contract.UserChanges) => Promise<SignedInUser>
  changePassword: (caller: SignedInUser, input: { currentPassword: string; newPassword: string }) => Promise<void>
  closeAccount: (caller: SignedInUser, password: string) => Promise<void>
}

/** `PATCH /auth/user`, and what asks for the password once more. */
export function addProfileRoutes(add: AddRoute, useCases: ProfileUseCases): void {
  add(contract.updateCurrentUser, async ({ body, caller }) => toUser(await useCases.updateUser(caller, body)))

  add(contract.changePassword, async ({ body, caller }) => {
    await useCases.changePassword(caller, { currentPassword: body.current_password, newPassword: body.new_password })
    return null
  })

  add(contract.closeAccount, async ({ body, caller }) => {
    await useCases.closeAccount(caller, body.password)
    return null
  })
}
