import { and, eq, inArray, isNull, ne, sql } from '../core/drizzle.ts'
import type pg from 'pg'
import type { Preferences } from '../../../contract/account/account.ts'
import type { NewMessage } from '../../domain/messages/message.ts'
import { inTransaction, type Database } from '../core/database.ts'
import type { MessageStore } from '../messages/message.ts'
import { accountTokens, identities, sessions, users } from '../schema/accounts.ts'

/** What people change of themselves, up to closing their account. */
export function createProfileStore({ orm, pool }: Pick<Database, 'orm' | 'pool'>, messages: MessageStore) {
  return {
    /** Gives them as they are now; preferences that are not named stay. */
    async update(
      userId: string,
      { preferences, ...names }: { firstName?: string; lastName?: string; preferences?: Preferences },
    ) {
      const [row] = await orm
        .update(users)
        .set({ ...names, preferences: sql`${users.preferences} || ${JSON.stringify(preferences ?? {})}::jsonb` })
        .where(eq(users.id, userId))
        .returning({ firstName: users.firstName, lastName: users.lastName, preferences: users.preferences })
      if (row === undefined) throw new Error('An account was deleted while it was being changed.')
      return row
    },

    /** Sets a password, ends every session but one and every reset link, and accepts the mail that tells of it. */
    async setPassword(
      userId: string,
      { passwordHash, keptSessionId, mail }: { passwordHash: string; keptSessionId: string; mail: NewMessage },
    ): Promise<void> {
      await inTransaction(pool, async ({ client, orm: tx }) => {
        await tx.update(users).set({ passwordHash }).where(eq(users.id, userId))
        await tx.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, keptSessionId)))
        await tx
          .update(accountTokens)
          .set({ usedAt: sql`now()` })
          .where(
            and(
              eq(accountTokens.userId, userId),
              inArray(accountTokens.purpose, ['reset', 'sign_in']),
              isNull(accountTokens.usedAt),
            ),
          )
        await messages.accept(mail, client)
      })
    },

    /**
     * Closes an account and the workspaces that nobody else is in. Secrets of mailboxes are erased, what waits is cancelled;
     * the address is free for another account. All or nothing.
     */
    async close(userId: string, mail: NewMessage): Promise<void> {
      await inTransaction(pool, async ({ client, orm: tx }) => {
        await messages.accept(mail, client)
        await tx
          .update(users)
          .set({ closedAt: sql`now()`, closedEmail: users.email, email: userId })
          .where(and(eq(users.id, userId), isNull(users.closedAt)))
        await tx.delete(sessions).where(eq(sessions.userId, userId))
        await tx.delete(identities).where(eq(identities.userId, userId))
        await tx.delete(accountTokens).where(eq(accountTokens.userId, userId))
        await closeWorkspaces(client, userId)
      })
    },

    /** Deletes accounts that were closed so long ago, with the workspaces that nobody else is in. Gives how many. */
    async deleteClosed(keptDays: number): Promise<number> {
      const { rows } = await pool.query<{ id: string }>(
        'select id from users where closed_at < now() - make_interval(days => $1) limit 100',
        [keptDays],
      )
      for (const { id } of rows) await inTransaction(pool, ({ client }) => deleteAccount(client, id))
      return rows.length
    },
  }
}

/** Workspaces of a person ($1) that nobody else is in. */
const ownWorkspaces = `
  select workspace_id from members m where user_id = $1
    and not exists (select from members other where other.workspace_id = m.workspace_id and other.user_id <> $1)`

async function closeWorkspaces(client: pg.ClientBase, userId: string): Promise<void> {
  await client.query(
    `update embed_sessions set ended_at = now()
     where ended_at is null
       and (user_id = $1 or embed_id in (select id from embeds where workspace_id in (${ownWorkspaces})))`,
    [userId],
  )
  await client.query('delete from embed_codes where user_id = $1', [userId])
  await client.query(
    `update email_configs
     set deleted_at = now(), app_password_sealed = null, oauth_tokens_sealed = null, secret_key_sealed = null,
       secret_key_lookup = null, old_key_lookup = null, old_key_until = null
     where workspace_id in (${ownWorkspaces}) and deleted_at is null`,
    [userId],
  )
  await client.query(
    `update campaigns set status = 'cancelled', finished_at = now()
     where workspace_id in (${ownWorkspaces}) and status in ('scheduled', 'sending', 'paused')`,
    [userId],
  )
  await client.query(
    `update deliveries set state = 'cancelled', settled_at = now()
     where config_id in (select id from email_configs where workspace_id in (${ownWorkspaces}))
       and state in ('queued', 'deferred')`,
    [userId],
  )
}

async function deleteAccount(client: pg.ClientBase, userId: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>(`select workspace_id as id from (${ownWorkspaces}) own`, [userId])
  for (const { id } of rows) {
    await client.query('select from email_configs where workspace_id = $1 for update', [id]) // Nobody writes a message now.
    await client.query('delete from deliveries where message_id in (select id from messages where workspace_id = $1)', [
      id,
    ])
    // Messages hold on to their campaign; the rest goes with the workspace.
    await client.query('delete from messages where workspace_id = $1', [id])
    await client.query('delete from workspaces where id = $1', [id])
    await client.query('delete from delivery_counts where workspace_id = $1', [id])
    await client.query('delete from delivery_count_changes where workspace_id = $1', [id])
  }
  await client.query('delete from users where id = $1', [userId])
}
