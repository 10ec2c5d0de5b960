import * as contract from '../../contract/workspace.ts'
import type { WorkspaceRow } from '../domain/workspace.ts'
import type { AddRoute } from './route.ts'

/** The use-cases behind the workspace calls. */
export interface WorkspaceUseCases {
  getWorkspace: (id: string) => Promise<WorkspaceRow>
  setPostalAddress: (id: string, text: string) => Promise<WorkspaceRow>
}

/** `/workspace`: what campaigns say of their sender. */
export function addWorkspaceRoutes(add: AddRoute, useCases: WorkspaceUseCases): void {
  add(contract.getWorkspace, async ({ caller }) => toWorkspace(await useCases.getWorkspace(caller.workspace.id)))

  add(contract.updateWorkspace, async ({ body, caller }) => {
    const { id } = caller.workspace
    const { postal_address: address } = body
    const isGiven = address !== undefined
    return toWorkspace(await (isGiven ? useCases.setPostalAddress(id, address) : useCases.getWorkspace(id)))
  })
}

function toWorkspace({ id, name, postalAddress }: WorkspaceRow): contract.Workspace {
  return { id, name, postal_address: postalAddress }
}
