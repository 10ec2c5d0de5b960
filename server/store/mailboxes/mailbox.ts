import { and, asc, count, eq, getTableColumns, inArray, isNull, sql } from '../core/drizzle.ts'
import type { Provider } from '../../../contract/core/limits.ts'
import type { SystemMailbox } from '../../domain/accounts/account-mail.ts'
import type { Mailbox } from '../../domain/auth/caller.ts'
import type { MailboxTokens } from '../../domain/mailboxes/mailbox-tokens.ts'
import type { MailboxRow, MailboxSecrets, NewMailboxRow } from '../../domain/mailboxes/mailbox.ts'
import { mailboxSentences } from '../../domain/smtp/mailbox-messages.ts'
import { createBatcher } from '../core/batcher.ts'
import { mailboxPlace, createMailboxRows } from './mailbox-row.ts'
import { inTransaction, isDataFault, type Database } from '../core/database.ts'
import { emailConfigs } from '../schema/mailboxes.ts'
import { workspaces } from '../schema/accounts.ts'
import { VaultError, type Vault } from '../vault/vault.ts'

/** Row id of the system mailbox and of its workspace. */
const systemId = '00000000-0000-4000-8000-000000000001'

type FoundMailbox = Pick<
  typeof emailConfigs.$inferSelect,
  'id' | 'workspaceId' | 'emailAddress' | 'status' | 'pauseReason' | 'pausedUntil'
> & { version: string | null }

