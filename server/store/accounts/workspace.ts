import type { TrackingMode } from '../../../contract/results/tracking-mode.ts'
import type { WorkspaceRow } from '../../domain/accounts/workspace.ts'
import { findRow, type Database } from '../core/database.ts'
import type { Scope } from '../../domain/auth/scope.ts'

interface TrackingSettings {
  tracking?: TrackingMode | undefined
  apiTracking?: TrackingMode | undefined
  eventsKeepMonths?: number | undefined
}

export type WorkspaceStore = ReturnType<typeof createWorkspaceStore>

/** Names and postal addresses of workspaces. */
export function createWorkspaceStore({ pool }: Pick<Database, 'pool'>) {
  return {
    find: ({ workspaceId }: Scope) =>
      findRow<WorkspaceRow>(
        pool,
        `select id, name, postal_address as "postalAddress", tracking, api_tracking as "apiTracking",
           events_keep_months as "eventsKeepMonths"
         from workspaces where id = $1`,
        [workspaceId],
      ),

    async setName({ workspaceId }: Scope, name: string): Promise<void> {
      await pool.query('update workspaces set name = $2 where id = $1', [workspaceId, name])
    },

    /** Undefined settings stay. */
    async setTracking({ workspaceId }: Scope, settings: TrackingSettings): Promise<void> {
      const { tracking, apiTracking, eventsKeepMonths } = settings
      await pool.query(
        `update workspaces set tracking = coalesce($2, tracking), api_tracking = coalesce($3, api_tracking),
           events_keep_months = coalesce($4, events_keep_months)
         where id = $1`,
        [workspaceId, tracking ?? null, apiTracking ?? null, eventsKeepMonths ?? null],
      )
    },

    async setPostalAddress({ workspaceId }: Scope, postalAddress: string | null): Promise<void> {
      await pool.query('update workspaces set postal_address = $2 where id = $1', [workspaceId, postalAddress])
    },
  }
}
