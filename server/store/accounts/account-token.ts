import type { Account, NewSignInCode } from '../../domain/accounts/account.ts'
import type { NewMessage } from '../../domain/messages/message.ts'
import { accountColumns } from './account.ts'
import { findRow, inTransaction, type Database, type Queryable } from '../core/database.ts'
import type { AccountMails } from './account-mails.ts'

const isUnused = 'used_at is null and expires_at > now()'

/** Marks every unused reset link and sign-in code of a user as used. */
export async function invalidateTokens(client: Queryable, userId: string): Promise<void> {
  await client.query(
    `update account_tokens set used_at = now()
     where user_id = $1 and purpose in ('reset', 'sign_in') and used_at is null`,
    [userId],
  )
}

export type AccountTokenStore = ReturnType<typeof createAccountTokenStore>

/** Single-use tokens: mailed reset links, and the codes that a browser brings to /login after a sign-in elsewhere. */
export function createAccountTokenStore({ pool }: Pick<Database, 'pool'>, mails: AccountMails) {
  return {
    /** Adds a reset token and accepts the mail with its link. */
    async addReset(userId: string, reset: { tokenHash: Buffer; expiresAt: Date; mail: NewMessage }): Promise<void> {
      await inTransaction(pool, async ({ client }) => {
        await client.query(
          "insert into account_tokens (token_hash, user_id, purpose, expires_at) values ($1, $2, 'reset', $3)",
          [reset.tokenHash, userId, reset.expiresAt],
        )
        await mails.accept(reset.mail, client)
      })
    },

    /** Whether a reset token is unused and has not expired. */
    async isResetLive(tokenHash: Buffer): Promise<boolean> {
      const { rowCount } = await pool.query(
        `select from account_tokens where token_hash = $1 and purpose = 'reset' and ${isUnused}`,
        [tokenHash],
      )
      return rowCount === 1
    },

    /**
     * Redeems a reset token: sets the password, ends every session and every other reset link of the account, and confirms
     * the address, because the link was mailed to it. Null where the token is unknown, used or expired.
     */
    async useReset(
      tokenHash: Buffer,
      passwordHash: string,
      write: (account: Account) => NewMessage,
    ): Promise<Account | null> {
      return inTransaction(pool, async ({ client }) => {
        // Locks the user's row first: two resets of one user wait for each other here and cannot deadlock later.
        const owners = await client.query<{ id: string }>(
          `select u.id from users u join account_tokens t on t.user_id = u.id where t.token_hash = $1 for update of u`,
          [tokenHash],
        )
        const [owner] = owners.rows
        if (owner === undefined) return null
        const used = await client.query(
          `update account_tokens set used_at = now() where token_hash = $1 and purpose = 'reset' and ${isUnused}`,
          [tokenHash],
        )
        if (used.rowCount === 0) return null
        const { rows } = await client.query<Account>(
          `update users set password_hash = $2, email_confirmed_at = coalesce(email_confirmed_at, now())
           where id = $1 returning ${accountColumns}`,
          [owner.id, passwordHash],
        )
        const [account] = rows
        if (account === undefined) return null
        await client.query('delete from sessions where user_id = $1', [owner.id])
        await invalidateTokens(client, owner.id)
        await mails.accept(write(account), client)
        return account
      })
    },

    /** Adds a sign-in code and deletes the user's earlier ones. */
    async addSignInCode({ tokenHash, userId, browserHash, expiresAt }: NewSignInCode): Promise<void> {
      await inTransaction(pool, async ({ client }) => {
        await client.query("delete from account_tokens where user_id = $1 and purpose = 'sign_in'", [userId])
        await client.query(
          `insert into account_tokens (token_hash, user_id, purpose, browser_hash, expires_at)
           values ($1, $2, 'sign_in', $3, $4)`,
          [tokenHash, userId, browserHash, expiresAt],
        )
      })
    },

    /** Redeems a code in the browser it was given to and returns its account; null where it is not valid. */
    useSignInCode: (tokenHash: Buffer, browserHash: Buffer) =>
      findRow<Account>(
        pool,
        `with used as (
           update account_tokens set used_at = now()
           where token_hash = $1 and browser_hash = $2 and purpose = 'sign_in' and ${isUnused}
           returning user_id
         )
         select ${accountColumns} from users where id = (select user_id from used)`,
        [tokenHash, browserHash],
      ),
  }
}
