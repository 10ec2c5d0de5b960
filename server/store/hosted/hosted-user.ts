import pg from 'pg'
import type { DocumentData, HostedUserRow } from '../../domain/auth/hosted.ts'
import { findRow, inTransaction, type Database } from '../core/database.ts'
import { selectListOf, setList } from '../core/sql.ts'

/** A change of a user; absent properties stay unchanged. */
export interface HostedUserChange {
  email?: string
  passwordHash?: string
  data?: (known: DocumentData) => DocumentData
}

/** SQLSTATE `unique_violation`. */
const taken = '23505'

const columns = selectListOf<HostedUserRow>('u', ['id', 'email', 'data', 'createdAt', 'updatedAt'])

export type HostedUserStore = ReturnType<typeof createHostedUserStore>

/** Users of the hosted data backend and their tokens. */
export function createHostedUserStore({ pool }: Pick<Database, 'pool'>) {
  return {
    /** Null if the address already has a user. */
    create: (user: { id: string; email: string; passwordHash: string; data: DocumentData }) =>
      findRow<HostedUserRow>(
        pool,
        `insert into hosted_users as u (id, email, password_hash, data) values ($1, $2, $3, $4)
         on conflict (email) do nothing returning ${columns}`,
        [user.id, user.email, user.passwordHash, JSON.stringify(user.data)],
      ),

    /** By the address in lower case. */
    async findByEmail(email: string): Promise<{ user: HostedUserRow; passwordHash: string } | null> {
      const { rows } = await pool.query<HostedUserRow & { passwordHash: string }>(
        `select ${columns}, password_hash as "passwordHash" from hosted_users u where email = $1`,
        [email],
      )
      if (rows[0] === undefined) return null
      const { passwordHash, ...user } = rows[0]
      return { user, passwordHash }
    },

    /** The user of a token that has not expired. */
    findByToken: (tokenHash: Buffer) =>
      findRow<HostedUserRow>(
        pool,
        `select ${columns} from hosted_tokens t join hosted_users u on u.id = t.user_id
         where t.token_hash = $1 and t.expires_at > now()`,
        [tokenHash],
      ),

    /** Whether a token was issued, by a sign-in or sign-up, within the last `minutes`. */
    async isTokenRecent(tokenHash: Buffer, minutes: number): Promise<boolean> {
      const { rowCount } = await pool.query(
        'select from hosted_tokens where token_hash = $1 and created_at > now() - make_interval(mins => $2)',
        [tokenHash, minutes],
      )
      return rowCount === 1
    },

    /** The hash of a user's password; null where there is no such user. */
    async findPasswordHash(id: string): Promise<string | null> {
      const { rows } = await pool.query<{ passwordHash: string }>(
        'select password_hash as "passwordHash" from hosted_users where id = $1',
        [id],
      )
      return rows[0]?.passwordHash ?? null
    },

    async addToken({ tokenHash, userId, expiresAt }: { tokenHash: Buffer; userId: string; expiresAt: Date }) {
      await pool.query('insert into hosted_tokens (token_hash, user_id, expires_at) values ($1, $2, $3)', [
        tokenHash,
        userId,
        expiresAt,
      ])
    },

    /**
     * Updates a user, one change after the other; a new password ends every token except `keptTokenHash`.
     * `taken`: another user has the address. Null where there is no such user.
     */
    async update(id: string, change: HostedUserChange, keptTokenHash: Buffer): Promise<HostedUserRow | 'taken' | null> {
      const { email, passwordHash, data } = change
      try {
        return await inTransaction(pool, async ({ client }) => {
          const found = await client.query<{ data: DocumentData }>(
            'select data from hosted_users where id = $1 for update',
            [id],
          )
          const [known] = found.rows
          if (known === undefined) return null
          const changes = { email, passwordHash, data: data && JSON.stringify(data(known.data)) }
          const { sql, values } = setList(changes, 2)
          const { rows } = await client.query<HostedUserRow>(
            `update hosted_users u set ${['updated_at = now()', sql].filter(Boolean).join(', ')}
             where id = $1 returning ${columns}`,
            [id, ...values],
          )
          if (passwordHash !== undefined) {
            await client.query('delete from hosted_tokens where user_id = $1 and token_hash <> $2', [id, keptTokenHash])
          }
          return rows[0] ?? null
        })
      } catch (error) {
        if (error instanceof pg.DatabaseError && error.code === taken) return 'taken'
        throw error
      }
    },
  }
}
