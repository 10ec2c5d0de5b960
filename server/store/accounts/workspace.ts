import { eq } from '../core/drizzle.ts'
import type { WorkspaceRow } from '../../domain/accounts/workspace.ts'
import type { Database } from '../core/database.ts'
import { workspaces } from '../schema/accounts.ts'

/** What workspaces say of themselves. */
export function createWorkspaceStore({ orm }: Pick<Database, 'orm'>) {
  const shown = { id: workspaces.id, name: workspaces.name, postalAddress: workspaces.postalAddress }
  return {
    async find(id: string): Promise<WorkspaceRow | null> {
      const [row] = await orm.select(shown).from(workspaces).where(eq(workspaces.id, id))
      return row ?? null
    },

    async setName(id: string, name: string): Promise<void> {
      await orm.update(workspaces).set({ name }).where(eq(workspaces.id, id))
    },

    async setPostalAddress(id: string, postalAddress: string | null): Promise<void> {
      await orm.update(workspaces).set({ postalAddress }).where(eq(workspaces.id, id))
    },
  }
}
