import { oldSecretKeyLifeHours } from '../../../contract/mail/config.limits.ts'
import type { MailboxChange, MailboxRow } from '../../domain/mailboxes/mailbox.ts'
import { mailboxRecordColumns, mailboxPlace, createMailboxRows, type MailboxRecord } from './mailbox-row.ts'
import type { Database } from '../core/database.ts'
import { setList } from '../core/sql.ts'
import type { Vault } from '../vault/vault.ts'
import type { Scope } from '../../domain/auth/scope.ts'

const isOwn = 'workspace_id = $1 and id = $2 and deleted_at is null'

export type MailboxChangeStore = ReturnType<typeof createMailboxChanges>

/** Changes that owners make to their mailboxes. */
export function createMailboxChanges({ pool }: Pick<Database, 'pool'>, vault: Vault, clock: () => Date) {
  const { toMailboxRow } = createMailboxRows(vault, clock)

  const first = async (text: string, values: unknown[]): Promise<MailboxRow | null> => {
    const { rows } = await pool.query<MailboxRecord>(text, values)
    return rows[0] === undefined ? null : toMailboxRow(rows[0])
  }
  const find = (workspaceId: string, id: string) =>
    first(`select ${mailboxRecordColumns} from email_configs where ${isOwn}`, [workspaceId, id])

  return {
    /** Null where the workspace has no such mailbox. What is undefined stays unchanged. */
    async change({ workspaceId }: Scope, id: string, change: MailboxChange): Promise<MailboxRow | null> {
      const { status, pauseReason = null, limitPerMinute, limitPerDay, limitConnections } = change
      const changes = setList(
        {
          ...(status !== undefined && { status, pauseReason, pausedUntil: null }),
          limitPerMinute,
          limitPerDay,
          limitConnections,
        },
        3,
      )
      if (changes.sql === '') return find(workspaceId, id)
      return first(`update email_configs set ${changes.sql} where ${isOwn} returning ${mailboxRecordColumns}`, [
        workspaceId,
        id,
        ...changes.values,
      ])
    },

    /**
     * Replaces the secret key; the previous key stays valid for a day. A key that was set before changes nothing. Null where
     * there is no such mailbox.
     */
    async rotateKey({ workspaceId }: Scope, id: string, secretKey: string): Promise<MailboxRow | null> {
      const changed = await first(
        `update email_configs
         set old_key_lookup = secret_key_lookup, old_key_until = now() + make_interval(hours => $5),
           secret_key_sealed = $3, secret_key_lookup = $4
         where ${isOwn} and secret_key_lookup is distinct from $4 and old_key_lookup is distinct from $4
         returning ${mailboxRecordColumns}`,
        [
          workspaceId,
          id,
          vault.seal(secretKey, mailboxPlace('secret_key', id, workspaceId)),
          vault.lookup(secretKey),
          oldSecretKeyLifeHours,
        ],
      )
      return changed ?? find(workspaceId, id)
    },
  }
}
