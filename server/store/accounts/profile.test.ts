import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUpUser, startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { openDatabase } from '../core/database.ts'
import { createProfileStore } from './profile.ts'
import type { AccountMails } from './account-mails.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

it('a closed account is deleted with its data after the retention period, and not before', async () => {
  const user = await signUpUser(server)
  const other = await signUpUser(server)
  const body = { recipient_list: ['a@example.com'], subject: 'Hi', content: 'Hi' }
  await server.call('POST', `/email/send-mail/${user.secretKey}`, { token: user.token, body })
  await server.call('POST', '/auth/close-account', { token: user.token, body: { password: user.password } })
  const database = openDatabase({ url: server.database.url }, () => undefined)
  const profiles = createProfileStore(database, {} as AccountMails)
  expect(await profiles.deleteClosed(30)).toBe(0)
  await server.sql("update users set closed_at = now() - interval '31 days' where closed_email = $1", [user.email])
  expect(await profiles.deleteClosed(30)).toBe(1)
  await database.close()
  const left = await server.sql(
    `select (select count(*) from users where closed_at is not null) as users,
       (select count(*) from email_configs where id = $1) as mailboxes,
       (select count(*) from deliveries where config_id = $1) as deliveries,
       (select count(*) from email_configs where id = $2) as others`,
    [user.mailboxId, other.mailboxId],
  )
  expect(left).toEqual([{ users: 0, mailboxes: 0, deliveries: 0, others: 1 }])
})

it('deleting a closed account waits for a message that is being written, and deletes it too', async () => {
  const user = await signUpUser(server)
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
  const deleting = createProfileStore(database, {} as AccountMails).deleteClosed(30)
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
