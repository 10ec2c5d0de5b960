import type { Acceptance } from '../../domain/accounts/account.ts'
import type { Database } from '../core/database.ts'
import { acceptances } from '../schema/accounts.ts'

/** What people accepted. */
export function createAcceptanceStore({ orm }: Pick<Database, 'orm'>) {
  return {
    /** Keeps an acceptance; the first of a version stays. */
    async add(acceptance: Acceptance): Promise<void> {
      await orm.insert(acceptances).values(acceptance).onConflictDoNothing()
    },
  }
}
