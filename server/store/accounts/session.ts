import type { SignedInUser } from '../../domain/auth/caller.ts'
import type { NewSession, SessionRow } from '../../domain/accounts/session.ts'
import { countRows, inTransaction, type Database } from '../core/database.ts'
import type { Listed, PageQuery } from '../../domain/core/page.ts'
import { afterValues, sortAtColumn, toPage } from '../core/page.ts'
import { selectList } from '../core/sql.ts'

export type SessionStore = ReturnType<typeof createSessionStore>

/** Sign-in sessions: they expire after `idleDays` without use, and at the latest at their `expiresAt`. */
export function createSessionStore({ pool }: Pick<Database, 'pool'>, { idleDays }: { idleDays: number }) {
  const isLive = `(s.expires_at > now() and s.last_used_at > now() - make_interval(days => ${idleDays}))`

  return {
    /** Adds a session and deletes the expired ones of its user. */
    async create({ id, userId, tokenHash, userAgent, expiresAt }: NewSession): Promise<void> {
      await inTransaction(pool, async ({ client }) => {
        await client.query(`delete from sessions s where user_id = $1 and not ${isLive}`, [userId])
        await client.query(
          'insert into sessions (id, user_id, token_hash, user_agent, expires_at) values ($1, $2, $3, $4, $5)',
          [id, userId, tokenHash, userAgent, expiresAt],
        )
      })
    },

    /** The caller of a live session; updates its last use at most once a minute. */
    async findCaller(tokenHash: Buffer): Promise<SignedInUser | null> {
      const { rows } = await pool.query<SignedInUser & { isFresh: boolean }>({
        name: 'find-caller',
        text: `select s.id as "sessionId", u.id as "userId", u.email, u.first_name as "firstName",
            u.last_name as "lastName", u.email_confirmed_at is not null as "isConfirmed", u.created_at as "createdAt",
            u.password_hash is not null as "hasPassword", u.preferences,
            s.last_used_at > now() - interval '1 minute' as "isFresh",
            json_build_object('id', w.id, 'name', w.name, 'role', m.role) as workspace
          from sessions s
            join users u on u.id = s.user_id
            join members m on m.user_id = u.id
            join workspaces w on w.id = m.workspace_id
          where s.token_hash = $1 and ${isLive} and u.closed_at is null
          order by m.created_at limit 1`,
        values: [tokenHash],
      })
      const [row] = rows
      if (row === undefined) return null
      const { isFresh, ...caller } = row
      if (!isFresh) await pool.query('update sessions set last_used_at = now() where id = $1', [caller.sessionId])
      return caller
    },

    /** A page of a user's live sessions: `currentId` first, then by last use. */
    async list(
      { userId, currentId }: { userId: string; currentId: string },
      { limit, offset, after }: PageQuery,
    ): Promise<Listed<SessionRow>> {
      const columns = selectList<SessionRow>(['id', 'userAgent', 'createdAt', 'lastUsedAt', 'expiresAt'])
      // The current session sorts before every time of use.
      const usedAt = `case when id = $2 then timestamptz '9999-12-31T00:00:00Z' else last_used_at end`
      const [{ rows }, total] = await Promise.all([
        pool.query<SessionRow & { sortAt: string }>(
          `select ${columns}, ${sortAtColumn(`(${usedAt})`)} from sessions s where user_id = $1 and ${isLive}
             and ($3::timestamptz is null or (${usedAt}, id) < ($3::timestamptz, $4::uuid))
           order by ${usedAt} desc, id desc limit $5 offset $6`,
          [userId, currentId, ...afterValues(after), limit + 1, offset],
        ),
        countRows(pool, `select count(*) from sessions s where user_id = $1 and ${isLive}`, [userId]),
      ])
      return { ...toPage<SessionRow>(rows, limit), total }
    },

    /** Ends one session of a user; false where they have no such live session. */
    async end({ userId, id }: { userId: string; id: string }): Promise<boolean> {
      const { rowCount } = await pool.query(`delete from sessions s where id = $1 and user_id = $2 and ${isLive}`, [
        id,
        userId,
      ])
      return rowCount === 1
    },

    /** Ends every session of a user except one. */
    async endOthers({ userId, currentId }: { userId: string; currentId: string }): Promise<void> {
      await pool.query('delete from sessions where user_id = $1 and id <> $2', [userId, currentId])
    },
  }
}
