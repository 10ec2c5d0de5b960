import type { Provider } from '../../../contract/mail/config.limits.ts'
import type { SystemMailbox } from '../../domain/accounts/account-mail.ts'
import type { Mailbox } from '../../domain/auth/caller.ts'
import type { MailboxTokens } from '../../domain/mailboxes/mailbox-tokens.ts'
import type { MailboxRow, MailboxSecrets, NewMailboxRow } from '../../domain/mailboxes/mailbox.ts'
import { mailboxSentences } from '../../../contract/mail/mailbox-sentences.ts'
import type { Listed, PageQuery } from '../../domain/core/page.ts'
import { afterValues, isAfter, sortAtColumn, toPage } from '../core/page.ts'
import { createBatcher } from '../core/batcher.ts'
import { mailboxRecordColumns, mailboxPlace, createMailboxRows, type MailboxRecord } from './mailbox-row.ts'
import { mailboxesOfKeysSql } from '../directory/key-directory.sql.ts'
import { countRows, inTransaction, isDataFault, type Database, type Queryable } from '../core/database.ts'
import { VaultError, type Vault } from '../vault/vault.ts'
import type { Scope, SystemScope } from '../../domain/auth/scope.ts'

/** Id of the system mailbox and of its workspace. */
export const systemWorkspaceId = '00000000-0000-4000-8000-000000000001'

type FoundMailbox = Pick<
  MailboxRecord,
  'id' | 'workspaceId' | 'emailAddress' | 'status' | 'pauseReason' | 'pausedUntil'
> & { version: string | null }

export type MailboxStore = ReturnType<typeof createMailboxStore>

