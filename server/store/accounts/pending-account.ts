import type { Database } from '../core/database.ts'

/** Handles kept for each account. A handle is one browser; the limit stops a caller without cookies from filling the table. */
const handlesPerAccountMaxCount = 20

export type PendingAccountStore = ReturnType<typeof createPendingAccountStore>

/** The account for which the browser of a sign-up may request another confirmation mail, by the hash of its handle. */
export function createPendingAccountStore({ pool }: Pick<Database, 'pool'>) {
  return {
    /** Adds a handle; `userId` is null where there is no account. Deletes the oldest handles of the account over the limit. */
    async add({ handleHash, userId, expiresAt }: { handleHash: Buffer; userId: string | null; expiresAt: Date }) {
      await pool.query('insert into pending_accounts (handle_hash, user_id, expires_at) values ($1, $2, $3)', [
        handleHash,
        userId,
        expiresAt,
      ])
      if (userId === null) return
      await pool.query(
        `delete from pending_accounts where handle_hash in (
           select handle_hash from pending_accounts where user_id = $1 order by created_at desc offset $2
         )`,
        [userId, handlesPerAccountMaxCount],
      )
    },

    /** The account of a handle; null where the handle is unknown, has expired or has no account. */
    async findUserId(handleHash: Buffer): Promise<string | null> {
      const { rows } = await pool.query<{ userId: string | null }>(
        'select user_id as "userId" from pending_accounts where handle_hash = $1 and expires_at > now()',
        [handleHash],
      )
      return rows[0]?.userId ?? null
    },

    /** Deletes expired handles. */
    async prune(): Promise<void> {
      await pool.query('delete from pending_accounts where expires_at <= now()')
    },
  }
}
