import { addWorkspaceRoutes } from '../http/accounts/workspace.ts'
import { createWorkspaceStore } from '../store/accounts/workspace.ts'
import { createKeepWorkspace } from '../usecases/accounts/keep-workspace.ts'
import type { Noun, Parts } from './parts.ts'

export const workspaceStore = ({ database }: Parts) => createWorkspaceStore(database)

export const workspaces: Noun = {
  addRoutes: (add, { resolve }) =>
    addWorkspaceRoutes(add, createKeepWorkspace({ workspaces: resolve(workspaceStore) })),
}
