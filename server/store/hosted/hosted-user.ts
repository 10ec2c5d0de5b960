import { and, eq, gt, ne, sql } from '../core/drizzle.ts'
import type { DocumentData, HostedUserRow } from '../../domain/auth/hosted.ts'
import { inTransaction, type Database } from '../core/database.ts'
import { hostedTokens, hostedUsers } from '../schema/hosted.ts'

/** What a change of a user sets; what is absent stays. */
export interface HostedUserChange {
  email?: string
  passwordHash?: string
  data?: (known: DocumentData) => DocumentData
}

/** SQLSTATE `unique_violation`. */
const taken = '23505'

const columns = {
  id: hostedUsers.id,
  email: hostedUsers.email,
  data: hostedUsers.data,
  createdAt: hostedUsers.createdAt,
  updatedAt: hostedUsers.updatedAt,
}

/** Users of the hosted data backend and their tokens. */
export function createHostedUserStore({ orm, pool }: Pick<Database, 'orm' | 'pool'>) {
  return {
    /** Null where the address has a user already. */
    async create(user: {
      id: string
      email: string
      passwordHash: string
      data: DocumentData
    }): Promise<HostedUserRow | null> {
      const [row] = await orm
        .insert(hostedUsers)
        .values(user)
        .onConflictDoNothing({ target: hostedUsers.email })
        .returning(columns)
      return row ?? null
    },

    /** By the address in lower case. */
    async findByEmail(email: string): Promise<{ user: HostedUserRow; passwordHash: string } | null> {
      const [row] = await orm
        .select({ user: columns, passwordHash: hostedUsers.passwordHash })
        .from(hostedUsers)
        .where(eq(hostedUsers.email, email))
      return row ?? null
    },

    /** The user of a token that has not run out. */
    async findByToken(tokenHash: Buffer): Promise<HostedUserRow | null> {
      const [row] = await orm
        .select(columns)
        .from(hostedTokens)
        .innerJoin(hostedUsers, eq(hostedUsers.id, hostedTokens.userId))
        .where(and(eq(hostedTokens.tokenHash, tokenHash), gt(hostedTokens.expiresAt, sql`now()`)))
      return row ?? null
    },

    /** Whether a token was made, by a sign-in or sign-up, within the last so many minutes. */
    async isTokenRecent(tokenHash: Buffer, minutes: number): Promise<boolean> {
      const isRecent = gt(hostedTokens.createdAt, sql`now() - make_interval(mins => ${minutes})`)
      return (await orm.$count(hostedTokens, and(eq(hostedTokens.tokenHash, tokenHash), isRecent))) > 0
    },

    /** The hash of a user's password; null where there is no such user. */
    async findPasswordHash(id: string): Promise<string | null> {
      const [row] = await orm
        .select({ passwordHash: hostedUsers.passwordHash })
        .from(hostedUsers)
        .where(eq(hostedUsers.id, id))
      return row?.passwordHash ?? null
    },

    async addToken(token: { tokenHash: Buffer; userId: string; expiresAt: Date }): Promise<void> {
      await orm.insert(hostedTokens).values(token)
    },

    /**
     * Changes a user, one change after the other; a new password ends every token but `keptTokenHash`.
     * `taken`: another user has the address. Null where there is no such user.
     */
    async update(id: string, change: HostedUserChange, keptTokenHash: Buffer): Promise<HostedUserRow | 'taken' | null> {
      try {
        return await inTransaction(pool, async ({ orm: tx }) => {
          const [known] = await tx.select(columns).from(hostedUsers).where(eq(hostedUsers.id, id)).for('update')
          if (known === undefined) return null
          const { email, passwordHash, data } = change
          const [row] = await tx
            .update(hostedUsers)
            .set({
              ...(email !== undefined && { email }),
              ...(passwordHash !== undefined && { passwordHash }),
              ...(data !== undefined && { data: data(known.data) }),
              updatedAt: sql`now()`,
            })
            .where(eq(hostedUsers.id, id))
            .returning(columns)
          if (passwordHash !== undefined) {
            await tx
              .delete(hostedTokens)
              .where(and(eq(hostedTokens.userId, id), ne(hostedTokens.tokenHash, keptTokenHash)))
          }
          return row ?? null
        })
      } catch (error) {
        if (codeOf(error) === taken) return 'taken'
        throw error
      }
    },
  }
}

/** The driver's code, which drizzle puts one level down. */
function codeOf(error: unknown): unknown {
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return code ?? (cause as { code?: unknown } | undefined)?.code
}
