import { expect, it } from 'vitest'
import { createUser } from '../support/accounts.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { startTestServer } from '../support/server.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('SCHEDULING-09 A scheduled message leaves once after a restart of the server at its time.', async () => {
  await using folder = await temporaryFolder()
  const sink = await startSmtpSink()
  const environment = { DATA_DIR: folder.path, SMTP_ALLOW: `127.0.0.1:${sink.port}` }
  const database = await createTestDatabase()
  const first = await startTestServer(environment, { database: { ...database, drop: () => Promise.resolve() } })
  const user = await createUser(first)
  const at = { smtp_host: '127.0.0.1', smtp_port: sink.port, smtp_security: 'none' }
  const config = { email_address: 'studio@example.com', provider: 'other', app_password: 'x', ...at }
  const mailbox = (await first.call('POST', '/email/config', { token: user.token, body: config })).body as {
    secret_key: string
  }
  const leaves = Date.now() + 6000
  const mail = { recipient_list: ['later@example.com'], subject: 'Hi', content: '<p>Hello</p>' }
  const sent = await first.call('POST', `/email/send-mail/${mailbox.secret_key}`, {
    token: user.token,
    body: { ...mail, scheduled_at: new Date(leaves).toISOString() },
  })
  expect(sent.status).toBe(200)
  await first[Symbol.asyncDispose]()
  // Its time passes while no server runs.
  await expect.poll(() => Date.now()).toBeGreaterThan(leaves)
  expect(sink.mails).toEqual([])

  await using second = await startTestServer(environment, { database })
  await expect.poll(() => sink.recipients()).toEqual(['later@example.com'])
  // A mail that is sent afterwards leaves after it: nothing else waits.
  const next = { ...mail, recipient_list: ['next@example.com'] }
  await second.call('POST', `/email/send-mail/${mailbox.secret_key}`, { token: user.token, body: next })
  await expect.poll(() => sink.recipients()).toEqual(['later@example.com', 'next@example.com'])
  const states = await second.sql(
    "select state from deliveries where recipient in ('later@example.com', 'next@example.com')",
  )
  expect(states).toEqual([{ state: 'sent' }, { state: 'sent' }])
  await sink.close()
}, 90_000)
