import type { Account, NewAccount, NewConfirmation } from '../../domain/accounts/account.ts'
import { countRows, findRow, inTransaction, type Database, type Queryable } from '../core/database.ts'
import type { AccountMails } from './account-mails.ts'

/** Select list of an `Account`, from `users`. */
export const accountColumns = `users.id, users.email, users.first_name as "firstName",
  users.password_hash as "passwordHash", users.email_confirmed_at is not null as "isConfirmed"`

/** Inserts an account and its workspace. False where the address already has an account; nothing is changed then. */
export async function insertAccount(client: Queryable, account: NewAccount): Promise<boolean> {
  const { id, email, firstName, lastName, passwordHash, referralSource, workspaceId, accepted } = account
  const { rowCount } = await client.query(
    `insert into users (id, email, first_name, last_name, password_hash, referral_source, email_confirmed_at)
     values ($1, $2, $3, $4, $5, $6, case when $7 then now() end)
     on conflict (email) do nothing`,
    [id, email, firstName, lastName, passwordHash, referralSource, account.isConfirmed],
  )
  if (rowCount === 0) return false
  await client.query('insert into workspaces (id, name) values ($1, $2)', [workspaceId, account.workspaceName])
  await client.query("insert into members (workspace_id, user_id, role) values ($1, $2, 'owner')", [workspaceId, id])
  await client.query(
    `insert into acceptances (user_id, document, document_date)
     select $1, accepted.document, accepted.date from unnest($2::text[], $3::date[]) as accepted (document, date)`,
    [id, accepted.map(({ document }) => document), accepted.map(({ documentDate }) => documentDate)],
  )
  return true
}

async function insertConfirmation(client: Queryable, userId: string, confirmation: NewConfirmation): Promise<void> {
  await client.query(
    "insert into account_tokens (token_hash, user_id, purpose, expires_at) values ($1, $2, 'confirm', $3)",
    [confirmation.tokenHash, userId, confirmation.expiresAt],
  )
}

export type AccountStore = ReturnType<typeof createAccountStore>

/** Accounts and their confirmation mails. */
export function createAccountStore({ pool }: Pick<Database, 'pool'>, mails: AccountMails) {
  return {
    /** Finds an account by its address in lower case. */
    findByEmail: (email: string) =>
      findRow<Account>(pool, `select ${accountColumns} from users where email = $1`, [email]),

    findById: (id: string) => findRow<Account>(pool, `select ${accountColumns} from users where id = $1`, [id]),

    /** False where the address already has an account; nothing is changed then. */
    async create(account: NewAccount, confirmation: NewConfirmation | null): Promise<boolean> {
      return inTransaction(pool, async ({ client }) => {
        if (!(await insertAccount(client, account))) return false
        if (confirmation !== null) {
          await insertConfirmation(client, account.id, confirmation)
          await mails.accept(confirmation.mail, client)
        }
        return true
      })
    },

    /** Adds another confirmation mail; earlier links stay valid until they expire. */
    async addConfirmation(userId: string, confirmation: NewConfirmation): Promise<void> {
      await inTransaction(pool, async ({ client }) => {
        await insertConfirmation(client, userId, confirmation)
        await mails.accept(confirmation.mail, client)
      })
    },

    /** Number of confirmation mails that an account was sent since an instant. */
    countConfirmations: (userId: string, since: Date) =>
      countRows(
        pool,
        `select count(*) from account_tokens where user_id = $1 and purpose = 'confirm' and created_at > $2`,
        [userId, since],
      ),

    /**
     * Confirms the address of a token's account. A token of a confirmed account always returns `confirmed`; one that
     * expired before that returns `expired`.
     */
    async confirm(tokenHash: Buffer): Promise<{ outcome: 'confirmed' | 'expired'; userId: string } | null> {
      return inTransaction(pool, async ({ client }) => {
        const { rows } = await client.query<{ userId: string; isConfirmed: boolean; isExpired: boolean }>(
          `select t.user_id as "userId", u.email_confirmed_at is not null as "isConfirmed",
             t.expires_at <= now() as "isExpired"
           from account_tokens t join users u on u.id = t.user_id
           where t.token_hash = $1 and t.purpose = 'confirm'`,
          [tokenHash],
        )
        const [token] = rows
        if (token === undefined) return null
        if (token.isConfirmed) return { outcome: 'confirmed', userId: token.userId }
        if (token.isExpired) return { outcome: 'expired', userId: token.userId }
        await client.query('update users set email_confirmed_at = now() where id = $1 and email_confirmed_at is null', [
          token.userId,
        ])
        await client.query('update account_tokens set used_at = now() where token_hash = $1', [tokenHash])
        return { outcome: 'confirmed', userId: token.userId }
      })
    },

    async setPassword(userId: string, passwordHash: string): Promise<void> {
      await pool.query('update users set password_hash = $2 where id = $1', [userId, passwordHash])
    },

    /** The first workspace that a user joined. */
    async findWorkspaceId(userId: string): Promise<string | null> {
      const { rows } = await pool.query<{ id: string }>(
        'select workspace_id as id from members where user_id = $1 order by created_at limit 1',
        [userId],
      )
      return rows[0]?.id ?? null
    },
  }
}
