import type { Scope } from '../../domain/auth/scope.ts'
import type { NewEvent } from '../../domain/events/new-event.ts'
import type { FoundMail, ReaderLease, ReadingBatch } from '../../domain/inbox/reading.ts'
import { eventFlags } from '../../../contract/results/event.ts'
import { inTransaction, type Database, type Transaction } from '../core/database.ts'
import { announceFigures } from '../events/figures-channel.ts'
import { writeEvents } from '../events/inbox.ts'
import type { ReadingTotals } from './reading-switch.ts'

type Client = Transaction['client']

/** Writes results of reading. */
export function createReadingBatchStore({ pool }: Pick<Database, 'pool'>) {
  return {
    /**
     * Writes mails, their events, counts and the position behind them in one transaction, while the lease holds: false, and
     * nothing is written, where another process has it. A mail that is known already is left out.
     */
    commit: (scope: Scope, lease: ReaderLease, batch: ReadingBatch): Promise<boolean> =>
      inTransaction(pool, async ({ client }) => {
        const { workspaceId } = scope
        const { rows: held } = await client.query(
          `select from mailbox_readers
           where workspace_id = $1 and config_id = $2 and lease_token = $3 and lease_until > now() for update`,
          [workspaceId, lease.mailboxId, lease.token],
        )
        if (held.length === 0) return false
        const inserted = await insertMails(client, workspaceId, lease.mailboxId, batch.mails)
        const fresh = batch.mails.flatMap((mail) => {
          const id = inserted.get(mail.mailIdHash.toString('hex'))
          return id === undefined ? [] : [{ mail, id }]
        })
        const refused = await refusedDeliveries(client, workspaceId, fresh)
        const events = fresh.flatMap(({ mail, id }) => (refused.has(mail.delivery.id) ? [] : (eventOf(mail, id) ?? [])))
        await writeEvents(scope, events, client)
        await insertProviderIds(client, workspaceId, batch)
        await writePosition(client, workspaceId, lease.mailboxId, batch)
        await addCounts(client, workspaceId, lease.mailboxId, countsOf(batch, fresh))
        if (fresh.length > 0) await announceFigures(scope, client)
        return true
      }),
  }
}

/** Bounced deliveries that the mail server refused while they were sent: their bounce is known already. */
async function refusedDeliveries(
  client: Client,
  workspaceId: string,
  fresh: readonly { mail: FoundMail }[],
): Promise<ReadonlySet<number>> {
  const bounced = fresh.filter(({ mail }) => mail.kind === 'bounce' || mail.kind === 'delay')
  if (bounced.length === 0) return new Set()
  const { rows } = await client.query<{ id: number }>(
    `select d.id from unnest($2::date[], $3::bigint[]) as g (month, id)
       join deliveries d on d.workspace_id = $1 and d.month = g.month and d.id = g.id
     where d.state = 'failed'`,
    [workspaceId, bounced.map(({ mail }) => mail.delivery.month), bounced.map(({ mail }) => mail.delivery.id)],
  )
  return new Set(rows.map(({ id }) => id))
}

/** The event of a mail, whose detail the digest reads. */
export function eventOf({ event, delivery, detail, receivedAt }: FoundMail, id: number): NewEvent | null {
  if (event === null) return null
  const { reason, action, words, status, server, returns_on: returnsOn } = detail
  return {
    kind: event,
    at: receivedAt,
    messageId: delivery.messageId,
    deliveryMonth: delivery.month,
    deliveryId: delivery.id,
    contactId: delivery.contactId ?? undefined,
    flags: event === 'unsubscribed' ? eventFlags.suppresses : 0,
    detail: {
      inbox_mail_id: String(id),
      ...(reason !== undefined && { reason }),
      ...(action !== undefined && { action }),
      ...(words !== undefined && { words }),
      ...(status !== undefined && { status }),
      ...(server !== undefined && { server }),
      ...(returnsOn !== undefined && { returns_on: returnsOn }),
    },
  }
}

