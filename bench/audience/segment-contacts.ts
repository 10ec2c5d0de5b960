import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { field, type RuleObjects } from './segment-rules.ts'

const types: Record<keyof typeof field, string> = {
  firstName: 'text',
  lastName: 'text',
  city: 'text',
  plan: 'choice',
  score: 'number',
  memberSince: 'date',
  isPartner: 'boolean',
  company: 'text',
}
const mailsCount = 500_000

/** Writes contacts with eight fields, half of them on a list, every second with a mail of the last 60 days. */
export async function addContacts(pool: Pool, workspaceId: string, count: number): Promise<RuleObjects> {
  for (const [key, no] of Object.entries(field)) {
    await pool.query(
      `insert into contact_fields (workspace_id, no, key, label, type, created_at) values ($1, $2, $3, $3, $4, now())
       on conflict do nothing`,
      [workspaceId, no, key.toLowerCase(), types[key as keyof typeof field]],
    )
  }
  await pool.query(
    `insert into contacts (workspace_id, email, email_key, fields, locale, source, status, created_at, updated_at)
     select $1, email, email, jsonb_strip_nulls(jsonb_build_object(
         '1', (array['Ada', 'Bo', 'Chloé', 'Jürgen', 'Kai', 'Léa', 'Inês'])[1 + n % 7],
         '2', (array['Rossi', 'Müller', 'Park', 'Silva', 'Nguyen'])[1 + n % 5] || n % 5000,
         '3', (array['Berlin', 'Hamburg', 'Wien', 'Paris', 'Porto', 'Oslo', 'Roma', 'Lyon', 'Madrid', 'Zürich', 'Graz'])[1 + n * 7 % 11],
         '4', (array['free', 'team', 'business', 'enterprise'])[1 + n % 4],
         '5', n::bigint * 7919 % 1000,
         '6', (date '2010-01-01' + (n * 31 % 6100)::int)::text,
         '7', n % 3 = 0,
         '8', case when n % 4 > 0 then 'Company ' || n % 20000 end
       )), (array['de', 'en', 'fr', null])[1 + n % 4], case when n % 5 > 0 then 'import' else 'api' end,
       case when n % 50 = 0 then 'unsubscribed' else 'active' end,
       now() - n % 400 * interval '1 day', now()
     from (select n, 'person' || n || '@mail' || n % 997 || '.example.com' as email from generate_series(1, $2::int) as n) as one`,
    [workspaceId, count],
  )
  const lists: string[] = []
  for (const [name, every] of [
    ['Large', 2],
    ['Small', 1000],
  ] as const) {
    const { rows } = await pool.query<{ id: number }>(
      'insert into lists (workspace_id, name, created_at) values ($1, $2, now()) returning id',
      [workspaceId, name],
    )
    lists.push(String(rows[0]?.id))
    await pool.query(
      `insert into list_members (workspace_id, list_id, contact_id, state, at)
       select $1, $2, id, 'subscribed', now() from contacts where workspace_id = $1 and id % $3 = 0`,
      [workspaceId, rows[0]?.id, every],
    )
  }
  await pool.query(
    `insert into suppressions (workspace_id, id, email, reason)
     select $1, gen_random_uuid(), email_key, 'unsubscribed' from contacts where workspace_id = $1 and status = 'unsubscribed'`,
    [workspaceId],
  )
  const campaign = await addMails(pool, workspaceId)
  const { rows } = await pool.query<{ id: number }>(
    `insert into segments (workspace_id, name, rule, created_at, updated_at) values ($1, 'Referenced', $2, now(), now()) returning id`,
    [workspaceId, JSON.stringify({ field: field.score, op: 'gte', value: 500 })],
  )
  // As autovacuum does within a minute.
  await pool.query('vacuum analyze contacts, list_members, suppressions, deliveries')
  const [largeList = '', smallList = ''] = lists
  return { largeList, smallList, campaign, segment: String(rows[0]?.id) }
}

/** Mails of a campaign to every second contact. */
async function addMails(pool: Pool, workspaceId: string): Promise<string> {
  const [campaign, message, mailbox] = [randomUUID(), randomUUID(), randomUUID()]
  await pool.query(
    `insert into email_configs (id, workspace_id, email_address, provider, status) values ($1, $2, 'past@example.com', 'other', 'active')`,
    [mailbox, workspaceId],
  )
  await pool.query(
    `insert into campaigns (id, workspace_id, status, config_ids, started_at, finished_at)
     values ($1, $2, 'finished', $3, now() - interval '60 days', now())`,
    [campaign, workspaceId, [mailbox]],
  )
  await pool.query(
    `insert into messages (id, workspace_id, config_id, campaign_id, from_address, subject, content, is_html, context)
     values ($1, $2, $3, $4, 'past@example.com', 'News', 'News', false, '{}')`,
    [message, workspaceId, mailbox, campaign],
  )
  await pool.query(
    `insert into deliveries (month, workspace_id, message_id, config_id, campaign_id, contact_id, recipient, state, settled_at)
     select date_trunc('month', now() at time zone 'utc')::date, $1, $2, $3, $4, c.id, c.email, 'sent',
       now() - c.id % 60 * interval '1 day'
     from contacts c where c.workspace_id = $1 and c.id % 2 = 0 order by c.id limit ${mailsCount}`,
    [workspaceId, message, mailbox, campaign],
  )
  return campaign
}
