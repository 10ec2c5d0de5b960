import { and, desc, eq, gt, isNull, ne, not, sql } from '../core/drizzle.ts'
import type { SignedInUser } from '../../domain/auth/caller.ts'
import type { NewSession, SessionRow } from '../../domain/accounts/session.ts'
import { inTransaction, type Database } from '../core/database.ts'
import { members, sessions, users, workspaces } from '../schema/accounts.ts'

/** Sign-ins: they end by themselves after a while without use, at the latest after their whole life. */
export function createSessionStore({ orm, pool }: Pick<Database, 'orm' | 'pool'>, { idleDays }: { idleDays: number }) {
  const isLive = and(
    gt(sessions.expiresAt, sql`now()`),
    sql`${sessions.lastUsedAt} > now() - make_interval(days => ${idleDays})`,
  )

  return {
    /** Keeps a sign-in, and forgets those of the person that have ended by themselves. */
    async create(session: NewSession): Promise<void> {
      await inTransaction(pool, async ({ orm: tx }) => {
        await tx.delete(sessions).where(and(eq(sessions.userId, session.userId), not(isLive ?? sql`true`)))
        await tx.insert(sessions).values(session)
      })
    },

    /** The caller behind a live session; its last use is noted at most once a minute. */
    async findCaller(tokenHash: Buffer): Promise<SignedInUser | null> {
      const [row] = await orm
        .select({
          sessionId: sessions.id,
          userId: users.id,
          email: users.email,
          firstName: users.firstName,
          lastName: users.lastName,
          isConfirmed: sql<boolean>`${users.emailConfirmedAt} is not null`,
          createdAt: users.createdAt,
          hasPassword: sql<boolean>`${users.passwordHash} is not null`,
          preferences: users.preferences,
          isFresh: sql<boolean>`${sessions.lastUsedAt} > now() - interval '1 minute'`,
          workspace: { id: workspaces.id, name: workspaces.name, role: members.role },
        })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .innerJoin(members, eq(members.userId, users.id))
        .innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
        .where(and(eq(sessions.tokenHash, tokenHash), isLive, isNull(users.closedAt)))
        .orderBy(members.createdAt)
        .limit(1)
      if (row === undefined) return null
      const { isFresh, ...caller } = row
      if (!isFresh) {
        await orm
          .update(sessions)
          .set({ lastUsedAt: sql`now()` })
          .where(eq(sessions.id, caller.sessionId))
      }
      return caller
    },

    /** A page of a person's live sessions: `currentId` first, then by last use. */
    async list(
      { userId, currentId }: { userId: string; currentId: string },
      page: { limit: number; offset: number },
    ): Promise<{ rows: SessionRow[]; total: number }> {
      const where = and(eq(sessions.userId, userId), isLive)
      const [rows, total] = await Promise.all([
        orm
          .select({
            id: sessions.id,
            userAgent: sessions.userAgent,
            createdAt: sessions.createdAt,
            lastUsedAt: sessions.lastUsedAt,
            expiresAt: sessions.expiresAt,
          })
          .from(sessions)
          .where(where)
          .orderBy(desc(eq(sessions.id, currentId)), desc(sessions.lastUsedAt), sessions.id)
          .limit(page.limit)
          .offset(page.offset),
        orm.$count(sessions, where),
      ])
      return { rows, total }
    },

    /** Ends one session of a person; false where they have no such live one. */
    async end({ userId, id }: { userId: string; id: string }): Promise<boolean> {
      const ended = await orm
        .delete(sessions)
        .where(and(eq(sessions.id, id), eq(sessions.userId, userId), isLive))
        .returning({ id: sessions.id })
      return ended.length > 0
    },

    /** Ends every session of a person but one. */
    async endOthers({ userId, currentId }: { userId: string; currentId: string }): Promise<void> {
      await orm.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, currentId)))
    },
  }
}
