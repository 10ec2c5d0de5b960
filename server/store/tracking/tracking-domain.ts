import type { Scope, SystemScope } from '../../domain/auth/scope.ts'
import type { TrackingDomainRow } from '../../domain/tracking/tracking-domain.ts'
import { findRow, inTransaction, type Database } from '../core/database.ts'

/** A domain whose check is due. */
export interface DueDomain {
  workspaceId: string
  id: string
  host: string
}

/** What a check changed. */
export interface CheckedDomain {
  domain: TrackingDomainRow
  was: TrackingDomainRow['state']
}

const domainColumns = `t.id, t.host, t.state, t.created_at as "createdAt", t.checked_at as "checkedAt",
  t.failing_since as "failingSince", t.error`

export type TrackingDomainStore = ReturnType<typeof createTrackingDomainStore>

/** Tracking domains, and the claims on their hosts in the whole deployment. */
export function createTrackingDomainStore({ pool }: Pick<Database, 'pool'>) {
  return {
    async list({ workspaceId }: Scope): Promise<TrackingDomainRow[]> {
      const { rows } = await pool.query<TrackingDomainRow>(
        `select ${domainColumns} from tracking_domains t where t.workspace_id = $1 order by t.created_at, t.id`,
        [workspaceId],
      )
      return rows
    },

    find: ({ workspaceId }: Scope, id: string): Promise<TrackingDomainRow | null> =>
      findRow<TrackingDomainRow>(
        pool,
        `select ${domainColumns} from tracking_domains t where t.workspace_id = $1 and t.id = $2`,
        [workspaceId, id],
      ),

    /**
     * Adds a host, or gives the one that is there; null where another workspace has it. A claim that was not proved within a
     * week gives way.
     */
    async add(
      { workspaceId }: Scope,
      { id, host, token, now }: { id: string; host: string; token: string; now: Date },
    ): Promise<TrackingDomainRow | null> {
      return inTransaction(pool, async ({ client }) => {
        const { rowCount } = await client.query(
          `insert into verified_domains as v (domain, workspace_id, token, checked_at) values ($2, $1, $3, $4)
           on conflict (domain) do update set workspace_id = excluded.workspace_id, token = excluded.token,
             checked_at = excluded.checked_at
           where v.workspace_id = excluded.workspace_id
             or (v.verified_at is null and v.checked_at < excluded.checked_at - interval '7 days')`,
          [workspaceId, host, token, now],
        )
        if (rowCount === 0) return null
        await client.query(
          `insert into tracking_domains (workspace_id, id, host, created_at) values ($1, $2, $3, $4)
           on conflict (workspace_id, host) do nothing`,
          [workspaceId, id, host, now],
        )
        return findRow<TrackingDomainRow>(
          client,
          `select ${domainColumns} from tracking_domains t where t.workspace_id = $1 and t.host = $2`,
          [workspaceId, host],
        )
      })
    },

    /** Removes a domain with its claim; false without such a domain. */
    async remove({ workspaceId }: Scope, id: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        `with gone as (delete from tracking_domains where workspace_id = $1 and id = $2 returning host),
           freed as (delete from verified_domains v using gone where v.domain = gone.host and v.workspace_id = $1)
         select from gone`,
        [workspaceId, id],
      )
      return rowCount === 1
    },

    /** Notes the result of a check; `error` null: all is right. A host that another workspace has proved stays as it is. */
    async noteCheck(
      { workspaceId }: Scope,
      id: string,
      { error, now }: { error: string | null; now: Date },
    ): Promise<CheckedDomain | null> {
      const row = await findRow<TrackingDomainRow & { was: CheckedDomain['was'] }>(
        pool,
        `with old as materialized (
           select o.id, o.host, o.state from tracking_domains o where o.workspace_id = $1 and o.id = $2 for update
         ), proved as (
           update verified_domains v set verified_at = coalesce(v.verified_at, $4), checked_at = $4 from old
           where v.domain = old.host and v.workspace_id = $1 and $3::text is null
         )
         update tracking_domains t set checked_at = $4, error = $3,
           state = case when $3::text is null then 'active' when old.state = 'pending' then 'pending' else 'failing' end,
           failing_since = case when $3::text is null or old.state = 'pending' then null
             else coalesce(t.failing_since, $4) end
         from old where t.workspace_id = $1 and t.id = old.id
           and exists (select from verified_domains v where v.domain = old.host and v.workspace_id = $1)
         returning ${domainColumns}, old.state as was`,
        [workspaceId, id, error, now],
      )
      if (row === null) return null
      const { was, ...domain } = row
      return { domain, was }
    },

    /** Takes the domain of any workspace whose check is due; null without one. What fails or is new is checked more often. */
    async claimDue(_system: SystemScope, now: Date): Promise<DueDomain | null> {
      return findRow<DueDomain>(
        pool,
        `update tracking_domains t set checked_at = $1 from (
           select workspace_id, id from tracking_domains
           where checked_at is null or checked_at < $1::timestamptz - case
             when state = 'failing' or (state = 'pending' and created_at > $1::timestamptz - interval '2 days')
               then interval '5 minutes' else interval '1 hour' end
           order by checked_at nulls first limit 1 for update skip locked
         ) as due
         where t.workspace_id = due.workspace_id and t.id = due.id
         returning t.workspace_id as "workspaceId", t.id, t.host`,
        [now],
      )
    },

    /** Hosts that were proved, of all workspaces. */
    async listHosts(_system: SystemScope): Promise<string[]> {
      const { rows } = await pool.query<{ host: string }>(`select host from tracking_domains where state <> 'pending'`)
      return rows.map(({ host }) => host)
    },

    /** Whether a workspace has this host. */
    async isKnown(_system: SystemScope, host: string): Promise<boolean> {
      const { rowCount } = await pool.query('select from tracking_domains where host = $1 limit 1', [host])
      return rowCount === 1
    },

    /** The owners of a workspace, to whom mails about it go. */
    async listOwners({ workspaceId }: Scope): Promise<{ email: string; firstName: string }[]> {
      const { rows } = await pool.query<{ email: string; firstName: string }>(
        `select u.email, u.first_name as "firstName" from members m join users u on u.id = m.user_id
         where m.workspace_id = $1 and m.role = 'owner' order by u.email`,
        [workspaceId],
      )
      return rows
    },
  }
}
