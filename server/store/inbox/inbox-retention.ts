import type { SystemScope } from '../../domain/auth/scope.ts'
import type { Database } from '../core/database.ts'

const keptMonths = 13
const deletedAtOnceCount = 2000

/** Ends of the time for which answers are kept as text; their events and figures stay. */
export function createInboxRetentionStore({ pool }: Pick<Database, 'pool'>) {
  return {
    /** Deletes mails of before 13 months, some at a time; false once none is left. */
    async deleteMails(_system: SystemScope): Promise<boolean> {
      const { rowCount } = await pool.query(
        `delete from inbox_mails i using (
           select workspace_id, id from inbox_mails
           where created_at < now() - interval '${keptMonths} months' limit ${deletedAtOnceCount}
         ) as old
         where i.workspace_id = old.workspace_id and i.id = old.id`,
      )
      return rowCount === deletedAtOnceCount
    },

    /** Forgets providers' Message-IDs, counts and rows of bounces that are as old. */
    async deleteRest(_system: SystemScope): Promise<void> {
      await pool.query(
        `delete from provider_message_ids where delivery_month < (now() - interval '${keptMonths} months')::date`,
      )
      await pool.query(`delete from reading_counts where day < (now() - interval '${keptMonths} months')::date`)
      await pool.query(`delete from address_health where last_bounce_at < now() - interval '${keptMonths} months'`)
    },
  }
}
