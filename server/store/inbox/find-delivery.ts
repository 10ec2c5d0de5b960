import { setTimeout as sleep } from 'node:timers/promises'
import { eventKinds } from '../../../contract/results/event.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { MatchedDelivery } from '../../domain/inbox/reading.ts'
import { findRow, type Database } from '../core/database.ts'

const columns = `d.month::text, d.id, d.message_id as "messageId", lower(d.recipient) as recipient,
  coalesce(d.contact_id, (
    select c.id from contacts c where c.workspace_id = d.workspace_id and c.email_key = lower(d.recipient)
  )) as "contactId"`
const hashSql = "substr(sha256(convert_to(lower($2), 'UTF8')), 1, 16)"
const bounceDays = 14
const replyDays = 30
/** A mail is found by its address once the digest has recorded it; an answer may arrive before. */
const digestWaitMs = 3000
const digestPollMs = 50

/** Finds the delivery that an incoming mail answers, in one workspace. */
export function createDeliveryFinder({ pool }: Pick<Database, 'pool'>) {
  /** The newest batch of sent mails before `before` that is not digested, up to `maxId`; null: there is none. */
  const newestWaiting = async ({ workspaceId }: Scope, before: Date, maxId: number | null): Promise<number | null> => {
    const { rows } = await pool.query<{ id: number | null }>(
      `select max(id) as id from event_inbox
       where workspace_id = $1 and kind = ${eventKinds.settled} and parked_error is null
         and at <= $2::timestamptz + interval '1 minute' and ($3::bigint is null or id <= $3)`,
      [workspaceId, before, maxId],
    )
    return rows[0]?.id ?? null
  }

  /** Finds; without success once more when the digest has recorded what was sent until now. */
  async function findDigested<T>(scope: Scope, before: Date, find: () => Promise<T | null>): Promise<T | null> {
    const found = await find()
    if (found !== null) return found
    const maxId = await newestWaiting(scope, before, null)
    if (maxId === null) return null
    const endMs = performance.now() + digestWaitMs
    do await sleep(digestPollMs)
    while (performance.now() < endMs && (await newestWaiting(scope, before, maxId)) !== null)
    return find()
  }

  return {
    byId: ({ workspaceId }: Scope, messageId: string, deliveryId: number) =>
      findRow<MatchedDelivery>(
        pool,
        `select ${columns} from deliveries d where d.workspace_id = $1 and d.message_id = $2 and d.id = $3`,
        [workspaceId, messageId, deliveryId],
      ),

    /** By 16-byte hashes of Message-IDs that a provider gave. */
    byProviderId: ({ workspaceId }: Scope, hashes: readonly Buffer[]) =>
      hashes.length === 0
        ? Promise.resolve(null)
        : findRow<MatchedDelivery>(
            pool,
            `select ${columns} from provider_message_ids p
               join deliveries d on d.workspace_id = $1 and d.month = p.delivery_month and d.id = p.delivery_id
             where p.workspace_id = $1 and p.id_hash = any($2::bytea[]) limit 1`,
            [workspaceId, hashes],
          ),

    /** The last mail of this mailbox to the address within 14 days before `before`. */
    byAddress: (scope: Scope, mailboxId: string, address: string, before: Date) =>
      findDigested(scope, before, () =>
        findRow<MatchedDelivery>(
          pool,
          `select ${columns} from address_deliveries a
             join deliveries d on d.workspace_id = $1 and d.month = a.month and d.id = a.delivery_id
           where a.workspace_id = $1 and a.address_hash = ${hashSql} and a.config_id = $3
             and a.accepted_at between $4::timestamptz - interval '${bounceDays} days' and $4::timestamptz + interval '1 day'
           order by a.accepted_at desc limit 1`,
          [scope.workspaceId, address, mailboxId, before],
        ),
      ),

    /** The last mail to the address within 30 days whose subject is this one, in lower case and without blanks at its ends. */
    bySubject: (scope: Scope, address: string, subject: string, before: Date) =>
      findDigested(scope, before, () =>
        findRow<MatchedDelivery>(
          pool,
          `select ${columns} from address_deliveries a
           join deliveries d on d.workspace_id = $1 and d.month = a.month and d.id = a.delivery_id
           join messages m on m.workspace_id = $1 and m.id = d.message_id
         where a.workspace_id = $1 and a.address_hash = ${hashSql}
           and a.accepted_at between $4::timestamptz - interval '${replyDays} days' and $4::timestamptz + interval '1 day'
           and ($3 = lower(trim(m.subject)) or m.subject like '%{{%'
             and $3 like replace(replace(regexp_replace(lower(trim(m.subject)), '\\{\\{[^{}]*\\}\\}', '%', 'g'), '_', '\\_'), '\\%', '%'))
         order by a.accepted_at desc limit 1`,
          [scope.workspaceId, address, subject, before],
        ),
      ),
  }
}
