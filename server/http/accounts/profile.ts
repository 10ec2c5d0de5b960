import type { createProfileService } from '../../usecases/accounts/profile-service.ts'
import * as contract from '../../../contract/account/profile.ts'
import { toUser } from './account.ts'
import type { AddRoute } from '../core/route.ts'

/** The use cases of the profile calls. */
export type ProfileUseCases = ReturnType<typeof createProfileService>

/** `PATCH /auth/user`, and the calls that require the current password. */
export function addProfileRoutes(add: AddRoute, useCases: ProfileUseCases): void {
  add(contract.updateCurrentUser, async ({ body, caller }) => toUser(await useCases.updateUser(caller, body)))

  add(contract.changePassword, ({ body, caller }) =>
    useCases.changePassword(caller, { currentPassword: body.current_password, newPassword: body.new_password }),
  )

  add(contract.closeAccount, ({ body, caller }) => useCases.closeAccount(caller, body.password))
}
