import { and, eq, isNull, notExists, sql } from '../core/drizzle.ts'
import type { NodePgDatabase } from '../core/drizzle.ts'
import type { Account, Identity, NewAccount } from '../../domain/accounts/account.ts'
import { accountColumns, insertAccount } from './account.ts'
import { inTransaction, type Database } from '../core/database.ts'
import { emailConfigs } from '../schema/mailboxes.ts'
import { identities, members, users, workspaces } from '../schema/accounts.ts'
import { messages } from '../schema/messages.ts'

/** Who people are at an OpenID provider. */
export function createIdentityStore({ orm, pool }: Pick<Database, 'orm' | 'pool'>) {
  return {
    /** The account that an identity belongs to. */
    async findAccount({ issuer, subject }: Identity): Promise<Account | null> {
      const [row] = await orm
        .select(accountColumns)
        .from(identities)
        .innerJoin(users, eq(users.id, identities.userId))
        .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)))
      return row ?? null
    },

    /** Lets an identity sign in to an account. One that belongs to an account stays there. */
    async link(userId: string, identity: Identity): Promise<void> {
      await orm
        .insert(identities)
        .values({ ...identity, userId })
        .onConflictDoNothing()
    },

    /**
     * Makes an account for an identity. An unconfirmed account with the same address is wiped first, with everything it
     * has: whoever made it has never shown that the address is theirs. False where somebody was faster, or where the
     * address is confirmed; nothing is changed then.
     */
    async createAccount(account: NewAccount, identity: Identity): Promise<boolean> {
      return inTransaction(pool, async ({ orm: tx }) => {
        const isSame = and(eq(identities.issuer, identity.issuer), eq(identities.subject, identity.subject))
        if ((await tx.$count(identities, isSame)) > 0) return false
        await wipeUnconfirmed(tx, account.email)
        if (!(await insertAccount(tx, account))) return false
        await tx.insert(identities).values({ ...identity, userId: account.id })
        return true
      })
    },
  }
}

async function wipeUnconfirmed(tx: NodePgDatabase, email: string): Promise<void> {
  const isItself = and(eq(users.email, email), isNull(users.emailConfirmedAt))
  const owned = await tx
    .select({ id: members.workspaceId })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(isItself)
  const wiped = await tx.delete(users).where(isItself).returning({ id: users.id })
  if (wiped.length === 0) return
  for (const { id } of owned) {
    const isDeserted = notExists(
      tx
        .select({ one: sql`1` })
        .from(members)
        .where(eq(members.workspaceId, id)),
    )
    // Nobody writes a message now: they alone do not go with the workspace.
    await tx.select({ id: emailConfigs.id }).from(emailConfigs).where(eq(emailConfigs.workspaceId, id)).for('update')
    await tx.delete(messages).where(and(eq(messages.workspaceId, id), isDeserted))
    await tx.delete(workspaces).where(and(eq(workspaces.id, id), isDeserted))
  }
}
