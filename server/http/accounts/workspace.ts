import * as contract from '../../../contract/account/workspace.ts'
import type { WorkspaceRow } from '../../domain/accounts/workspace.ts'
import type { AddRoute } from '../core/route.ts'

/** The use-cases behind the workspace calls. */
export interface WorkspaceUseCases {
  getWorkspace: (id: string) => Promise<WorkspaceRow>
  renameWorkspace: (id: string, name: string) => Promise<WorkspaceRow>
  setPostalAddress: (id: string, text: string) => Promise<WorkspaceRow>
}

/** `/workspace`: what campaigns say of their sender. */
export function addWorkspaceRoutes(add: AddRoute, useCases: WorkspaceUseCases): void {
  add(contract.getWorkspace, async ({ scope }) => toWorkspace(await useCases.getWorkspace(scope.workspaceId)))

  add(contract.updateWorkspace, async ({ body, caller }) => {
    const { id } = caller.workspace
    const { name, postal_address: address } = body
    if (name !== undefined) await useCases.renameWorkspace(id, name)
    if (address !== undefined) await useCases.setPostalAddress(id, address)
    return toWorkspace(await useCases.getWorkspace(id))
  })
}

function toWorkspace({ id, name, postalAddress }: WorkspaceRow): contract.Workspace {
  return { id, name, postal_address: postalAddress }
}
