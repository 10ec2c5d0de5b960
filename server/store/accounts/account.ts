import { and, eq, gt, isNull, sql } from '../core/drizzle.ts'
import type { NodePgDatabase } from '../core/drizzle.ts'
import type { Account, NewAccount, NewConfirmation } from '../../domain/accounts/account.ts'
import { inTransaction, type Database } from '../core/database.ts'
import type { MessageStore } from '../messages/message.ts'
import { acceptances, accountTokens, members, users, workspaces } from '../schema/accounts.ts'

/** What is read of an account. */
export const accountColumns = {
  id: users.id,
  email: users.email,
  firstName: users.firstName,
  passwordHash: users.passwordHash,
  isConfirmed: sql<boolean>`${users.emailConfirmedAt} is not null`,
}

/** Writes an account and its workspace. False where the address has an account already; nothing is changed then. */
export async function insertAccount(tx: NodePgDatabase, account: NewAccount): Promise<boolean> {
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
  return true
}

/** Accounts and the mails that confirm them. */
export function createAccountStore({ orm, pool }: Pick<Database, 'orm' | 'pool'>, messages: MessageStore) {
  return {
    /** Finds an account by its address in lower case. */
    async findByEmail(email: string): Promise<Account | null> {
      const [row] = await orm.select(accountColumns).from(users).where(eq(users.email, email))
      return row ?? null
    },

    async findById(id: string): Promise<Account | null> {
      const [row] = await orm.select(accountColumns).from(users).where(eq(users.id, id))
      return row ?? null
    },

    /** False where the address has an account already; nothing is changed then. */
    async create(account: NewAccount, confirmation: NewConfirmation | null): Promise<boolean> {
      return inTransaction(pool, async ({ client, orm: tx }) => {
        if (!(await insertAccount(tx, account))) return false
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
            isConfirmed: accountColumns.isConfirmed,
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
  }
}