/** The ids of the new mails by their hash. */
async function insertMails(
  client: Client,
  workspaceId: string,
  mailboxId: string,
  mails: readonly FoundMail[],
): Promise<ReadonlyMap<string, number>> {
  if (mails.length === 0) return new Map()
  const { rows } = await client.query<{ id: number; hash: string }>(
    `insert into inbox_mails (workspace_id, config_id, folder, uidvalidity, uid, mail_id_hash, kind, delivery_month, delivery_id,
       contact_id, match, from_address, subject, excerpt, detail, received_at)
     select $1, $2, m.* from unnest($3::text[], $4::bigint[], $5::bigint[], $6::bytea[], $7::text[], $8::date[], $9::bigint[],
       $10::bigint[], $11::text[], $12::text[], $13::text[], $14::text[], $15::jsonb[], $16::timestamptz[]) as m
     on conflict (workspace_id, config_id, mail_id_hash) do nothing
     returning id, encode(mail_id_hash, 'hex') as hash`,
    [
      workspaceId,
      mailboxId,
      mails.map(({ folder }) => folder),
      mails.map(({ uidValidity }) => uidValidity),
      mails.map(({ uid }) => uid),
      mails.map(({ mailIdHash }) => mailIdHash),
      mails.map(({ kind }) => kind),
      mails.map(({ delivery }) => delivery.month),
      mails.map(({ delivery }) => delivery.id),
      mails.map(({ delivery }) => delivery.contactId),
      mails.map(({ match }) => match),
      mails.map(({ fromAddress }) => storable(fromAddress)),
      mails.map(({ subject }) => storable(subject)),
      mails.map(({ excerpt }) => storable(excerpt)),
      mails.map(({ detail }) => storable(JSON.stringify(detail)).replaceAll(String.raw`\u0000`, '')),
      mails.map(({ receivedAt }) => receivedAt),
    ],
  )
  return new Map(rows.map(({ id, hash }) => [hash, id]))
}

/** PostgreSQL texts cannot contain NUL. */
const storable = (text: string) => text.replaceAll('\0', '').toWellFormed()

async function insertProviderIds(client: Client, workspaceId: string, { providerIds }: ReadingBatch): Promise<void> {
  if (providerIds.length === 0) return
  await client.query(
    `insert into provider_message_ids (workspace_id, id_hash, delivery_month, delivery_id)
     select $1, given.hash, d.month, d.id
     from unnest($2::bytea[], $3::uuid[], $4::bigint[]) as given (hash, message_id, delivery_id)
       join deliveries d on d.workspace_id = $1 and d.message_id = given.message_id and d.id = given.delivery_id
     on conflict do nothing`,
    [
      workspaceId,
      providerIds.map(({ idHash }) => idHash),
      providerIds.map(({ messageId }) => messageId),
      providerIds.map(({ deliveryId }) => deliveryId),
    ],
  )
}

async function writePosition(
  client: Client,
  workspaceId: string,
  mailboxId: string,
  { position }: ReadingBatch,
): Promise<void> {
  await client.query(
    `insert into mailbox_folders (workspace_id, config_id, folder, role, uidvalidity, last_uid, checked_at)
     values ($1, $2, $3, $4, $5, $6, now())
     on conflict (workspace_id, config_id, folder) do update set
       role = excluded.role, uidvalidity = excluded.uidvalidity, last_uid = excluded.last_uid, checked_at = now(), error = null`,
    [workspaceId, mailboxId, position.folder, position.role, position.uidValidity, position.lastUid],
  )
}

/** The counts of a batch; mails that were known before are seen only. */
function countsOf({ counts }: ReadingBatch, fresh: readonly { mail: FoundMail }[]): ReadingTotals {
  const count = (...kinds: FoundMail['kind'][]) => fresh.filter(({ mail }) => kinds.includes(mail.kind)).length
  return {
    ...counts,
    matched: fresh.length,
    bounces: count('bounce', 'delay'),
    replies: count('reply', 'unsubscribe'),
    autoReplies: count('auto_reply'),
    complaints: count('complaint'),
  }
}

async function addCounts(client: Client, workspaceId: string, mailboxId: string, counts: ReadingTotals): Promise<void> {
  if (counts.seen === 0) return
  await client.query(
    `insert into reading_counts as c (workspace_id, config_id, day, seen, matched, bounces, replies, auto_replies, complaints,
       unmatched_bounces)
     values ($1, $2, (now() at time zone 'utc')::date, $3, $4, $5, $6, $7, $8, $9)
     on conflict (workspace_id, config_id, day) do update set
       seen = c.seen + excluded.seen, matched = c.matched + excluded.matched, bounces = c.bounces + excluded.bounces,
       replies = c.replies + excluded.replies, auto_replies = c.auto_replies + excluded.auto_replies,
       complaints = c.complaints + excluded.complaints, unmatched_bounces = c.unmatched_bounces + excluded.unmatched_bounces`,
    [
      workspaceId,
      mailboxId,
      counts.seen,
      counts.matched,
      counts.bounces,
      counts.replies,
      counts.autoReplies,
      counts.complaints,
      counts.unmatchedBounces,
    ],
  )
}
