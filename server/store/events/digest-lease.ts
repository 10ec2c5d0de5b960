import type { Scope, SystemScope } from '../../domain/auth/scope.ts'
import type { Database } from '../core/database.ts'

/** Longest time between two batches of a living process. A paused one is cut off after it. */
export const leaseSeconds = 10

/** The right to digest the events of a workspace. */
export interface DigestLease {
  token: string
}

export type DigestLeaseStore = ReturnType<typeof createDigestLeaseStore>

/** Which process digests the events of which workspace. */
export function createDigestLeaseStore({ pool }: Pick<Database, 'pool'>) {
  return {
    /**
     * Workspaces with events that no living process digests. Skips from workspace to workspace: rows do not cost. `minAgeMs`:
     * only where the oldest event has waited for so long.
     */
    async listWaiting(_system: SystemScope, minAgeMs = 0): Promise<string[]> {
      const { rows } = await pool.query<{ workspaceId: string }>({
        name: 'list-waiting-events',
        text: waitingSql,
        values: [minAgeMs / 1000],
      })
      return rows.map(({ workspaceId }) => workspaceId)
    },

    /** Takes the lease of a workspace for `holder`; false where a living process has it. */
    async take({ workspaceId }: Scope, holder: string, { token }: DigestLease): Promise<boolean> {
      const made = await pool.query(
        `insert into digest_leases (workspace_id, holder, token, lease_until)
         values ($1, $2, $3, now() + interval '${leaseSeconds} seconds') on conflict do nothing`,
        [workspaceId, holder, token],
      )
      if (made.rowCount === 1) return true
      // A lease far ahead is from before the clock was set back. A locked one is in use.
      const taken = await pool.query(
        `update digest_leases l set holder = $2, token = $3, lease_until = now() + interval '${leaseSeconds} seconds'
         from (
           select workspace_id from digest_leases
           where workspace_id = $1 and (lease_until < now() or lease_until > now() + interval '1 minute')
           for update skip locked
         ) as free
         where l.workspace_id = $1 and free.workspace_id = l.workspace_id`,
        [workspaceId, holder, token],
      )
      return taken.rowCount === 1
    },

    /** Gives the lease back, if it is still this one. */
    async release({ workspaceId }: Scope, { token }: DigestLease): Promise<void> {
      await pool.query('delete from digest_leases where workspace_id = $1 and token = $2', [workspaceId, token])
    },
  }
}

const waitingSql = `
  with recursive waiting as (
    (select workspace_id from event_inbox order by workspace_id limit 1)
    union all
    select (
      select workspace_id from event_inbox where workspace_id > waiting.workspace_id order by workspace_id limit 1
    ) from waiting where waiting.workspace_id is not null
  )
  select w.workspace_id as "workspaceId" from waiting w
  where w.workspace_id is not null
    and exists (
      select from (
        select i.at from event_inbox i where i.workspace_id = w.workspace_id and i.parked_error is null order by i.id limit 1
      ) as oldest
      -- A time far ahead is from a wrong clock.
      where $1::float8 = 0 or oldest.at not between now() - make_interval(secs => $1) and now() + interval '1 minute'
    )
    and not exists (
      select from digest_leases l
      where l.workspace_id = w.workspace_id and l.lease_until between now() and now() + interval '1 minute'
    )`
