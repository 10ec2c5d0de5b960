import { AppError } from '../../contract/errors.ts'
import type { WorkspaceRow } from '../domain/workspace.ts'

interface Ports {
  workspaces: {
    find: (id: string) => Promise<WorkspaceRow | null>
    setPostalAddress: (id: string, postalAddress: string | null) => Promise<void>
  }
}

/** What a workspace says of itself. */
export function createKeepWorkspace({ workspaces }: Ports) {
  const getWorkspace = async (id: string): Promise<WorkspaceRow> => {
    const workspace = await workspaces.find(id)
    if (workspace === null) throw new AppError('not_found')
    return workspace
  }
  return {
    getWorkspace,

    /** Sets the postal address of its campaigns; one of blanks is none. */
    async setPostalAddress(id: string, text: string): Promise<WorkspaceRow> {
      const lines = text.split(/\r?\n/).map((line) => line.trim())
      const address = lines.filter((line) => line !== '').join('\n')
      await workspaces.setPostalAddress(id, address === '' ? null : address)
      return getWorkspace(id)
    },
  }
}
