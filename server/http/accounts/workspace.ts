import * as contract from '../../../contract/account/workspace.ts'
import type { WorkspaceRow } from '../../domain/accounts/workspace.ts'
import type { AddRoute } from '../core/route.ts'
import type { Scope } from '../../domain/auth/scope.ts'

/** The use-cases behind the workspace calls. */
export interface WorkspaceUseCases {
  getWorkspace: (scope: Scope) => Promise<WorkspaceRow>
  renameWorkspace: (scope: Scope, name: string) => Promise<WorkspaceRow>
  setPostalAddress: (scope: Scope, text: string) => Promise<WorkspaceRow>
}

/** `/workspace`: what campaigns say of their sender. */
export function addWorkspaceRoutes(add: AddRoute, useCases: WorkspaceUseCases): void {
  add(contract.getWorkspace, async ({ scope }) => toWorkspace(await useCases.getWorkspace(scope)))

  add(contract.updateWorkspace, async ({ body, scope }) => {
    const { name, postal_address: address } = body
    if (name !== undefined) await useCases.renameWorkspace(scope, name)
    if (address !== undefined) await useCases.setPostalAddress(scope, address)
    return toWorkspace(await useCases.getWorkspace(scope))
  })
}

function toWorkspace({ id, name, postalAddress }: WorkspaceRow): contract.Workspace {
  return { id, name, postal_address: postalAddress }
}
