import type { NewEvent } from '../../domain/events/new-event.ts'
import {
  choicesText,
  type PreferenceChoices,
  type Preferences,
  type Topic,
} from '../../domain/preferences/preferences.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { touchSql } from '../contacts/contact-touch.sql.ts'
import { findRow, inTransaction, type Database, type Queryable } from '../core/database.ts'
import { writeEvents } from '../events/inbox.ts'

export type PreferenceStore = ReturnType<typeof createPreferenceStore>

type ContactRow = Pick<Preferences, 'pausedUntil' | 'locale'> & { id: number; frequency: string | null }

/** The mail whose link a person followed. */
export interface PreferenceMail {
  /** As it was written to. */
  email: string
  campaignId: string | null
  messageId: string
  deliveryId: number
  month: string | null
}

/** What people choose about the mail that they get. */
export function createPreferenceStore({ pool }: Pick<Database, 'pool'>, newId: () => string) {
  return {
    find: (scope: Scope, email: string): Promise<Preferences> => find(scope, email.toLowerCase(), pool),

    /**
     * Saves choices in one transaction; equal calls at once leave the state of one. A person who is no contact becomes one.
     * Topics that do not exist, or are not public, are ignored.
     */
    save: (scope: Scope, mail: PreferenceMail, choices: PreferenceChoices, now: Date): Promise<Preferences> =>
      inTransaction(pool, async ({ client }) => {
        const { workspaceId } = scope
        const key = mail.email.toLowerCase()
        const contact = await lockContact(scope, mail.email, now, client)
        const before = await find(scope, key, client)
        const wanted = before.topics.filter(({ id }) => choices.topicIds.includes(id))
        const isKept = choices.act === 'keep' && wanted.length > 0
        if (choices.act === 'stop') {
          await client.query(
            `insert into suppressions as s (workspace_id, id, email, reason, campaign_id)
             select $1, $2, $3, 'unsubscribed', c.id from (select $4::uuid as id) as given
               left join campaigns c on c.workspace_id = $1 and c.id = given.id
             on conflict (workspace_id, email) do update set reason = excluded.reason, changed_at = now()
             where s.reason in ('bounced', 'manual')`,
            [workspaceId, newId(), key, mail.campaignId],
          )
          await setStatus(scope, contact.id, 'unsubscribed', client)
        } else {
          if (isKept && before.isStopped) await resume(scope, key, contact.id, client)
          if (!before.isStopped || isKept) await setTopics(scope, contact.id, before.topics, wanted, now, client)
          const days = choices.pauseDays
          await client.query(
            `update contacts set frequency = $3, locale = coalesce($4, locale),
               paused_until = case when $5 then $6::timestamptz else paused_until end, updated_at = $7
             where workspace_id = $1 and id = $2`,
            [
              workspaceId,
              contact.id,
              choices.frequency === 'weekly' ? 'weekly' : null,
              choices.locale,
              days !== null,
              days === null || days === 0 ? null : new Date(now.getTime() + days * 86_400_000),
              now,
            ],
          )
        }
        await client.query(
          `insert into consents (workspace_id, kind, contact_id, text, at) values ($1, 'preferences', $2, $3, $4)`,
          [
            workspaceId,
            contact.id,
            choicesText(
              choices,
              wanted.map(({ name }) => name),
            ),
            now,
          ],
        )
        const after = await find(scope, key, client)
        await writeEvents(scope, eventsOf(mail, contact.id, before, after, now), client)
        return after
      }),
  }
}

async function find({ workspaceId }: Scope, key: string, executor: Queryable): Promise<Preferences> {
  const contact = await findRow<ContactRow>(
    executor,
    `select id, frequency, paused_until as "pausedUntil", locale from contacts
     where workspace_id = $1 and email_key = $2`,
    [workspaceId, key],
  )
  const { rows: topics } = await executor.query<Topic>(
    `select l.id::text, l.name, l.description, coalesce(m.state = 'subscribed', false) as "isSubscribed"
     from lists l left join list_members m on m.workspace_id = $1 and m.list_id = l.id and m.contact_id = $2
     where l.workspace_id = $1 and l.is_public and l.deleted_at is null order by lower(l.name), l.id`,
    [workspaceId, contact?.id ?? null],
  )
  const { rowCount } = await executor.query('select from suppressions where workspace_id = $1 and email = $2', [
    workspaceId,
    key,
  ])
  return {
    topics,
    frequency: contact?.frequency === 'weekly' ? 'weekly' : 'all',
    pausedUntil: contact?.pausedUntil ?? null,
    locale: contact?.locale ?? null,
    isStopped: rowCount === 1,
  }
}