/** Mailboxes; their secrets are encrypted when written and decrypted when read. */
export function createMailboxStore({ pool }: Pick<Database, 'pool'>, vault: Vault, clock: () => Date) {
  const { isPaused, openTokens, sealTokens, toMailboxRow, toSecrets } = createMailboxRows(vault, clock)

  const toMailbox = (row: FoundMailbox): Mailbox => ({
    mailboxId: row.id,
    workspaceId: row.workspaceId,
    address: row.emailAddress,
    pause: isPaused(row) ? { reason: row.pauseReason ?? '', until: row.pausedUntil } : null,
    version: row.version,
  })

  const findById = async (
    client: Queryable,
    { workspaceId }: Scope,
    mailboxId: string,
  ): Promise<MailboxRecord | undefined> => {
    const { rows } = await client.query<MailboxRecord>(
      `select ${mailboxRecordColumns} from email_configs where workspace_id = $1 and id = $2 and deleted_at is null`,
      [workspaceId, mailboxId],
    )
    return rows[0]
  }

  const findByLookup = createBatcher({
    maxCount: 200,
    maxRuns: 1,
    isItemsFault: isDataFault,
    async run(lookups: readonly Buffer[]): Promise<(Mailbox | null)[]> {
      const wanted = lookups.map((lookup) => lookup.toString('hex'))
      const { rows } = await pool.query<FoundMailbox & { lookup: Buffer }>({
        name: 'find-mailboxes-by-key',
        text: findByKeysSql,
        values: [[...new Set(wanted)].map((lookup) => `\\x${lookup}`)],
      })
      const found = new Map(rows.map((row) => [row.lookup.toString('hex'), toMailbox(row)]))
      const unknown = wanted.filter((lookup) => !found.has(lookup))
      if (unknown.length > 0) {
        const old = await pool.query<FoundMailbox & { lookup: Buffer }>({
          name: 'find-mailboxes-by-old-key',
          text: findByOldKeysSql,
          values: [[...new Set(unknown)].map((lookup) => `\\x${lookup}`)],
        })
        for (const row of old.rows) found.set(row.lookup.toString('hex'), toMailbox({ ...row, version: null }))
      }
      return wanted.map((lookup) => found.get(lookup) ?? null)
    },
  })

  return {
    /**
     * Saves a mailbox. One that the workspace has already connected takes the new password and server, becomes active and
     * keeps its id and secret key.
     */
    async save({ workspaceId }: Scope, config: NewMailboxRow): Promise<MailboxRow> {
      const { emailAddress, provider, server, appPassword, tokens, secretKey } = config
      return inTransaction(pool, async ({ client }) => {
        // Two requests for one address wait for each other here, so that the second finds what the first saved.
        await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${workspaceId} ${emailAddress}`])
        const found = await client.query<MailboxRecord>(
          `select ${mailboxRecordColumns} from email_configs
           where workspace_id = $1 and email_address = $2 and provider = $3 and deleted_at is null`,
          [workspaceId, emailAddress, provider],
        )
        const [known] = found.rows
        const id = known?.id ?? config.id
        const isWhole = known !== undefined && toMailboxRow(known).secretKey !== null
        const values = [
          workspaceId,
          id,
          server?.host,
          server?.port,
          server?.security,
          appPassword === null ? null : vault.seal(appPassword, mailboxPlace('app_password', id, workspaceId)),
          tokens ? sealTokens(tokens, id, workspaceId) : null,
          isWhole ? null : vault.seal(secretKey, mailboxPlace('secret_key', id, workspaceId)),
          isWhole ? null : vault.lookup(secretKey),
        ]
        const { rows } = known
          ? await client.query<MailboxRecord>(updateSql, values)
          : await client.query<MailboxRecord>(insertSql, [...values, emailAddress, provider])
        const [saved] = rows
        if (saved === undefined) throw new Error('A mailbox was deleted while it was being saved.')
        return toMailboxRow(saved)
      })
    },

    /** Oldest first, with the total count; `ids` restricts both to these mailboxes. */
    async list(
      { workspaceId }: Scope,
      { limit, offset, after }: PageQuery,
      ids: readonly string[] | null = null,
    ): Promise<Listed<MailboxRow>> {
      const [{ rows }, total] = await Promise.all([
        pool.query<MailboxRecord & { sortAt: string }>(
          `select ${mailboxRecordColumns}, ${sortAtColumn()} from email_configs
           where ${isAmong} and ${isAfter('asc', 3)} order by created_at, id limit $5 offset $6`,
          [workspaceId, ids, ...afterValues(after), limit + 1, offset],
        ),
        countRows(pool, `select count(*) from email_configs where ${isAmong}`, [workspaceId, ids]),
      ])
      const page = toPage<MailboxRecord>(rows, limit)
      return { rows: page.rows.map(toMailboxRow), next: page.next, total }
    },

    /** False where the workspace has no such mailbox. Its secrets are erased at once. */
    async remove({ workspaceId }: Scope, id: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        `update email_configs
         set deleted_at = now(), app_password_sealed = null, oauth_tokens_sealed = null, secret_key_sealed = null,
           secret_key_lookup = null, old_key_lookup = null, old_key_until = null
         where workspace_id = $1 and id = $2 and deleted_at is null`,
        [workspaceId, id],
      )
      return rowCount === 1
    },

    /** Concurrent calls share a query, which starts after each of them. */
    findByKey: (secretKey: string): Promise<Mailbox | null> => findByLookup(vault.lookup(secretKey)),

    /** The id of a connected mailbox, or null. */
    async findByAddress({ workspaceId }: Scope, emailAddress: string, provider: Provider): Promise<string | null> {
      const { rows } = await pool.query<{ id: string }>(
        `select id from email_configs
         where workspace_id = $1 and email_address = $2 and provider = $3 and deleted_at is null`,
        [workspaceId, emailAddress, provider],
      )
      return rows[0]?.id ?? null
    },

    /** The connected mailboxes of a workspace that are in `ids`, in that order; all of them, oldest first, for null. */
    async findMailboxes({ workspaceId }: Scope, ids: readonly string[] | null): Promise<Mailbox[]> {
      const { rows } = await pool.query<FoundMailbox>(
        `select ${mailboxColumns} from email_configs c where ${isAmong} order by created_at, id`,
        [workspaceId, ids],
      )
      if (ids === null) return rows.map(toMailbox)
      return rows.map(toMailbox).toSorted((a, b) => ids.indexOf(a.mailboxId) - ids.indexOf(b.mailboxId))
    },

    /** For the sender only. Null where the mailbox was deleted; throws VaultError where its secrets cannot be decrypted. */
    async findSecrets(scope: Scope, mailboxId: string): Promise<MailboxSecrets | null> {
      const row = await findById(pool, scope, mailboxId)
      return row === undefined ? null : toSecrets(row)
    },

    /**
     * The same, but where its secrets cannot be decrypted it pauses the mailbox and returns null: a retry would fail too.
     * Secrets that were replaced in the meantime do not pause it.
     */
    async openSecrets(scope: Scope, mailboxId: string): Promise<MailboxSecrets | null> {
      const row = await findById(pool, scope, mailboxId)
      if (row === undefined) return null
      try {
        return toSecrets(row)
      } catch (error) {
        if (!(error instanceof VaultError)) throw error
        await pool.query(
          `update email_configs set status = 'paused', pause_reason = $3, paused_until = null
           where workspace_id = $1 and id = $2
             and app_password_sealed is not distinct from $4 and oauth_tokens_sealed is not distinct from $5`,
          [row.workspaceId, row.id, mailboxSentences.sealed, row.appPasswordSealed, row.oauthTokensSealed],
        )
        return null
      }
    },

    /**
     * Replaces stale tokens and returns the new ones; null where `renew` returns none, or the mailbox was deleted. One process
     * at a time renews them, because a provider may treat a refresh token that is used twice as stolen; a second caller
     * receives the tokens of the first.
     */
    async renewTokens(
      scope: Scope,
      mailboxId: string,
      stale: MailboxTokens,
      renew: (tokens: MailboxTokens) => Promise<MailboxTokens | null>,
    ): Promise<MailboxTokens | null> {
      return inTransaction(pool, async ({ client }) => {
        // Not a row lock: claims would wait for it, and the provider may take long.
        await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`tokens ${mailboxId}`])
        const row = await findById(client, scope, mailboxId)
        const known = row === undefined ? null : openTokens(row)
        if (row === undefined || known?.accessToken !== stale.accessToken) return known
        const renewed = await renew(known)
        if (renewed === null) return null
        await client.query(
          'update email_configs set oauth_tokens_sealed = $3 where workspace_id = $1 and id = $2 and deleted_at is null',
          [row.workspaceId, row.id, sealTokens(renewed, row.id, row.workspaceId)],
        )
        return renewed
      })
    },

    /** Creates or updates the mailbox that account mails are sent from, in a workspace without members. */
    async ensureSystemMailbox(_system: SystemScope, address: string): Promise<SystemMailbox> {
      await pool.query("insert into workspaces (id, name) values ($1, 'Account mails') on conflict do nothing", [
        systemWorkspaceId,
      ])
      // The operator has corrected the settings before a start: a paused mailbox is tried again.
      await pool.query(
        `with known as (
           update email_configs set email_address = $2, status = 'active', pause_reason = null, paused_until = null
           where workspace_id = $1 and id = $1 returning id
         )
         insert into email_configs (workspace_id, id, email_address, provider)
         select $1, $1, $2, 'system' where not exists (select from known)
         on conflict do nothing`,
        [systemWorkspaceId, address],
      )
      return { workspaceId: systemWorkspaceId, mailboxId: systemWorkspaceId, address }
    },

    /**
     * Pauses a mailbox for `forMs`, or (null) until its owner resumes it, and saves the reason for its owner. With a version
     * it applies to the credentials of that version only: false, and no change, where they were replaced.
     */
    async pause(
      { workspaceId }: Scope,
      mailboxId: string,
      reason: string,
      forMs: number | null,
      credentialsVersion?: number,
    ): Promise<boolean> {
      // The pause ends by the database's clock, so it begins by the same clock.
      const { rowCount } = await pool.query(
        `update email_configs
         set status = 'paused', pause_reason = $2, paused_until = now() + $3::float8 * interval '1 millisecond'
         where workspace_id = $5 and id = $1 and ($4::integer is null or credentials_version = $4)`,
        [mailboxId, reason, forMs, credentialsVersion, workspaceId],
      )
      return rowCount === 1
    },
  }
}

/** A known mailbox keeps its secret key where $8 and $9 are null. */
const updateSql = `
  update email_configs
  set smtp_host = $3, smtp_port = $4, smtp_security = $5, app_password_sealed = $6, oauth_tokens_sealed = $7,
    secret_key_sealed = coalesce($8, secret_key_sealed), secret_key_lookup = coalesce($9, secret_key_lookup),
    status = 'active', pause_reason = null, paused_until = null, credentials_version = credentials_version + 1
  where workspace_id = $1 and id = $2
  returning ${mailboxRecordColumns}`

const insertSql = `
  insert into email_configs
    (workspace_id, id, smtp_host, smtp_port, smtp_security, app_password_sealed, oauth_tokens_sealed, secret_key_sealed,
      secret_key_lookup, email_address, provider)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  returning ${mailboxRecordColumns}`

const isAmong = 'workspace_id = $1 and deleted_at is null and ($2::uuid[] is null or id = any($2))'

const mailboxColumns = `c.id, c.workspace_id as "workspaceId", c.email_address as "emailAddress", c.status,
    c.pause_reason as "pauseReason", c.paused_until as "pausedUntil", c.xmin::text as "version"`

const findByKeysSql = `
  select k.lookup_hash as "lookup", ${mailboxColumns}
  from ${mailboxesOfKeysSql('secret_key')} and c.deleted_at is null`

/** Replaced keys that are still valid. */
const findByOldKeysSql = `
  select k.lookup_hash as "lookup", ${mailboxColumns}
  from ${mailboxesOfKeysSql('old_key')} and c.old_key_until > now() and c.deleted_at is null`
