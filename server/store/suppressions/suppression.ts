import { eventKinds } from '../../../contract/results/event.ts'
import type {
  MailedRecipient,
  NewSuppression,
  SuppressionFilter,
  SuppressionRow,
} from '../../domain/suppressions/suppression.ts'
import type { LinkedMail } from '../../domain/suppressions/unsubscribe-link.ts'
import type { Listed, PageQuery } from '../../domain/core/page.ts'
import { countRows, findRow, type Database } from '../core/database.ts'
import { afterValues, isAfter, sortAtColumn, toPage } from '../core/page.ts'
import { selectList } from '../core/sql.ts'
import { touchSql } from '../contacts/contact-touch.sql.ts'
import { erasedHashSql, erasedRecipient, isErasedSql } from './erased-address.sql.ts'
import type { Scope, SystemScope } from '../../domain/auth/scope.ts'
import type { DeadAddress, MailboxKey } from '../../domain/messages/delivery.ts'

/** Rows of an export in memory at a time. */
const exportPageCount = 1000
const columns = selectList<SuppressionRow>(['id', 'email', 'reason', 'detail', 'campaignId', 'createdAt'])
const isListed = `workspace_id = $1 and ($2::text is null or email = $2) and ($3::text is null or email like $3)
  and ($4::text is null or reason = $4)`
const noneFound: ReadonlySet<string> = new Set()

/** Whether the recipient of the delivery `d` is suppressed, or was erased. */
export const isSuppressedSql = `(d.recipient = '${erasedRecipient}' or exists (
  select from suppressions s where s.workspace_id = d.workspace_id and s.email = lower(d.recipient)
) or ${isErasedSql('d.workspace_id', 'lower(d.recipient)')})`

/** Gives the contacts of the addresses in `written` the reason as their status, in the same statement. */
export const markContactsSql = `marked as (
  update contacts c set status = written.reason, updated_at = now() from written
  where c.workspace_id = written.workspace_id and c.email_key = written.email
  returning c.workspace_id, c.id
), touched as (${touchSql('marked', 'changed.workspace_id')})`

export type SuppressionStore = ReturnType<typeof createSuppressionStore>