/** The contact of an address, made if it does not exist, locked until the commit. */
async function lockContact({ workspaceId }: Scope, email: string, now: Date, client: Queryable): Promise<ContactRow> {
  const row = await findRow<ContactRow>(
    client,
    `with made as (
       insert into contacts (workspace_id, email, email_key, status, source, created_at, updated_at)
       select $1, $2, $3, coalesce((select reason from suppressions where workspace_id = $1 and email = $3), 'active'),
         'preferences', $4, $4
       on conflict (workspace_id, email_key) do update set updated_at = $4
       returning id, frequency, paused_until as "pausedUntil", locale
     ), touched as (${touchSql('made')})
     select * from made`,
    [workspaceId, email, email.toLowerCase(), now],
  )
  if (row === null) throw new Error('A statement returned no row')
  return row
}

async function setStatus({ workspaceId }: Scope, id: number, status: string, client: Queryable): Promise<void> {
  await client.query('update contacts set status = $3, updated_at = now() where workspace_id = $1 and id = $2', [
    workspaceId,
    id,
    status,
  ])
}

/** Takes back what the person decided; a bounce or a decision of the workspace stays. */
async function resume(scope: Scope, key: string, contactId: number, client: Queryable): Promise<void> {
  const { rowCount } = await client.query(
    `delete from suppressions where workspace_id = $1 and email = $2 and reason = 'unsubscribed'`,
    [scope.workspaceId, key],
  )
  if (rowCount === 1) await setStatus(scope, contactId, 'active', client)
}

async function setTopics(
  { workspaceId }: Scope,
  contactId: number,
  topics: readonly Topic[],
  wanted: readonly Topic[],
  now: Date,
  client: Queryable,
): Promise<void> {
  const joined = wanted.filter(({ isSubscribed }) => !isSubscribed).map(({ id }) => id)
  const left = topics.filter((topic) => topic.isSubscribed && !wanted.includes(topic)).map(({ id }) => id)
  await client.query(
    `with joined as (
       insert into list_members (workspace_id, list_id, contact_id, state, at)
       select $1, l.id, $2, 'subscribed', $5 from lists l
       where l.workspace_id = $1 and l.id = any($3::bigint[]) and l.is_public and l.deleted_at is null order by l.id
       on conflict (workspace_id, list_id, contact_id) do update set state = 'subscribed', at = excluded.at
     ), departed as (
       update list_members set state = 'unsubscribed', at = $5
       where workspace_id = $1 and contact_id = $2 and list_id = any($4::bigint[])
     ), changed_contact as (select $2::bigint as id),
     touched as (${touchSql('changed_contact')})
     select`,
    [workspaceId, contactId, joined, left, now],
  )
}

function eventsOf(
  { messageId, deliveryId, month }: PreferenceMail,
  contactId: number,
  before: Preferences,
  after: Preferences,
  at: Date,
): NewEvent[] {
  const mail = { at, contactId, messageId, ...(month !== null && { deliveryMonth: month, deliveryId }) }
  const lists = after.topics.flatMap(({ id, isSubscribed }): NewEvent[] => {
    const was = before.topics.find((topic) => topic.id === id)?.isSubscribed ?? false
    if (was === isSubscribed) return []
    return [{ at, contactId, kind: isSubscribed ? 'list_joined' : 'list_left', detail: { list_id: id } }]
  })
  if (!before.isStopped && after.isStopped) return [{ ...mail, kind: 'unsubscribed' }]
  if (before.isStopped && !after.isStopped) return [{ at, contactId, kind: 'resubscribed' }, ...lists]
  return [{ at, contactId, kind: 'preferences_changed' }, ...lists]
}
