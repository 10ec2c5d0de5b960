import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Account, NewAccount, NewConfirmation } from '../domain/account.ts'
import type { Caller } from '../domain/caller.ts'
import { inTransaction, type Database } from './database.ts'
import type { MessageStore } from './message.ts'
import { acceptances, accountTokens, members, sessions, users, workspaces } from './schema.ts'

/** Accounts, their sessions and the tokens mailed to them. */
export function createAccountStore(
  { orm, pool }: Pick<Database, 'orm' | 'pool'>,
  messages: MessageStore,
  idle: { sessionIdleDays: number },
) {
  const columns = {
    id: users.id,
    email: users.email,
    firstName: users.firstName,
    passwordHash: users.passwordHash,
    isConfirmed: sql<boolean>`${users.emailConfirmedAt} is not null`,
  }

  return {
    /** Finds an account by its address in lower case. */
    async findByEmail(email: string): Promise<Account | null> {
      const [row] = await orm.select(columns).from(users).where(eq(users.email, email))
      return row ?? null
    },

    async findById(id: string): Promise<Account | null> {
      const [row] = await orm.select(columns).from(users).where(eq(users.id, id))
      return row ?? null
    },

    /** False where the address has an account already; nothing is changed then. */
    async create(account: NewAccount, confirmation: NewConfirmation | null): Promise<boolean> {
      return inTransaction(pool, async ({ client, orm: tx }) => {
        const made = await tx
          .insert(users)
          .values({
            id: account.id,
            email: account.email,
            firstName: account.firstName,
            lastName: account.lastName,
            passwordHash: account.passwordHash,
            referralSource: account.referralSource,
            emailConfirmedAt: account.isConfirmed ? sql`now()` : null,
          })
          .onConflictDoNothing({ target: users.email })
          .returning({ id: users.id })
        if (made.length === 0) return false
        await tx
          .insert(workspaces)
          .values({ id: account.workspaceId, name: account.workspaceName, trialEndsAt: account.trialEndsAt })
        await tx.insert(members).values({ workspaceId: account.workspaceId, userId: account.id, role: 'owner' })
        if (account.accepted.length > 0) {
          await tx.insert(acceptances).values(account.accepted.map((one) => ({ ...one, userId: account.id })))
        }
        if (confirmation !== null) {
          await tx.insert(accountTokens).values({ ...confirmation, userId: account.id, purpose: 'confirm' })
          await messages.accept(confirmation.mail, client)
        }
        return true
      })
    },

    /** A further confirmation mail; earlier links keep working until they expire. */
    async addConfirmation(userId: string, confirmation: NewConfirmation): Promise<void> {
      await inTransaction(pool, async ({ client, orm: tx }) => {
        await tx.insert(accountTokens).values({ ...confirmation, userId, purpose: 'confirm' })
        await messages.accept(confirmation.mail, client)
      })
    },

    /** How many confirmation mails an account was sent since an instant. */
    async countConfirmations(userId: string, since: Date): Promise<number> {
      return orm.$count(
        accountTokens,
        and(eq(accountTokens.userId, userId), eq(accountTokens.purpose, 'confirm'), gt(accountTokens.createdAt, since)),
      )
    },

    /**
     * Confirms the address of a token's account. A token of a confirmed account answers `confirmed` for ever; one that
     * ran out before answers `expired`.
     */
    async confirm(tokenHash: Buffer): Promise<{ outcome: 'confirmed' | 'expired'; userId: string } | null> {
      return inTransaction(pool, async ({ orm: tx }) => {
        const [token] = await tx
          .select({
            userId: accountTokens.userId,
            isConfirmed: columns.isConfirmed,
            isExpired: sql<boolean>`${accountTokens.expiresAt} <= now()`,
          })
          .from(accountTokens)
          .innerJoin(users, eq(users.id, accountTokens.userId))
          .where(and(eq(accountTokens.tokenHash, tokenHash), eq(accountTokens.purpose, 'confirm')))
        if (token === undefined) return null
        if (token.isConfirmed) return { outcome: 'confirmed', userId: token.userId }
        if (token.isExpired) return { outcome: 'expired', userId: token.userId }
        await tx
          .update(users)
          .set({ emailConfirmedAt: sql`now()` })
          .where(and(eq(users.id, token.userId), isNull(users.emailConfirmedAt)))
        await tx
          .update(accountTokens)
          .set({ usedAt: sql`now()` })
          .where(eq(accountTokens.tokenHash, tokenHash))
        return { outcome: 'confirmed', userId: token.userId }
      })
    },

    async setPassword(userId: string, passwordHash: string): Promise<void> {
      await orm.update(users).set({ passwordHash }).where(eq(users.id, userId))
    },

    /** The first workspace that a person joined. */
    async findWorkspaceId(userId: string): Promise<string | null> {
      const [row] = await orm
        .select({ workspaceId: members.workspaceId })
        .from(members)
        .where(eq(members.userId, userId))
        .orderBy(members.createdAt)
        .limit(1)
      return row?.workspaceId ?? null
    },

    async createSession(session: {
      id: string
      userId: string
      tokenHash: Buffer
      userAgent: string | null
      expiresAt: Date
    }): Promise<void> {
      await orm.insert(sessions).values(session)
    },

    /** The caller behind a live session; its last use is noted at most once a minute. */
    async findCaller(tokenHash: Buffer): Promise<Caller | null> {
      const isIdle = sql`${sessions.lastUsedAt} <= now() - make_interval(days => ${idle.sessionIdleDays})`
      const [row] = await orm
        .select({
          sessionId: sessions.id,
          userId: users.id,
          email: users.email,
          firstName: users.firstName,
          lastName: users.lastName,
          isConfirmed: columns.isConfirmed,
          createdAt: users.createdAt,
          isFresh: sql<boolean>`${sessions.lastUsedAt} > now() - interval '1 minute'`,
          workspace: { id: workspaces.id, name: workspaces.name, role: members.role },
        })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .innerJoin(members, eq(members.userId, users.id))
        .innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
        .where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, sql`now()`), sql`not (${isIdle})`))
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

    async deleteSession(id: string): Promise<void> {
      await orm.delete(sessions).where(eq(sessions.id, id))
    },
  }
}
