import { and, eq, gt, inArray, isNull, sql } from '../core/drizzle.ts'
import type { Account, NewSignInCode } from '../../domain/accounts/account.ts'
import type { NewMessage } from '../../domain/messages/message.ts'
import { accountColumns } from './account.ts'
import { inTransaction, type Database } from '../core/database.ts'
import type { MessageStore } from '../messages/message.ts'
import { accountTokens, sessions, users } from '../schema/accounts.ts'

/** Tokens that work once: mailed reset links, and the codes that a sign-in elsewhere brings to /login. */
export function createAccountTokenStore({ orm, pool }: Pick<Database, 'orm' | 'pool'>, messages: MessageStore) {
  const isUnused = and(isNull(accountTokens.usedAt), gt(accountTokens.expiresAt, sql`now()`))

  return {
    /** A reset token and the mail that carries it. */
    async addReset(userId: string, reset: { tokenHash: Buffer; expiresAt: Date; mail: NewMessage }): Promise<void> {
      await inTransaction(pool, async ({ client, orm: tx }) => {
        await tx
          .insert(accountTokens)
          .values({ tokenHash: reset.tokenHash, expiresAt: reset.expiresAt, userId, purpose: 'reset' })
        await messages.accept(reset.mail, client)
      })
    },

    /** Whether a reset token would still work. */
    async isResetLive(tokenHash: Buffer): Promise<boolean> {
      const where = and(eq(accountTokens.tokenHash, tokenHash), eq(accountTokens.purpose, 'reset'), isUnused)
      return (await orm.$count(accountTokens, where)) > 0
    },

    /**
     * Uses a reset token up: the new password holds, every session and every other reset link of the account ends, and
     * the address counts as confirmed, for the link was mailed to it. Null where the token does not work.
     */
    async useReset(
      tokenHash: Buffer,
      passwordHash: string,
      write: (account: Account) => NewMessage,
    ): Promise<Account | null> {
      return inTransaction(pool, async ({ client, orm: tx }) => {
        // The person's row first: two resets of one person wait for each other here, and nowhere else.
        const [owner] = await tx
          .select({ id: users.id })
          .from(users)
          .innerJoin(accountTokens, eq(accountTokens.userId, users.id))
          .where(eq(accountTokens.tokenHash, tokenHash))
          .for('update', { of: users })
        if (owner === undefined) return null
        const used = await tx
          .update(accountTokens)
          .set({ usedAt: sql`now()` })
          .where(and(eq(accountTokens.tokenHash, tokenHash), eq(accountTokens.purpose, 'reset'), isUnused))
          .returning({ userId: accountTokens.userId })
        if (used.length === 0) return null
        const [account] = await tx
          .update(users)
          .set({ passwordHash, emailConfirmedAt: sql`coalesce(${users.emailConfirmedAt}, now())` })
          .where(eq(users.id, owner.id))
          .returning(accountColumns)
        if (account === undefined) return null
        await tx.delete(sessions).where(eq(sessions.userId, owner.id))
        await tx
          .update(accountTokens)
          .set({ usedAt: sql`now()` })
          .where(
            and(
              eq(accountTokens.userId, owner.id),
              inArray(accountTokens.purpose, ['reset', 'sign_in']),
              isNull(accountTokens.usedAt),
            ),
          )
        await messages.accept(write(account), client)
        return account
      })
    },

    /** Keeps a code, and forgets the person's earlier ones. */
    async addSignInCode(code: NewSignInCode): Promise<void> {
      await inTransaction(pool, async ({ orm: tx }) => {
        await tx
          .delete(accountTokens)
          .where(and(eq(accountTokens.userId, code.userId), eq(accountTokens.purpose, 'sign_in')))
        await tx.insert(accountTokens).values({ ...code, purpose: 'sign_in' })
      })
    },

    /** Uses a code up in its own browser, and gives the account it signs in; null where it does not work. */
    async useSignInCode(tokenHash: Buffer, browserHash: Buffer): Promise<Account | null> {
      const [used] = await orm
        .update(accountTokens)
        .set({ usedAt: sql`now()` })
        .where(
          and(
            eq(accountTokens.tokenHash, tokenHash),
            eq(accountTokens.browserHash, browserHash),
            eq(accountTokens.purpose, 'sign_in'),
            isUnused,
          ),
        )
        .returning({ userId: accountTokens.userId })
      if (used === undefined) return null
      const [account] = await orm.select(accountColumns).from(users).where(eq(users.id, used.userId))
      return account ?? null
    },
  }
}
