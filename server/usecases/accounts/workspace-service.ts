import { AppError } from '../../../contract/core/errors.ts'
import type { WorkspaceRow } from '../../domain/accounts/workspace.ts'
import type { WorkspaceStore } from '../../store/accounts/workspace.ts'
import type { Scope } from '../../domain/auth/scope.ts'

interface Ports {
  workspaces: Pick<WorkspaceStore, 'find' | 'setPostalAddress' | 'setName' | 'setTracking'>
}

/** Reads and changes a workspace's settings. */
export function createWorkspaceService({ workspaces }: Ports) {
  const getWorkspace = async (scope: Scope): Promise<WorkspaceRow> => {
    const workspace = await workspaces.find(scope)
    if (workspace === null) throw new AppError('not_found')
    return workspace
  }
  return {
    getWorkspace,

    /** Undefined settings stay. */
    setTracking: (scope: Scope, settings: Parameters<WorkspaceStore['setTracking']>[1]) =>
      workspaces.setTracking(scope, settings),

    /** Throws `validation`. */
    async renameWorkspace(scope: Scope, text: string): Promise<WorkspaceRow> {
      const name = text.trim()
      if (name === '') {
        const msg = 'name is empty; enter a name for the workspace'
        throw new AppError('validation', { items: [{ loc: ['body', 'name'], msg, type: 'missing' }] })
      }
      await workspaces.setName(scope, name)
      return getWorkspace(scope)
    },

    /** Sets the postal address of its campaigns; a blank one removes it. */
    async setPostalAddress(scope: Scope, text: string): Promise<WorkspaceRow> {
      const lines = text.split(/\r?\n/).map((line) => line.trim())
      const address = lines.filter((line) => line !== '').join('\n')
      await workspaces.setPostalAddress(scope, address === '' ? null : address)
      return getWorkspace(scope)
    },
  }
}
