import type { createWorkspaceService } from '../../usecases/accounts/workspace-service.ts'
import * as contract from '../../../contract/account/workspace.ts'
import type { WorkspaceRow } from '../../domain/accounts/workspace.ts'
import type { AddRoute } from '../core/route.ts'
import { toWire } from '../core/wire.ts'

/** The use cases of the workspace calls. */
export type WorkspaceUseCases = ReturnType<typeof createWorkspaceService>

/** `/workspace`: what campaigns say of their sender. */
export function addWorkspaceRoutes(add: AddRoute, useCases: WorkspaceUseCases): void {
  add(contract.getWorkspace, async ({ scope }) => toWorkspace(await useCases.getWorkspace(scope)))

  add(contract.updateWorkspace, async ({ body, scope }) => {
    const { name, postal_address: address } = body
    if (name !== undefined) await useCases.renameWorkspace(scope, name)
    if (address !== undefined) await useCases.setPostalAddress(scope, address)
    const { tracking, api_tracking: apiTracking, events_keep_months: eventsKeepMonths } = body
    if ([tracking, apiTracking, eventsKeepMonths].some((setting) => setting !== undefined))
      await useCases.setTracking(scope, { tracking, apiTracking, eventsKeepMonths })
    return toWorkspace(await useCases.getWorkspace(scope))
  })
}

function toWorkspace(row: WorkspaceRow): contract.Workspace {
  return toWire(row, ['id', 'name', 'postalAddress', 'tracking', 'apiTracking', 'eventsKeepMonths'])
}
