import { addWorkspaceRoutes } from '../http/accounts/workspace.ts'
import { createWorkspaceStore } from '../store/accounts/workspace.ts'
import { createWorkspaceService } from '../usecases/accounts/workspace-service.ts'
import type { Noun, Parts } from './core/parts.ts'

export const workspaceStore = ({ database }: Parts) => createWorkspaceStore(database)

export const workspaces: Noun = {
  addRoutes: (add, { resolve }) =>
    addWorkspaceRoutes(add, createWorkspaceService({ workspaces: resolve(workspaceStore) })),
}
