import type pg from 'pg'
import { closedAccountKeptDays } from '../../../contract/account/account.limits.ts'
import type { Preferences } from '../../../contract/account/account.ts'
import type { NewMessage } from '../../domain/messages/message.ts'
import { invalidateTokens } from './account-token.ts'
import { inTransaction, type Database } from '../core/database.ts'
import type { AccountMails } from './account-mails.ts'
import { selectList } from '../core/sql.ts'
import { nextStateSql, statesBeforeSql } from '../campaigns/campaign-state.sql.ts'
import type { users } from '../schema/accounts.ts'

type Profile = Pick<typeof users.$inferSelect, 'firstName' | 'lastName' | 'preferences'>

export type ProfileStore = ReturnType<typeof createProfileStore>

/** Changes that users make to their own account, including closing it. */
export function createProfileStore({ pool }: Pick<Database, 'pool'>, mails: AccountMails) {
  return {
    /** Returns the updated profile. What is undefined stays, and so do preferences that are not named. */
    async update(
      userId: string,
      { firstName, lastName, preferences = {} }: { firstName?: string; lastName?: string; preferences?: Preferences },
    ): Promise<Profile> {
      const { rows } = await pool.query<Profile>(
        `update users set first_name = coalesce($2, first_name), last_name = coalesce($3, last_name),
           preferences = preferences || $4::jsonb
         where id = $1 returning ${selectList<Profile>(['firstName', 'lastName', 'preferences'])}`,
        [userId, firstName, lastName, JSON.stringify(preferences)],
      )
      const [row] = rows
      if (row === undefined) throw new Error('An account was deleted while it was being changed.')
      return row
    },

    /** Sets a password, ends every session except one and every reset link, and accepts the notification mail. */
    async setPassword(
      userId: string,
      { passwordHash, keptSessionId, mail }: { passwordHash: string; keptSessionId: string; mail: NewMessage },
    ): Promise<void> {
      await inTransaction(pool, async ({ client }) => {
        await client.query('update users set password_hash = $2 where id = $1', [userId, passwordHash])
        await client.query('delete from sessions where user_id = $1 and id <> $2', [userId, keptSessionId])
        await invalidateTokens(client, userId)
        await mails.accept(mail, client)
      })
    },

    /**
     * Closes an account and the workspaces of which it is the only member. Erases the secrets of their mailboxes and cancels
     * their waiting mails; the address is free for another account. All or nothing.
     */
    async close(userId: string, mail: NewMessage): Promise<void> {
      await inTransaction(pool, async ({ client }) => {
        await mails.accept(mail, client)
        await client.query(
          `update users set closed_at = now(), closed_email = email, email = id::text
           where id = $1 and closed_at is null`,
          [userId],
        )
        for (const table of ['sessions', 'identities', 'account_tokens'])
          await client.query(`delete from ${table} where user_id = $1`, [userId])
        await closeWorkspaces(client, userId)
      })
    },

    /** Deletes accounts whose retention period is over, with the workspaces of which they are the only member. Returns how many. */
    async deleteClosed(): Promise<number> {
      const { rows } = await pool.query<{ id: string }>(
        'select id from users where closed_at < now() - make_interval(days => $1) limit 100',
        [closedAccountKeptDays],
      )
      for (const { id } of rows) await inTransaction(pool, ({ client }) => deleteAccount(client, id))
      return rows.length
    },
  }
}

/** Workspaces of which a user ($1) is the only member. */
const ownWorkspaces = `
  select workspace_id from members m where user_id = $1
    and not exists (select from members other where other.workspace_id = m.workspace_id and other.user_id <> $1)`

async function closeWorkspaces(client: pg.ClientBase, userId: string): Promise<void> {
  await client.query(
    `update embed_sessions set ended_at = now()
     where ended_at is null
       and (user_id = $1 or workspace_id in (${ownWorkspaces}))`,
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
    `update campaigns set status = ${nextStateSql('closeAccount')}, finished_at = now()
     where workspace_id in (${ownWorkspaces}) and status in (${statesBeforeSql('closeAccount')})`,
    [userId],
  )
  await client.query(
    `update deliveries set state = 'cancelled', settled_at = now()
     where workspace_id in (${ownWorkspaces})
       and config_id in (select id from email_configs where workspace_id in (${ownWorkspaces}))
       and state in ('queued', 'deferred')`,
    [userId],
  )
}

/** Tables whose rows have no foreign key that would delete them with their workspace. A test compares the list with the schema. */
export const tablesWithoutKey = [
  'contacts',
  'contact_touches',
  'campaign_recipients',
  'mailbox_slots',
  'mailbox_usage',
  'delivery_counts',
  'delivery_count_changes',
  'reading_counts',
  'digest_leases',
  'event_inbox',
  'events',
  'recent_hits',
  'engagements',
  'source_counts',
  'event_counts',
  'breakdown_counts',
  'link_clicks',
  'link_counts',
  'address_deliveries',
] as const

async function deleteAccount(client: pg.ClientBase, userId: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>(`select workspace_id as id from (${ownWorkspaces}) own`, [userId])
  for (const { id } of rows) {
    await client.query('select from email_configs where workspace_id = $1 for update', [id]) // Stops new messages.
    await client.query('delete from deliveries where workspace_id = $1', [id])
    // Messages reference their campaign; all other rows are deleted with the workspace.
    await client.query('delete from messages where workspace_id = $1', [id])
    await client.query('delete from workspaces where id = $1', [id])
    for (const table of tablesWithoutKey) await client.query(`delete from ${table} where workspace_id = $1`, [id])
  }
  await client.query('delete from users where id = $1', [userId])
}