/** Email configurations; their secrets are sealed on the way in and opened on the way out. */
export function createMailboxStore({ orm, pool }: Pick<Database, 'orm' | 'pool'>, vault: Vault, clock: () => Date) {
  const { isPaused, openTokens, sealTokens, toMailboxRow, toSecrets } = createMailboxRows(vault, clock)

  const toMailbox = (row: FoundMailbox): Mailbox => ({
    mailboxId: row.id,
    workspaceId: row.workspaceId,
    address: row.emailAddress,
    pause: isPaused(row) ? { reason: row.pauseReason ?? '', until: row.pausedUntil } : null,
    version: row.version,
  })

  const isAlive = isNull(emailConfigs.deletedAt)
  const among = (ids: readonly string[] | null) => (ids === null ? undefined : inArray(emailConfigs.id, [...ids]))

  const findByLookup = createBatcher({
    maxCount: 200,
    maxRuns: 1,
    isItemsFault: isDataFault,
    async run(lookups: readonly Buffer[]): Promise<(Mailbox | null)[]> {
      const wanted = lookups.map((lookup) => lookup.toString('hex'))
      const { rows } = await pool.query<FoundMailbox & { lookup: Buffer }>({
        name: 'find-mailboxes-by-key',
        text: findByKeysText,
        values: [[...new Set(wanted)].map((lookup) => `\\x${lookup}`)],
      })
      const found = new Map(rows.map((row) => [row.lookup.toString('hex'), toMailbox(row)]))
      const unknown = wanted.filter((lookup) => !found.has(lookup))
      if (unknown.length > 0) {
        const old = await pool.query<FoundMailbox & { lookup: Buffer }>({
          name: 'find-mailboxes-by-old-key',
          text: findByOldKeysText,
          values: [[...new Set(unknown)].map((lookup) => `\\x${lookup}`)],
        })
        for (const row of old.rows) found.set(row.lookup.toString('hex'), toMailbox({ ...row, version: null }))
      }
      return wanted.map((lookup) => found.get(lookup) ?? null)
    },
  })

  return {
    /**
     * Saves a mailbox. One that the workspace has connected already takes the new password and server, is active again
     * and keeps its id and secret key.
     */
    async save(config: NewMailboxRow): Promise<MailboxRow> {
      const where = and(
        eq(emailConfigs.workspaceId, config.workspaceId),
        eq(emailConfigs.emailAddress, config.emailAddress),
        eq(emailConfigs.provider, config.provider),
        isAlive,
      )
      return inTransaction(pool, async ({ orm: tx }) => {
        // Two requests for one address wait here for each other, so that the second finds what the first saved.
        await tx.execute(
          sql`select pg_advisory_xact_lock(hashtextextended(${`${config.workspaceId} ${config.emailAddress}`}, 0))`,
        )
        const [known] = await tx.select().from(emailConfigs).where(where)
        const id = known?.id ?? config.id
        const row = {
          smtpHost: config.server?.host ?? null,
          smtpPort: config.server?.port ?? null,
          smtpSecurity: config.server?.security ?? null,
          appPasswordSealed:
            config.appPassword === null
              ? null
              : vault.seal(config.appPassword, mailboxPlace('app_password', id, config.workspaceId)),
          oauthTokensSealed: config.tokens ? sealTokens(config.tokens, id, config.workspaceId) : null,
          status: 'active' as const,
          pauseReason: null,
          pausedUntil: null,
        }
        const secret = {
          secretKeySealed: vault.seal(config.secretKey, mailboxPlace('secret_key', id, config.workspaceId)),
          secretKeyLookup: vault.lookup(config.secretKey),
        }
        const isWhole = known !== undefined && toMailboxRow(known).secretKey !== null
        const [saved] = known
          ? await tx
              .update(emailConfigs)
              .set({ ...row, ...(isWhole ? {} : secret), credentialsVersion: known.credentialsVersion + 1 })
              .where(eq(emailConfigs.id, id))
              .returning()
          : await tx
              .insert(emailConfigs)
              .values({
                ...row,
                ...secret,
                id,
                workspaceId: config.workspaceId,
                emailAddress: config.emailAddress,
                provider: config.provider,
              })
              .returning()
        if (saved === undefined) throw new Error('An email configuration was deleted while it was being saved.')
        return toMailboxRow(saved)
      })
    },

    /** Oldest first, with the count of all; `ids` narrows both to these. */
    async list(
      workspaceId: string,
      page: { limit: number; offset: number },
      ids: readonly string[] | null = null,
    ): Promise<{ rows: MailboxRow[]; total: number }> {
      const where = and(eq(emailConfigs.workspaceId, workspaceId), isAlive, among(ids))
      const [rows, totals] = await Promise.all([
        orm
          .select()
          .from(emailConfigs)
          .where(where)
          .orderBy(asc(emailConfigs.createdAt), asc(emailConfigs.id))
          .limit(page.limit)
          .offset(page.offset),
        orm.select({ total: count() }).from(emailConfigs).where(where),
      ])
      return { rows: rows.map(toMailboxRow), total: totals[0]?.total ?? 0 }
    },

    /** False where the workspace has no such configuration. Its secrets are erased at once. */
    async remove(workspaceId: string, id: string): Promise<boolean> {
      const gone = await orm
        .update(emailConfigs)
        .set({
          deletedAt: sql`now()`,
          appPasswordSealed: null,
          oauthTokensSealed: null,
          secretKeySealed: null,
          secretKeyLookup: null,
          oldKeyLookup: null,
          oldKeyUntil: null,
        })
        .where(and(eq(emailConfigs.id, id), eq(emailConfigs.workspaceId, workspaceId), isAlive))
        .returning({ id: emailConfigs.id })
      return gone.length > 0
    },

    /** Calls that come together share a query; each is asked after its call. */
    findByKey: (secretKey: string): Promise<Mailbox | null> => findByLookup(vault.lookup(secretKey)),

    /** The id of a connected mailbox, or null. */
    async findByAddress(workspaceId: string, emailAddress: string, provider: Provider): Promise<string | null> {
      const [row] = await orm
        .select({ id: emailConfigs.id })
        .from(emailConfigs)
        .where(
          and(
            eq(emailConfigs.workspaceId, workspaceId),
            eq(emailConfigs.emailAddress, emailAddress),
            eq(emailConfigs.provider, provider),
            isAlive,
          ),
        )
      return row?.id ?? null
    },

    /** Of these, the workspace's own that are connected, in the order given; all of them, oldest first, for null. */
    async findMailboxes(workspaceId: string, ids: readonly string[] | null): Promise<Mailbox[]> {
      const rows = await orm
        .select({ ...getTableColumns(emailConfigs), version: sql<string>`${emailConfigs}.xmin::text` })
        .from(emailConfigs)
        .where(and(eq(emailConfigs.workspaceId, workspaceId), isAlive, among(ids)))
        .orderBy(asc(emailConfigs.createdAt), asc(emailConfigs.id))
      if (ids === null) return rows.map(toMailbox)
      return rows.map(toMailbox).toSorted((a, b) => ids.indexOf(a.mailboxId) - ids.indexOf(b.mailboxId))
    },

    /** For the sender only. Null where the mailbox is gone; throws VaultError where its secrets do not open. */
    async findSecrets(mailboxId: string): Promise<MailboxSecrets | null> {
      const [row] = await orm
        .select()
        .from(emailConfigs)
        .where(and(eq(emailConfigs.id, mailboxId), isAlive))
      return row === undefined ? null : toSecrets(row)
    },

    /**
     * The same. Where its secrets do not open it gives null too, and the mailbox is paused: no other try would open them.
     * Those that have come in their place meanwhile are not paused for them.
     */
    async openSecrets(mailboxId: string): Promise<MailboxSecrets | null> {
      const [row] = await orm
        .select()
        .from(emailConfigs)
        .where(and(eq(emailConfigs.id, mailboxId), isAlive))
      if (row === undefined) return null
      try {
        return toSecrets(row)
      } catch (error) {
        if (!(error instanceof VaultError)) throw error
        const { appPasswordSealed: password, oauthTokensSealed: tokens } = row
        await pool.query(
          `update email_configs set status = 'paused', pause_reason = $2, paused_until = null
           where id = $1 and app_password_sealed is not distinct from $3 and oauth_tokens_sealed is not distinct from $4`,
          [mailboxId, mailboxSentences.sealed, password, tokens],
        )
        return null
      }
    },

    /**
     * Puts other tokens in place of stale ones and gives them; null where `renew` gives none, or the mailbox is gone. One
     * process at a time asks: a provider may take a refresh token that is used twice for a stolen one. Who comes second is
     * given what the first one got.
     */
    async renewTokens(
      mailboxId: string,
      stale: MailboxTokens,
      renew: (tokens: MailboxTokens) => Promise<MailboxTokens | null>,
    ): Promise<MailboxTokens | null> {
      return inTransaction(pool, async ({ orm: tx }) => {
        // Not the row's own lock: claims wait for that one, and this may take as long as the provider does.
        await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`tokens ${mailboxId}`}, 0))`)
        const where = and(eq(emailConfigs.id, mailboxId), isAlive)
        const [row] = await tx.select().from(emailConfigs).where(where)
        const known = row === undefined ? null : openTokens(row)
        if (row === undefined || known?.accessToken !== stale.accessToken) return known
        const renewed = await renew(known)
        if (renewed === null) return null
        const oauthTokensSealed = sealTokens(renewed, row.id, row.workspaceId)
        await tx.update(emailConfigs).set({ oauthTokensSealed }).where(where)
        return renewed
      })
    },

    /** Makes the mailbox that account mails leave from, in a workspace of its own that nobody is a member of. */
    async ensureSystemMailbox(address: string): Promise<SystemMailbox> {
      await orm.insert(workspaces).values({ id: systemId, name: 'Account mails' }).onConflictDoNothing()
      await orm
        .insert(emailConfigs)
        .values({ id: systemId, workspaceId: systemId, emailAddress: address, provider: 'system' })
        // A start is the operator's word that the server is set right: what was paused is tried again.
        .onConflictDoUpdate({
          target: emailConfigs.id,
          set: { emailAddress: address, status: 'active', pauseReason: null, pausedUntil: null },
        })
      return { workspaceId: systemId, mailboxId: systemId, address }
    },

    /**
     * Stops sending from a mailbox, for so long or (null) until its owner acts, and keeps the reason for its owner. With a
     * version it holds for the credentials of that time: false, and nothing is changed, where others have come since.
     */
    async pause(
      mailboxId: string,
      reason: string,
      forMs: number | null,
      credentialsVersion?: number,
    ): Promise<boolean> {
      const isSame =
        credentialsVersion === undefined ? undefined : eq(emailConfigs.credentialsVersion, credentialsVersion)
      const paused = await orm
        .update(emailConfigs)
        .set({
          status: 'paused',
          pauseReason: reason,
          // By the database's clock, which is the one that ends it.
          pausedUntil: forMs === null ? null : sql`now() + ${forMs} * interval '1 millisecond'`,
        })
        .where(and(eq(emailConfigs.id, mailboxId), isSame))
        .returning({ id: emailConfigs.id })
      return paused.length > 0
    },
  }
}

const mailboxColumns = `id, workspace_id as "workspaceId", email_address as "emailAddress", status,
    pause_reason as "pauseReason", paused_until as "pausedUntil", xmin::text as "version"`

const findByKeysText = `
  select secret_key_lookup as "lookup", ${mailboxColumns}
  from email_configs where secret_key_lookup = any($1::bytea[]) and deleted_at is null`

/** Keys that another has replaced, while they still work. */
const findByOldKeysText = `
  select old_key_lookup as "lookup", ${mailboxColumns}
  from email_configs where old_key_lookup = any($1::bytea[]) and old_key_until > now() and deleted_at is null`
