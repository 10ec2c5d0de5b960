import type { Scope, SystemScope } from '../../domain/auth/scope.ts'
import type { PendingErasures } from '../../domain/contacts/erasure.ts'
import type { Database } from '../core/database.ts'
import { erasedHashSql, erasedRecipient } from '../suppressions/erased-address.sql.ts'
import { addressHashSql } from '../events/consumers/address-hash.sql.ts'
import { touchSql } from './contact-touch.sql.ts'

/** Addresses that are removed from mails in one pass. */
const claimMaxCount = 1000

const attemptsMaxCount = 4
/** PostgreSQL ended the statement because another one waited for it. */
const deadlockCode = '40P01'

/** A place among the deliveries of a workspace: month and id. */
export interface DeliveryPlace {
  month: string
  id: number
}

export type ErasureStore = ReturnType<typeof createErasureStore>

/** Erasure of persons, and the addresses to which nothing is sent again. */
export function createErasureStore({ pool }: Pick<Database, 'pool'>) {
  return {
    /** Of these addresses in lower case, the erased ones. */
    async listErased({ workspaceId }: Scope, keys: readonly string[]): Promise<ReadonlySet<string>> {
      const { rows } = await pool.query<{ key: string }>(
        `select given.key from workspaces w cross join unnest($2::text[]) as given (key)
           join erased_addresses e on e.workspace_id = $1 and e.address_hash = ${erasedHashSql('given.key')}
         where w.id = $1`,
        [workspaceId, keys],
      )
      return new Set(rows.map(({ key }) => key))
    },

    /**
     * Deletes a contact with everything stored about it, its events and files of ended imports included; keeps the salted hash
     * of the address in place of a suppression. Figures stay. False without such a contact.
     */
    async erase({ workspaceId }: Scope, id: string): Promise<boolean> {
      for (let attempt = 1; ; attempt++) {
        try {
          const { rows } = await pool.query(eraseSql, [workspaceId, id])
          return rows.length === 1
        } catch (error) {
          // The digest may hold the contact's events while it waits for the contact.
          if (attempt === attemptsMaxCount || (error as { code?: unknown }).code !== deadlockCode) throw error
        }
      }
    },

    /** Takes the addresses of one workspace that are still in its mails, and that no living process removes; null without any. */
    async claim(_system: SystemScope, now: Date, leaseMs: number): Promise<PendingErasures | null> {
      const { rows } = await pool.query<{ workspaceId: string; hash: Buffer; oldHashes: Buffer[] }>(
        `update erased_addresses e set lease_until = $2
         from (
           select workspace_id, address_hash from erased_addresses
           where removed_at is null and at < now() - interval '1 minute' and (lease_until is null or lease_until < $1)
             and workspace_id = (
               select workspace_id from erased_addresses
               where removed_at is null and at < now() - interval '1 minute' and (lease_until is null or lease_until < $1)
               limit 1
             )
           limit ${claimMaxCount} for update skip locked
         ) as due
         where e.workspace_id = due.workspace_id and e.address_hash = due.address_hash
         returning e.workspace_id as "workspaceId", e.address_hash as hash, e.old_address_hashes as "oldHashes"`,
        [now, new Date(now.getTime() + leaseMs)],
      )
      const [first] = rows
      if (first === undefined) return null
      return {
        workspaceId: first.workspaceId,
        hashes: rows.map(({ hash }) => hash),
        oldHashes: rows.flatMap(({ oldHashes }) => oldHashes),
      }
    },

    /**
     * Removes the addresses from the next deliveries behind `after`. `last`: the place of the last one that was read, null at
     * the end; `sendingCount`: mails that are being sent and keep their address until then.
     */
    async removeFromMails(
      { workspaceId }: Scope,
      { hashes, oldHashes }: Pick<PendingErasures, 'hashes' | 'oldHashes'>,
      after: DeliveryPlace | null,
      limit: number,
    ): Promise<{ last: DeliveryPlace | null; sendingCount: number }> {
      const { rows } = await pool.query<{ month: string | null; id: number; sendingCount: number }>(removeSql, [
        workspaceId,
        hashes,
        oldHashes,
        after?.month ?? '0001-01-01',
        after?.id ?? 0,
        limit,
      ])
      const [row] = rows
      const sendingCount = row?.sendingCount ?? 0
      return !row || row.month === null
        ? { last: null, sendingCount }
        : { last: { month: row.month, id: row.id }, sendingCount }
    },

    /** Notes that the addresses are in no mail any more. */
    async finish({ workspaceId }: Scope, hashes: readonly Buffer[], now: Date): Promise<void> {
      await pool.query(
        `update erased_addresses set removed_at = $3, old_address_hashes = '{}', lease_until = null
         where workspace_id = $1 and address_hash = any($2::bytea[])`,
        [workspaceId, hashes, now],
      )
    },
  }
}

