import type { Account, Identity, NewAccount } from '../../domain/accounts/account.ts'
import { accountColumns, insertAccount } from './account.ts'
import { findRow, inTransaction, type Database, type Queryable } from '../core/database.ts'

const insertIdentitySql = 'insert into identities (issuer, subject, user_id) values ($1, $2, $3)'

export type IdentityStore = ReturnType<typeof createIdentityStore>

/** Identities of users at OpenID providers. */
export function createIdentityStore({ pool }: Pick<Database, 'pool'>) {
  return {
    /** The account that an identity belongs to. */
    findAccount: ({ issuer, subject }: Identity) =>
      findRow<Account>(
        pool,
        `select ${accountColumns} from identities i join users on users.id = i.user_id
         where i.issuer = $1 and i.subject = $2`,
        [issuer, subject],
      ),

    /** Links an identity to an account. An identity that already belongs to an account stays with it. */
    async link(userId: string, { issuer, subject }: Identity): Promise<void> {
      await pool.query(`${insertIdentitySql} on conflict do nothing`, [issuer, subject, userId])
    },

    /**
     * Creates an account for an identity. An unconfirmed account with the same address is deleted first, with all its data:
     * its creator never proved that the address is theirs. False where another request created it first, or where the
     * address is confirmed; nothing is changed then.
     */
    async createAccount(account: NewAccount, { issuer, subject }: Identity): Promise<boolean> {
      return inTransaction(pool, async ({ client }) => {
        const known = await client.query('select from identities where issuer = $1 and subject = $2', [issuer, subject])
        if (known.rowCount !== 0) return false
        await deleteUnconfirmed(client, account.email)
        if (!(await insertAccount(client, account))) return false
        await client.query(insertIdentitySql, [issuer, subject, account.id])
        return true
      })
    },
  }
}

async function deleteUnconfirmed(client: Queryable, email: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `select m.workspace_id as id from members m join users u on u.id = m.user_id
     where u.email = $1 and u.email_confirmed_at is null`,
    [email],
  )
  const deleted = await client.query('delete from users where email = $1 and email_confirmed_at is null', [email])
  if (deleted.rowCount === 0) return
  const hasNoMember = 'not exists (select from members where workspace_id = $1)'
  for (const { id } of rows) {
    // The lock stops new messages: only messages are not deleted with their workspace.
    await client.query('select from email_configs where workspace_id = $1 for update', [id])
    await client.query(`delete from messages where workspace_id = $1 and ${hasNoMember}`, [id])
    await client.query(`delete from workspaces where id = $1 and ${hasNoMember}`, [id])
  }
}
