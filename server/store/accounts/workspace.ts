import type { WorkspaceRow } from '../../domain/accounts/workspace.ts'
import { findRow, type Database } from '../core/database.ts'
import type { Scope } from '../../domain/auth/scope.ts'

export type WorkspaceStore = ReturnType<typeof createWorkspaceStore>

/** Names and postal addresses of workspaces. */
export function createWorkspaceStore({ pool }: Pick<Database, 'pool'>) {
  return {
    find: ({ workspaceId }: Scope) =>
      findRow<WorkspaceRow>(pool, 'select id, name, postal_address as "postalAddress" from workspaces where id = $1', [
        workspaceId,
      ]),

    async setName({ workspaceId }: Scope, name: string): Promise<void> {
      await pool.query('update workspaces set name = $2 where id = $1', [workspaceId, name])
    },

    async setPostalAddress({ workspaceId }: Scope, postalAddress: string | null): Promise<void> {
      await pool.query('update workspaces set postal_address = $2 where id = $1', [workspaceId, postalAddress])
    },
  }
}
