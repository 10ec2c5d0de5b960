import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import type { TestDatabase } from '../../../tests/support/postgres-server.ts'
import { breachOf, readStatements } from '../../../tests/support/sql-statements.ts'
import { openDatabase, type Database, type Queryable } from './database.ts'
import { tableClasses } from '../../../tests/support/table-classes.ts'

let made: TestDatabase
let database: Database

beforeAll(async () => {
  made = await createTestDatabase()
  database = openDatabase(made.connection, () => undefined)
})
afterAll(async () => {
  await database.close()
  await made.drop()
})

const values = async (client: Queryable, sql: string): Promise<string[]> => {
  const { rows } = await client.query<{ value: string }>(sql)
  return rows.map(({ value }) => value)
}
const tenants = Object.keys(tableClasses)
  .filter((table) => tableClasses[table] === 'tenant' && table !== 'workspaces')
  .map((table) => `'${table}'`)
  .join(', ')

/** Tables of `public` without a class, and listed ones that do not exist. */
const unclassified = async (client: Queryable) => {
  const tables = await values(
    client,
    `select relname as value from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  )
  const listed = Object.keys(tableClasses)
  return [...tables.filter((table) => !listed.includes(table)), ...listed.filter((table) => !tables.includes(table))]
}

/** Primary and unique keys of tenant tables that do not begin with workspace_id. */
const wrongKeys = (client: Queryable) =>
  values(
    client,
    `select i.indexrelid::regclass::text as value from pg_index i join pg_class c on c.oid = i.indrelid
       left join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
     where c.relnamespace = 'public'::regnamespace and not c.relispartition and i.indisunique
       and c.relname in (${tenants}) and a.attname is distinct from 'workspace_id'`,
  )

/** Foreign keys between tables with a workspace that do not compare the workspaces. */
const wrongForeignKeys = (client: Queryable) =>
  values(
    client,
    `with owner as (
       select attrelid as id, attnum as key from pg_attribute
       where attname = 'workspace_id' or attrelid = 'workspaces'::regclass and attname = 'id'
     )
     select f.conname as value from pg_constraint f
       join owner o on o.id = f.conrelid join owner p on p.id = f.confrelid
     where f.contype = 'f' and f.conparentid = 0
       and not exists (
         select from unnest(f.conkey, f.confkey) as pair (mine, theirs) where pair.mine = o.key and pair.theirs = p.key
       )`,
  )

describe('the schema', () => {
  it('classifies every table, and keeps keys and foreign keys inside a workspace', async () => {
    expect(await unclassified(database.pool)).toEqual([])
    expect(await wrongKeys(database.pool)).toEqual([])
    expect(await wrongForeignKeys(database.pool)).toEqual([])
  })

  it.each<[string, string, (client: Queryable) => Promise<string[]>, string]>([
    ['a table without a class', 'create table stray (id int)', unclassified, 'stray'],
    ['a unique key across workspaces', 'create unique index stray on templates (key)', wrongKeys, 'stray'],
    [
      'a foreign key across workspaces',
      `alter table campaigns add column other_id uuid unique;
       alter table messages add constraint stray foreign key (campaign_id) references campaigns (other_id)`,
      wrongForeignKeys,
      'stray',
    ],
  ])('reports %s', async (_what, breach, find, name) => {
    const client = await database.pool.connect()
    await client.query(`begin; ${breach}`)
    expect(await find(client)).toContain(name)
    await client.query('rollback')
    client.release()
  })
})

/** Statements without a workspace, by reason and by the beginning of their text. */
const exceptions: Readonly<Record<string, readonly (readonly [file: string, start: string])[]>> = {
  'finds the workspaces of a user': [
    ['accounts/account.ts', 'select workspace_id as id from members'],
    ['accounts/identity.ts', 'select m.workspace_id as id from members'],
    ['accounts/profile.ts', 'select workspace_id from members m'],
    ['accounts/profile.ts', 'select workspace_id as id from ( select workspace_id from members m'],
  ],
  'runs in operator commands, on the whole database': [
    ['backup/frozen-queue.ts', "update deliveries set state = 'unknown'"],
    ['backup/frozen-queue.ts', 'update deliveries set next_attempt_at'],
    ['backup/frozen-queue.ts', 'update campaigns set status = ?'],
    ['backup/frozen-queue.ts', "update deliveries set state = 'cancelled'"],
    ['events/parked.ts', 'select count(*)::int as count from event_inbox'],
    ['events/parked.ts', 'update event_inbox set parked_error = null'],
    ['statistics/queue-depth.ts', 'with waiting as materialized'],
  ],
  'scans all workspaces of a shard for due work, in a background task': [
    ['messages/delivery-queue.sql.ts', 'with recursive resumed as'],
    ['messages/delivery-queue.ts', "update deliveries set state = 'queued'"],
    ['messages/delivery-queue.ts', "update deliveries set state = 'unknown'"],
    ['campaigns/campaign-scheduler.ts', 'update campaigns set deleted_at'],
    ['campaigns/campaign-scheduler.ts', 'update campaigns a set status'],
    ['campaigns/campaign-scheduler.ts', 'select workspace_id as "workspaceId", id, exists'],
    ['campaigns/campaign-scheduler.ts', 'delete from deliveries d using'],
    ['messages/delivery-queue.ts', 'select workspace_id as "workspaceId", month::text, id'],
    ['quota/mailbox-slots.ts', 'delete from mailbox_slots where holder'],
    ['campaigns/campaign-scheduler.ts', 'with gone as'],
    ['messages/delivery-queue.ts', "update deliveries set state = 'cancelled'"],
    ['statistics/statistics.ts', 'with taken as'],
    ['inbox/reader-lease.ts', 'update mailbox_readers r set lease_owner'],
    ['inbox/reader-lease.ts', 'update mailbox_readers set lease_until'],
    ['inbox/reader-lease.ts', 'select r.workspace_id as "workspaceId"'],
    [
      'inbox/reader-lease.ts',
      'update mailbox_readers set lease_owner = null, lease_token = null, lease_until = null where lease_owner',
    ],
    ['contacts/contact-action.ts', 'update bulk_actions a set lease_owner'],
    ['imports/import.ts', 'update imports i set lease_owner'],
    ['imports/import.ts', 'select from imports where'],
    ['imports/import.ts', 'with old as'],
    ['campaigns/campaign-fill.ts', 'update campaigns a set fill_owner'],
    ['events/digest-lease.ts', 'with recursive waiting as'],
    ['events/event-retention.ts', 'select id as "workspaceId", events_keep_months'],
    ['events/event-retention.ts', 'select c.relname as name from pg_inherits'],
    ['inbox/inbox-retention.ts', 'delete from inbox_mails i using'],
    ['inbox/inbox-retention.ts', 'delete from provider_message_ids'],
    ['inbox/inbox-retention.ts', 'delete from reading_counts'],
    ['inbox/inbox-retention.ts', 'delete from address_health'],
    ['segments/live-segment.ts', 'select s.workspace_id as "workspaceId"'],
    ['segments/live-segment.ts', 'select workspace_id as "workspaceId", id, rule_version'],
    ['segments/live-segment.ts', 'select exists (select from deliveries where state'],
    ['tracking/tracking-domain.ts', 'update tracking_domains t set checked_at'],
  ],
  'corrects the times of the whole database after its clock jumped': [
    ['core/clock-watch.ts', 'select (select coalesce(max(id), 0) from clock_jumps)'],
    ['core/clock-watch.ts', 'update mailbox_usage set bucket_at'],
    ['core/clock-watch.ts', 'update mailbox_slots set renewed_at'],
    ['core/clock-watch.ts', 'update deliveries set leased_at'],
    ['core/clock-watch.ts', 'update idempotency_keys set started_at'],
  ],
  'deletes expired rows of all workspaces of a shard': [
    ['core/idempotency-key.ts', 'delete from idempotency_keys where started_at'],
    ['quota/mailbox-quota.ts', 'delete from mailbox_usage'],
    ['quota/mailbox-slots.ts', 'delete from mailbox_slots where renewed_at'],
    ['campaigns/campaign-scheduler.ts', 'with ended as materialized'],
    ['messages/delivery-partitions.ts', 'insert into delivery_count_changes'],
    ['statistics/statistics.ts', 'delete from delivery_counts where quarter_at'],
    ['templates/template.ts', 'delete from templates where deleted_at'],
    ['contacts/contact-action.ts', 'delete from bulk_action_changes k using'],
    ['segments/live-segment.ts', 'delete from contact_touches t where not exists'],
    ['imports/import.ts', 'delete from ? k using imports'],
    ['blobs/blob.ts', 'delete from uploads where expires_at'],
    ['deliverability/check.ts', 'delete from deliverability_checks where started_at'],
    ['attachments/attachment.ts', 'delete from attachments a where created_at'],
    ['blobs/blob.ts', 'delete from blobs b where created_at'],
  ],
  'finds the workspace in the same statement: by a session, a key of the directory or the condition of its caller': [
    ['directory/workspace-number.ts', 'select workspace_id as id from messages where id'],
    ['embeds/embed-session.ts', 'select s.id as "sessionId"'],
    ['embeds/embed.ts', 'select ?, coalesce(('],
    ['mailboxes/mailbox.ts', 'select k.lookup_hash'],
    ['statistics/statistics.ts', 'select ?date_bin'],
  ],
  'finds tracking domains by their host, which no two workspaces use': [
    ['tracking/tracking-domain.ts', "select host from tracking_domains where state <> 'pending'"],
    ['tracking/tracking-domain.ts', 'select from tracking_domains where host'],
  ],
  'inserts rows of the workspace in $1, which the reader of statements does not see behind a join': [
    ['contacts/contact-action.ts', 'insert into bulk_action_changes (workspace_id'],
    ['contacts/contact-action.ts', 'with noted as ( insert into bulk_action_changes (workspace_id'],
  ],
  'looks up an origin in the embeds of all workspaces': [
    ['embeds/embed.ts', 'select from embeds where allowed_origins'],
  ],
}
const excepted = Object.values(exceptions).flat()

describe('the statements of the stores', () => {
  const statements = readStatements(fileURLToPath(new URL('..', import.meta.url)))

  it('name the workspace of every tenant table that they touch', () => {
    expect(statements.length).toBeGreaterThan(150)
    const isExcepted = (file: string, sql: string) =>
      excepted.some(([known, start]) => file === known && sql.startsWith(start))
    const breaches = statements
      .filter(({ file, sql }) => breachOf(sql) !== null && !isExcepted(file, sql))
      .map(({ file, sql }) => `${file}: ${breachOf(sql) ?? ''}: ${sql.slice(0, 150)}`)
    expect(breaches).toEqual([])
  })

  it('need every exception', () => {
    const unused = excepted.filter(
      ([file, start]) =>
        !statements.some((one) => one.file === file && one.sql.startsWith(start) && breachOf(one.sql) !== null),
    )
    expect(unused).toEqual([])
  })

  it.each([
    ['select subject from messages where id = $1', 'without its workspace'],
    [
      'select 1 from messages m join deliveries d on d.message_id = m.id where m.workspace_id = $1 and d.id = $2',
      'deliveries without its workspace',
    ],
    [
      'select 1 from messages m join deliveries d on d.workspace_id = m.workspace_id where m.id = $1',
      'joins rows of equal workspaces, but names none',
    ],
    ['update templates t set name = $1 where t.id = $2', 'without its workspace'],
    ['delete from drafts where user_id = $1', 'without its workspace'],
    ['insert into templates (id, key) values ($1, $2)', 'without workspace_id'],
    ['insert into templates (id, key) select id, key from unnest($1) as t (id, key)', 'without workspace_id'],
    ['update deliveries set lease_token = gen_random_uuid() where workspace_id = $1', 'volatile'],
  ])('fail for a planted violation: %s', (sql, breach) => {
    expect(breachOf(sql)).toContain(breach)
  })

  it.each([
    'select name from templates where workspace_id = $1 and id = $2',
    'select from messages m join deliveries d on d.workspace_id = $1 and d.message_id = m.id where m.workspace_id = $1',
    'insert into templates (workspace_id, id) values ($1, $2)',
    'select from users where id = $1',
  ])('pass with %s', (sql) => {
    expect(breachOf(sql)).toBeNull()
  })
})