/** Suppression lists of workspaces. Addresses are compared in lower case. */
export function createSuppressionStore({ pool }: Pick<Database, 'pool'>, newId: () => string) {
  return {
    /**
     * The suppressed and erased ones of these addresses; none for the system mailbox, because account mails are sent to
     * suppressed addresses too.
     */
    async find({ workspaceId }: Scope, mailboxId: string, addresses: readonly string[]): Promise<ReadonlySet<string>> {
      const { rows } = await pool.query<{ address: string }>({
        name: 'find-suppressed-of-mailbox',
        text: `select asked.address from email_configs c cross join unnest($2::text[], $3::text[]) as asked (address, key)
            join suppressions s on s.workspace_id = c.workspace_id and s.email = asked.key
          where c.workspace_id = $4 and c.id = $1 and c.provider <> 'system'
          union all
          select asked.address from email_configs c join workspaces w on w.id = c.workspace_id
            cross join unnest($2::text[], $3::text[]) as asked (address, key)
            join erased_addresses e on e.workspace_id = c.workspace_id and e.address_hash = ${erasedHashSql('asked.key')}
          where c.workspace_id = $4 and c.id = $1 and c.provider <> 'system'
            and exists (select from erased_addresses e where e.workspace_id = $4)`,
        values: [mailboxId, addresses, addresses.map((address) => address.toLowerCase()), workspaceId],
      })
      return rows.length === 0 ? noneFound : new Set(rows.map(({ address }) => address))
    },

    /**
     * The ids of those mailboxes whose workspace got suppressions or erased addresses within the last ten seconds: longer
     * than any commit takes, so that no entry is missed.
     */
    async listChanged(_system: SystemScope, mailboxes: readonly MailboxKey[]): Promise<string[]> {
      const { rows } = await pool.query<{ id: string }>({
        name: 'list-changed-suppressions',
        text: `select c.id from email_configs c
          where (c.workspace_id, c.id) in (select * from unnest($1::uuid[], $2::uuid[])) and c.provider <> 'system' and (exists (
            select from suppressions s where s.workspace_id = c.workspace_id and s.changed_at > now() - interval '10 seconds'
          ) or exists (
            select from erased_addresses e
            where e.workspace_id = c.workspace_id and e.removed_at is null and e.at > now() - interval '10 seconds'
          ))`,
        values: [mailboxes.map(({ workspaceId }) => workspaceId), mailboxes.map(({ mailboxId }) => mailboxId)],
      })
      return rows.map(({ id }) => id)
    },

    /** Adds addresses that mail servers reported as nonexistent; not those that were erased. */
    async addDead(_system: SystemScope, dead: readonly DeadAddress[]): Promise<void> {
      await pool.query(
        `with written as (
           insert into suppressions (workspace_id, id, email, reason, detail)
           select distinct on (c.workspace_id, given.email) c.workspace_id, given.id, given.email, 'bounced', given.reply
           from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::uuid[]) as given (config_id, email, reply, workspace_id, id)
             join email_configs c
               on c.workspace_id = given.workspace_id and c.id = given.config_id and c.provider <> 'system'
           where c.workspace_id = any($4::uuid[]) and not ${isErasedSql('c.workspace_id', 'given.email')}
           order by c.workspace_id, given.email
           on conflict do nothing
           returning workspace_id, email, reason
         ), ${markContactsSql}
         select from written`,
        [
          dead.map(({ mailboxId }) => mailboxId),
          dead.map(({ address }) => address.toLowerCase()),
          dead.map(({ reply }) => reply),
          dead.map(({ workspaceId }) => workspaceId),
          dead.map(() => newId()),
        ],
      )
    },

    /**
     * Adds addresses, each once; returns how many are new. The recipient's own decision (unsubscribed, complained)
     * replaces other reasons and is never replaced. An imported entry keeps its details; a campaign of another
     * workspace is ignored. Erased addresses are left out: nothing is sent to them anyway.
     */
    async add({ workspaceId }: Scope, entries: readonly NewSuppression[]): Promise<number> {
      const { rows } = await pool.query<{ isNew: boolean }>(
        `with written as (
           insert into suppressions as s (workspace_id, id, email, reason, campaign_id, detail, created_at)
           select $1, given.id, given.email, given.reason, c.id, given.detail, coalesce(given.created_at, now())
           from unnest($2::text[], $3::text[], $4::uuid[], $5::text[], $6::timestamptz[], $7::uuid[])
               as given (email, reason, campaign_id, detail, created_at, id)
             left join campaigns c on c.id = given.campaign_id and c.workspace_id = $1
           where given.email <> '${erasedRecipient}' and not ${isErasedSql('$1', 'given.email')}
           order by given.email
           on conflict (workspace_id, email) do update set
             reason = excluded.reason, campaign_id = excluded.campaign_id, detail = coalesce(excluded.detail, s.detail),
             created_at = excluded.created_at, changed_at = now()
           where s.reason in ('bounced', 'manual') and excluded.reason in ('unsubscribed', 'complained')
           returning workspace_id, email, reason, xmax = 0 as is_new
         ), noted as (
           insert into event_inbox (workspace_id, at, kind, delivery_month, delivery_id)
           select $1, now(), ${eventKinds.unsubscribed}, given.delivery_month, given.delivery_id
           from written join unnest($2::text[], $8::date[], $9::bigint[]) as given (email, delivery_month, delivery_id)
             on given.email = written.email
           where given.delivery_id is not null and written.reason = 'unsubscribed'
         ), ${markContactsSql}
         select is_new as "isNew" from written`,
        [
          workspaceId,
          entries.map(({ email }) => email),
          entries.map(({ reason }) => reason),
          entries.map(({ campaignId = null }) => campaignId),
          entries.map(({ detail = null }) => detail),
          entries.map(({ createdAt = null }) => createdAt?.toISOString() ?? null),
          entries.map(() => newId()),
          entries.map(({ mail }) => mail?.deliveryMonth ?? null),
          entries.map(({ mail }) => mail?.deliveryId ?? null),
        ],
      )
      return rows.filter(({ isNew }) => isNew).length
    },

    /** Newest first, with the total count. */
    async list(
      { workspaceId }: Scope,
      { email, search, reason }: SuppressionFilter,
      { limit, offset, after }: PageQuery,
    ): Promise<Listed<SuppressionRow>> {
      const values = [workspaceId, email, search === null ? null : partPattern(search), reason]
      const [{ rows }, total] = await Promise.all([
        pool.query<SuppressionRow & { sortAt: string }>(
          `select ${columns}, ${sortAtColumn()} from suppressions where ${isListed} and ${isAfter('desc', 5)}
           order by created_at desc, id desc limit $7 offset $8`,
          [...values, ...afterValues(after), limit + 1, offset],
        ),
        countRows(pool, `select count(*) from suppressions where ${isListed}`, values),
      ])
      return { ...toPage<SuppressionRow>(rows, limit), total }
    },

    /** All, by address; reads one page at a time. */
    async *all({ workspaceId }: Scope): AsyncGenerator<SuppressionRow> {
      for (let after = ''; ;) {
        const { rows } = await pool.query<SuppressionRow>(
          `select ${columns} from suppressions where workspace_id = $1 and email > $2 order by email limit $3`,
          [workspaceId, after, exportPageCount],
        )
        yield* rows
        const last = rows.at(-1)
        if (last === undefined || rows.length < exportPageCount) return
        after = last.email
      }
    },

    /** Suppressions of these addresses, given in lower case. */
    async findByEmails({ workspaceId }: Scope, emails: readonly string[]): Promise<SuppressionRow[]> {
      const { rows } = await pool.query<SuppressionRow>(
        `select ${columns} from suppressions where workspace_id = $1 and email = any($2::text[])`,
        [workspaceId, emails],
      )
      return rows
    },

    findById: ({ workspaceId }: Scope, id: string) =>
      findRow<SuppressionRow>(pool, `select ${columns} from suppressions where workspace_id = $1 and id = $2`, [
        workspaceId,
        id,
      ]),

    async remove({ workspaceId }: Scope, id: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        `with removed as (
           delete from suppressions where workspace_id = $1 and id = $2 returning workspace_id, email
         ), marked as (
           update contacts c set status = 'active', updated_at = now() from removed
           where c.workspace_id = removed.workspace_id and c.email_key = removed.email
           returning c.id
         ), touched as (${touchSql('marked')})
         select from removed`,
        [workspaceId, id],
      )
      return rowCount === 1
    },

    /** The recipient of a mail; null if there is no such mail. */
    findRecipient: ({ workspaceId }: Scope, { month, messageId, deliveryId }: Omit<LinkedMail, 'workspaceId'>) =>
      findRow<MailedRecipient>(
        pool,
        `select d.workspace_id as "workspaceId", d.campaign_id as "campaignId", d.recipient as email,
           m.from_address as "fromAddress", d.month::text as "deliveryMonth", d.id as "deliveryId"
         from deliveries d join messages m on m.workspace_id = d.workspace_id and m.id = d.message_id
         where d.workspace_id = $1 and d.message_id = $2 and d.id = $3 and ($4::date is null or d.month = $4)`,
        [workspaceId, messageId, deliveryId, month],
      ),
  }
}

/** LIKE pattern for texts that contain this; indexed from three characters on. */
function partPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
