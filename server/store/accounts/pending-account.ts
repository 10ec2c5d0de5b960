import { and, eq, gt, not, sql } from '../core/drizzle.ts'
import type { Database } from '../core/database.ts'
import { pendingAccounts } from '../schema/accounts.ts'

/** Handles of one account that are kept: each is a browser, and a caller without cookies must not fill the table. */
const handlesPerAccountMaxCount = 20

/** Which account the browser of a sign-up may ask another confirmation mail for, by the hash of its handle. */
export function createPendingAccountStore({ orm }: Pick<Database, 'orm'>) {
  return {
    /** Keeps a handle; `userId` null where there is no account. The oldest of an account's handles are dropped. */
    async add(handle: { handleHash: Buffer; userId: string | null; expiresAt: Date }): Promise<void> {
      await orm.insert(pendingAccounts).values(handle)
      if (handle.userId === null) return
      await orm.delete(pendingAccounts).where(
        sql`${pendingAccounts.handleHash} in (
          select handle_hash from pending_accounts where user_id = ${handle.userId}
          order by created_at desc offset ${handlesPerAccountMaxCount})`,
      )
    },

    /** The account of a handle; null where the handle is unknown, has expired or has no account. */
    async findUserId(handleHash: Buffer): Promise<string | null> {
      const [row] = await orm
        .select({ userId: pendingAccounts.userId })
        .from(pendingAccounts)
        .where(and(eq(pendingAccounts.handleHash, handleHash), gt(pendingAccounts.expiresAt, sql`now()`)))
      return row?.userId ?? null
    },

    /** Deletes what has expired. */
    async prune(): Promise<void> {
      await orm.delete(pendingAccounts).where(not(gt(pendingAccounts.expiresAt, sql`now()`)))
    },
  }
}