const eraseSql = `
  with contact as materialized (
    select c.id, c.email_key, c.old_address_hashes from contacts c where c.workspace_id = $1 and c.id = $2 for update
  ), erased as (
    insert into erased_addresses as e (workspace_id, address_hash, reason, at, old_address_hashes)
    select $1, ${erasedHashSql('contact.email_key')}, 'erasure', now(), contact.old_address_hashes
    from contact join workspaces w on w.id = $1
    on conflict (workspace_id, address_hash) do update set
      at = now(), removed_at = null, lease_until = null,
      old_address_hashes = e.old_address_hashes || excluded.old_address_hashes
  ), freed as (
    delete from suppressions s using contact where s.workspace_id = $1 and s.email = contact.email_key
  ), overwrites as (
    delete from import_overwrites o using contact, imports i
    where i.workspace_id = $1 and o.workspace_id = $1 and o.import_id = i.id and o.contact_id = contact.id
  ), refusals as (
    delete from import_refusals r using contact
    where r.workspace_id = $1 and strpos(lower(array_to_string(r.cells, ' ')), contact.email_key) > 0
  ), files as (
    delete from blobs b using contact, imports i
    where i.workspace_id = $1 and b.workspace_id = $1 and b.sha256 = i.file_sha256
      and not exists (
        select from imports other where other.workspace_id = $1 and other.file_sha256 = b.sha256
          and other.state not in ('done', 'cancelled', 'undone')
      )
  ), actions as (
    delete from bulk_action_changes k using contact, bulk_actions a
    where a.workspace_id = $1 and k.workspace_id = $1 and k.action_id = a.id and k.contact_id = contact.id
  ), answers as (
    delete from inbox_mails i using contact
    where i.workspace_id = $1 and (i.contact_id = contact.id or lower(i.from_address) = contact.email_key)
  ), health as (
    delete from address_health h using contact
    where h.workspace_id = $1 and h.address_hash = ${addressHashSql('contact.email_key')}
  ), events_of as (
    delete from events e using contact where e.workspace_id = $1 and e.contact_id = contact.id
  ), waiting as (
    delete from event_inbox e using contact where e.workspace_id = $1 and e.contact_id = contact.id
  ), engaged as (
    update engagements e set contact_id = null from contact where e.workspace_id = $1 and e.contact_id = contact.id
    returning e.source_id, e.delivery_id
  ), clicked as (
    update link_clicks k set contact_id = null from engaged
    where k.workspace_id = $1 and k.source_id = engaged.source_id and k.delivery_id = engaged.delivery_id
  ), gone as (
    delete from contacts c using contact where c.workspace_id = $1 and c.id = contact.id returning c.id
  ), touched as (${touchSql('gone')})
  select from gone`

const recipientHashSql = addressHashSql('lower(page.recipient)')

const removeSql = `
  with page as materialized (
    select d.month, d.id, d.recipient, d.state, d.campaign_id from deliveries d
    where d.workspace_id = $1 and (d.month, d.id) > ($4::date, $5::bigint) order by d.month, d.id limit $6
  ), found as materialized (
    select page.*, ${recipientHashSql} as hash from page join workspaces w on w.id = $1
    where ${erasedHashSql('lower(page.recipient)')} = any($2::bytea[]) or ${recipientHashSql} = any($3::bytea[])
  ), forgotten as (
    delete from campaign_recipients r using found
    where r.workspace_id = $1 and r.campaign_id = found.campaign_id and r.address_hash = found.hash
  ), listed as (
    delete from address_deliveries a using found
    where a.workspace_id = $1 and a.address_hash = found.hash and a.month = found.month and a.delivery_id = found.id
  ), acts as (
    delete from events e using found
    where e.workspace_id = $1 and e.delivery_id = found.id and e.contact_id is null
  ), removed as (
    update deliveries d set recipient = '${erasedRecipient}', context = null, reply = null, contact_id = null,
      settled_at = case when d.state in ('queued', 'deferred') then now() else d.settled_at end,
      state = case when d.state in ('queued', 'deferred') then 'suppressed' else d.state end
    from found
    where d.workspace_id = $1 and d.month = found.month and d.id = found.id and d.state <> 'sending'
  ), ids as (
    delete from provider_message_ids p using found
    where p.workspace_id = $1 and p.delivery_month = found.month and p.delivery_id = found.id
  ), answers as (
    delete from inbox_mails i using found
    where i.workspace_id = $1 and i.delivery_month = found.month and i.delivery_id = found.id
  )
  select last.month, coalesce(last.id, 0) as id,
    (select count(*) from found where state = 'sending')::int as "sendingCount"
  from (select) as one left join (select month::text, id from page order by page.month desc, page.id desc limit 1) as last on true`
