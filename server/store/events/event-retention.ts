import type { Scope, SystemScope } from '../../domain/auth/scope.ts'
import { inTransaction, type Database } from '../core/database.ts'

/** A partition that is being read is dropped by a later run. */
const lockTimeout = '2s'
const deletedAtOnceCount = 5000

/** Ends of the time for which events are kept. Figures and engagements stay. */
export function createEventRetentionStore({ pool }: Pick<Database, 'pool'>) {
  return {
    /** Drops the months that no workspace keeps; returns their number. */
    async dropMonths(_system: SystemScope): Promise<number> {
      const { rows } = await pool.query<{ name: string }>(
        `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
         where i.inhparent = 'events'::regclass and c.relname ~ '^events_\\d{4}_\\d{2}$'
           and to_date(right(c.relname, 7), 'YYYY_MM') < date_trunc('month', now() at time zone 'utc')
             - make_interval(months => (select coalesce(max(events_keep_months), 13) from workspaces))
         order by c.relname`,
      )
      for (const { name } of rows) {
        await inTransaction(
          pool,
          ({ client }) => client.query(`drop table ${name}`),
          `begin; set local lock_timeout = '${lockTimeout}'`,
        )
      }
      return rows.length
    },

    /** Workspaces that keep fewer months than others. */
    async listShorter(_system: SystemScope): Promise<{ workspaceId: string; months: number }[]> {
      const { rows } = await pool.query<{ workspaceId: string; months: number }>(
        `select id as "workspaceId", events_keep_months as months from workspaces
         where events_keep_months < (select max(events_keep_months) from workspaces)`,
      )
      return rows
    },

    /** Deletes events of before the months that the workspace keeps, some at a time; false once none is left. */
    async deleteOld({ workspaceId }: Scope, months: number): Promise<boolean> {
      const { rowCount } = await pool.query(
        `delete from events e using (
           select at, seq from events
           where workspace_id = $1
             and at < (date_trunc('month', now() at time zone 'utc') - make_interval(months => $2)) at time zone 'utc'
           limit ${deletedAtOnceCount}
         ) as old
         where e.workspace_id = $1 and e.at = old.at and e.seq = old.seq`,
        [workspaceId, months],
      )
      return rowCount === deletedAtOnceCount
    },
  }
}
