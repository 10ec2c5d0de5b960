import { and, eq, isNull, sql } from '../core/drizzle.ts'
import { oldSecretKeyLifeHours } from '../../../contract/core/limits.ts'
import type { MailboxChange, MailboxRow } from '../../domain/mailboxes/mailbox.ts'
import { mailboxPlace, createMailboxRows } from './mailbox-row.ts'
import type { Database } from '../core/database.ts'
import { emailConfigs } from '../schema/mailboxes.ts'
import type { Vault } from '../vault/vault.ts'

/** What owners change of their mailboxes. */
export function createMailboxChanges({ orm }: Pick<Database, 'orm'>, vault: Vault, clock: () => Date) {
  const { toMailboxRow } = createMailboxRows(vault, clock)
  const isOwn = (workspaceId: string, id: string) =>
    and(eq(emailConfigs.id, id), eq(emailConfigs.workspaceId, workspaceId), isNull(emailConfigs.deletedAt))

  return {
    /** Null where the workspace has no such mailbox. What is undefined stays as it is. */
    async change(workspaceId: string, id: string, change: MailboxChange): Promise<MailboxRow | null> {
      const { status, pauseReason = null, limitPerMinute, limitPerDay, limitConnections } = change
      const [row] = await orm
        .update(emailConfigs)
        .set({
          // A row must have something to set.
          id,
          ...(status !== undefined && { status, pauseReason, pausedUntil: null }),
          ...(limitPerMinute !== undefined && { limitPerMinute }),
          ...(limitPerDay !== undefined && { limitPerDay }),
          ...(limitConnections !== undefined && { limitConnections }),
        })
        .where(isOwn(workspaceId, id))
        .returning()
      return row === undefined ? null : toMailboxRow(row)
    },

    /**
     * Puts another secret key in place, and lets the one before it work for a day; one that was put there before changes
     * nothing. Null where there is no such mailbox.
     */
    async rotateKey(workspaceId: string, id: string, secretKey: string): Promise<MailboxRow | null> {
      const { secretKeyLookup, oldKeyLookup } = emailConfigs
      const lookup = vault.lookup(secretKey)
      const [row] = await orm
        .update(emailConfigs)
        .set({
          oldKeyLookup: secretKeyLookup,
          oldKeyUntil: sql`now() + make_interval(hours => ${oldSecretKeyLifeHours})`,
          secretKeySealed: vault.seal(secretKey, mailboxPlace('secret_key', id, workspaceId)),
          secretKeyLookup: lookup,
        })
        .where(
          and(
            isOwn(workspaceId, id),
            sql`${secretKeyLookup} is distinct from ${lookup} and ${oldKeyLookup} is distinct from ${lookup}`,
          ),
        )
        .returning()
      const [standing = row] = row ? [] : await orm.select().from(emailConfigs).where(isOwn(workspaceId, id))
      return standing === undefined ? null : toMailboxRow(standing)
    },
  }
}
