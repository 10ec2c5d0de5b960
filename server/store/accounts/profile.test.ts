import { expect, it } from 'vitest'
import { createUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'
import { openDatabase } from '../core/database.ts'
import { createProfileStore, tablesWithoutKey } from './profile.ts'
import type { AccountMails } from './account-mails.ts'

const server = await useServer()

it('a closed account is deleted with its data after the retention period, and not before', async () => {
  const user = await createUser(server)
  const other = await createUser(server)
  const body = { recipient_list: ['a@example.com'], subject: 'Hi', content: 'Hi' }
  await server.call('POST', `/email/send-mail/${user.secretKey}`, { token: user.token, body })
  await server.call('POST', '/email/contacts', { token: user.token, body: { email: 'bo@example.com' } })
  const [workspace] = await server.sql<{ id: string }>('select workspace_id as id from email_configs where id = $1', [
    user.mailboxId,
  ])
  await server.sql('insert into contact_touches (workspace_id, contact_id) values ($1, 1)', [workspace?.id])
  await server.sql(
    "insert into campaign_recipients (workspace_id, campaign_id, address_hash) values ($1, gen_random_uuid(), 'a')",
    [workspace?.id],
  )
  expect(await rowsOf(workspace?.id)).toMatchObject({ contacts: 1, contact_touches: 1, campaign_recipients: 1 })
  await server.call('POST', '/auth/close-account', { token: user.token, body: { password: user.password } })
  const database = openDatabase({ url: server.database.url }, () => undefined)
  const profiles = createProfileStore(database, {} as AccountMails)
  const closeBefore = (age: string) =>
    server.sql('update users set closed_at = now() - $2::interval where closed_email = $1', [user.email, age])
  await closeBefore('29 days 23:59')
  expect(await profiles.deleteClosed()).toBe(0)
  await closeBefore('30 days')
  expect(await profiles.deleteClosed()).toBe(1)
  await database.close()
  const left = await server.sql(
    `select (select count(*) from users where closed_at is not null) as users,
       (select count(*) from email_configs where id = $1) as mailboxes,
       (select count(*) from deliveries where config_id = $1) as deliveries,
       (select count(*) from email_configs where id = $2) as others`,
    [user.mailboxId, other.mailboxId],
  )
  expect(left).toEqual([{ users: 0, mailboxes: 0, deliveries: 0, others: 1 }])
  expect(await rowsOf(workspace?.id)).toEqual({})
})

/** Rows of a workspace by table, those without any left out. */
async function rowsOf(workspaceId: string | undefined): Promise<Record<string, number>> {
  const tables = await server.sql<{ name: string }>(
    `select c.table_name as name from information_schema.columns c join pg_class t on t.relname = c.table_name
     where c.column_name = 'workspace_id' and c.table_schema = 'public' and not t.relispartition and t.relkind in ('r', 'p')`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await server.sql<{ count: number }>(
      `select count(*)::int as count from ${name} where workspace_id = $1`,
      [workspaceId],
    )
    if ((row?.count ?? 0) > 0) counts[name] = row?.count ?? 0
  }
  return counts
}

it('deletes the rows of every table that no foreign key deletes with a workspace', async () => {
  const tables = await server.sql<{ name: string }>(
    `select t.relname as name from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attname = 'workspace_id'
     where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
       and not exists (select from pg_constraint k where k.conrelid = t.oid and k.contype = 'f' and k.confdeltype in ('c', 'n'))
     order by 1`,
  )
  // Messages and deliveries are deleted first, directories with what they name, idempotency keys after a day.
  const elsewhere = ['deliveries', 'idempotency_keys', 'key_directory', 'messages', 'workspace_directory']
  const names = tables.map(({ name }) => name).filter((name) => !elsewhere.includes(name))
  expect(names).toEqual(tablesWithoutKey.toSorted())
})

it('deleting a closed account waits for a message that is being written, and deletes it too', async () => {
  const user = await createUser(server)
  await server.call('POST', '/auth/close-account', { token: user.token, body: { password: user.password } })
  await server.sql("update users set closed_at = now() - interval '31 days' where closed_email = $1", [user.email])
  const database = openDatabase({ url: server.database.url }, () => undefined)
  const writing = await database.pool.connect()
  await writing.query('begin')
  await writing.query(
    `with mailbox as (
       select id, workspace_id from email_configs where id = $1 for key share
     ), message as (
       insert into messages (id, workspace_id, config_id, from_address, subject, content, is_html, context)
       select gen_random_uuid(), workspace_id, id, 'a@example.com', 'Hi', 'Hi', false, '{}' from mailbox
       returning id, workspace_id, config_id
     )
     insert into deliveries (month, workspace_id, message_id, config_id, recipient)
     select date_trunc('month', now() at time zone 'utc')::date, workspace_id, id, config_id, 'b@example.com' from message`,
    [user.mailboxId],
  )
  const deleting = createProfileStore(database, {} as AccountMails).deleteClosed()
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await database.pool.query(waiting)).rowCount).toBe(1)
  await writing.query('commit')
  writing.release()
  expect(await deleting).toBe(1)
  await database.close()
  const left = await server.sql(
    `select (select count(*) from messages where config_id = $1) as messages,
       (select count(*) from deliveries where config_id = $1) as deliveries`,
    [user.mailboxId],
  )
  expect(left).toEqual([{ messages: 0, deliveries: 0 }])
})
