import type { AcceptableDocument } from '../../contract/limits.ts'
import type { Database } from './database.ts'
import { acceptances } from './schema.ts'

/** What people accepted. */
export function createAcceptanceStore({ orm }: Pick<Database, 'orm'>) {
  return {
    /** Keeps an acceptance; the first of a version stays. */
    async add(acceptance: { userId: string; document: AcceptableDocument; documentDate: string }): Promise<void> {
      await orm.insert(acceptances).values(acceptance).onConflictDoNothing()
    },
  }
}
