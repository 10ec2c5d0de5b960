import type { createWorkspaceService } from '../../usecases/accounts/workspace-service.ts'
import * as contract from '../../../contract/account/workspace.ts'
import type { WorkspaceRow } from '../../domain/accounts/workspace.ts'
import type { AddRoute } from '../core/route.ts'

/** The use cases of the workspace calls. */
export type WorkspaceUseCases = ReturnType<typeof createWorkspaceService>

/** `/workspace`: what campaigns say of their sender. */
export function addWorkspaceRoutes(add: AddRoute, useCases: WorkspaceUseCases): void {
  add(contract.getWorkspace, async ({ scope }) => toWorkspace(await useCases.getWorkspace(scope)))

  add(contract.updateWorkspace, async ({ body, scope }) => {
    const { name, postal_address: address } = body
    if (name !== undefined) await useCases.renameWorkspace(scope, name)
    if (address !== undefined) await useCases.setPostalAddress(scope, address)
    if (body.tracking !== undefined || body.api_tracking !== undefined)
      await useCases.setTracking(scope, { tracking: body.tracking, apiTracking: body.api_tracking })
    return toWorkspace(await useCases.getWorkspace(scope))
  })
}

function toWorkspace({ id, name, postalAddress, tracking, apiTracking }: WorkspaceRow): contract.Workspace {
  return { id, name, postal_address: postalAddress, tracking, api_tracking: apiTracking }
}
