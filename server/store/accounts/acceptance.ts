import type { Acceptance } from '../../domain/accounts/account.ts'
import type { Database } from '../core/database.ts'

/** Documents that people accepted. */
export function createAcceptanceStore({ pool }: Pick<Database, 'pool'>) {
  return {
    /** Adds an acceptance; the first one of a version is kept. */
    async add({ userId, document, documentDate }: Acceptance): Promise<void> {
      await pool.query(
        'insert into acceptances (user_id, document, document_date) values ($1, $2, $3) on conflict do nothing',
        [userId, document, documentDate],
      )
    },
  }
}
