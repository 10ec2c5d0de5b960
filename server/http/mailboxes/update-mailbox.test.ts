import { beforeEach, describe, expect, it } from 'vitest'
import type { ConfigUsage } from '../../../contract/mail/config.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { startTestServer, useServer } from '../../../tests/support/server.ts'
import { startSmtpSink } from '../../../tests/support/smtp-sink.ts'

let user: TestUser
const server = await useServer()
beforeEach(async () => {
  user = await createUser(server)
})

const change = (body: object, { mailboxId, token } = user) =>
  server.call('PATCH', `/email/configs/${mailboxId}`, { token, body })
const rotate = ({ mailboxId, token } = user) => server.call('POST', `/email/configs/${mailboxId}/secret-key`, { token })
const send = (key: string, recipient = 'a@example.com') =>
  server.call('POST', `/api/send-mail/${key}`, {
    body: { recipient_list: [recipient], subject: 'Hello', content: 'Hi' },
    headers: { prefer: 'wait=10' },
  })
const usage = async (token = user.token) =>
  (await server.call('GET', '/email/configs/usage', { token })).body as ConfigUsage[]

describe('pausing a mailbox', () => {
  it('rejects sends until it is resumed, and reports the reason', async () => {
    expect((await change({ status: 'paused' })).body).toMatchObject({ id: user.mailboxId, status: 'paused' })
    const refused = await send(user.secretKey)
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('is paused') } })
    expect((await change({ status: 'active' })).body).toMatchObject({ status: 'active', pause_reason: null })
    expect((await send(user.secretKey)).status).toBe(200)
  })

  it('keeps queued mail, and sends it once it is resumed', async () => {
    await change({ status: 'paused' })
    await server.sql(
      `with message as (
         insert into messages (id, workspace_id, config_id, from_address, subject, content, is_html, context)
         select gen_random_uuid(), workspace_id, id, email_address, 'Waiting', 'c', false, '{}' from email_configs where id = $1
         returning id, workspace_id, config_id
       ) insert into deliveries (month, workspace_id, message_id, config_id, recipient)
         select date_trunc('month', now() at time zone 'utc')::date, workspace_id, id, config_id, 'waits@example.com' from message`,
      [user.mailboxId],
    )
    expect((await change({ status: 'active' })).status).toBe(200)
    await server.mailsTo('waits@example.com')
  })

  it('cannot resume one whose secrets cannot be opened', async () => {
    await server.sql("update email_configs set secret_key_sealed = '\\x00' where id = $1", [user.mailboxId])
    const answer = await change({ status: 'active' })
    expect(answer).toMatchObject({ status: 409, body: { detail: expect.stringContaining('Connect it again') } })
  })

  it.each([
    [{ status: 'deleted' }, 'status'],
    [{ limit_per_day: 0 }, 'limit_per_day', 'limit_per_day is too small; send 1 or more'],
    [{ limit_per_day: 2 ** 31 }, 'limit_per_day', 'limit_per_day is too large; send 2147483647 or less'],
    [{ limit_per_minute: 'many' }, 'limit_per_minute', 'limit_per_minute has the wrong type; send a whole number'],
    [{ limit_connections: 101 }, 'limit_connections', 'limit_connections is too large; send 100 or less'],
  ])('%j returns 422', async (body, field, msg = expect.any(String) as string) => {
    const answer = await change(body)
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toEqual([{ loc: ['body', field], msg, type: expect.any(String) }])
  })
})

describe('a new secret key', () => {
  it('is valid at once, and the old one for 24 hours more', async () => {
    const answer = await rotate()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const key = answer.body.secret_key as string
    expect(key).toMatch(/^ck_[\w-]{43}$/)
    expect(key).not.toBe(user.secretKey)
    expect([(await send(key)).status, (await send(user.secretKey)).status]).toEqual([200, 200])
    const [row] = await server.sql<{ hours: number }>(
      'select extract(epoch from old_key_until - now())::float8 / 3600 as hours from email_configs where id = $1',
      [user.mailboxId],
    )
    expect(row?.hours).toBeCloseTo(24, 1)
    await server.sql("update email_configs set old_key_until = now() - interval '1 second' where id = $1", [
      user.mailboxId,
    ])
    expect([(await send(key)).status, (await send(user.secretKey)).status]).toEqual([200, 404])
  })

  it('revokes the key before the previous one', async () => {
    await rotate()
    await rotate()
    expect((await send(user.secretKey)).status).toBe(404)
  })
})

it('H18 another workspace can neither pause a mailbox nor change its key', async () => {
  const other = await createUser(server)
  const theirs = { ...other, mailboxId: user.mailboxId }
  const nothing = { ...other, mailboxId: '00000000-0000-4000-8000-00000000dead' }
  expect((await change({ status: 'paused' }, theirs)).text).toBe((await change({ status: 'paused' }, nothing)).text)
  expect((await rotate(theirs)).text).toBe((await rotate(nothing)).text)
  expect((await rotate({ ...other, mailboxId: "x' or 1=1" })).status).toBe(404)
  expect((await send(user.secretKey)).status).toBe(200)
  expect((await usage(other.token)).map(({ id }) => id)).toEqual([other.mailboxId])
})

describe('the usage of a mailbox', () => {
  it('counts its sent mail, with its own limits or its provider’s', async () => {
    await send(user.secretKey)
    await change({ limit_per_day: 2000 })
    expect(await usage()).toEqual([
      {
        id: user.mailboxId,
        minute_count: 1,
        minute_limit: null,
        day_count: 1,
        day_limit: 2000,
        connection_limit: 3,
        own_limits: { limit_per_minute: null, limit_per_day: 2000, limit_connections: null },
        provider_limits: { limit_per_minute: null, limit_per_day: null, limit_connections: 3 },
        last_error: null,
      },
    ])
    await server.sql("update email_configs set provider = 'gmail', email_address = 'a@gmail.com' where id = $1", [
      user.mailboxId,
    ])
    await change({ limit_per_day: null })
    expect(await usage()).toMatchObject([{ day_limit: 450 }])
  })

  it('has custom limits until they are reset', async () => {
    const own = { limit_per_minute: 12, limit_per_day: 345, limit_connections: 2 }
    await change(own)
    expect(await usage()).toMatchObject([{ minute_limit: 12, day_limit: 345, connection_limit: 2, own_limits: own }])
    await change({ limit_connections: null, limit_per_minute: null })
    expect(await usage()).toMatchObject([{ minute_limit: null, day_limit: 345, connection_limit: 3 }])
  })

  it('contains the newest refusal of the last seven days', async () => {
    const sink = await startSmtpSink({ onRecipient: () => '550 5.1.1 No such user' })
    await using refusing = await startTestServer({ SMTP_ALLOW: `127.0.0.1:${sink.port}` })
    const owner = await createUser(refusing)
    const { body: config } = await refusing.call('POST', '/email/config', {
      token: owner.token,
      body: {
        email_address: 'me@own.example',
        provider: 'other',
        app_password: 'x',
        smtp_host: '127.0.0.1',
        smtp_port: sink.port,
        smtp_security: 'none',
      },
    })
    const body = { recipient_list: ['nobody@example.com'], subject: 'Hello', content: 'Hi' }
    await refusing.call('POST', `/email/send-mail/${config.secret_key as string}`, { token: owner.token, body })
    const read = async () =>
      (await refusing.call('GET', '/email/configs/usage', { token: owner.token })).body as ConfigUsage[]
    expect((await read())[1]?.last_error).toMatchObject({
      reply: expect.stringContaining('No such user'),
      recipient: 'nobody@example.com',
    })
    await refusing.sql("update deliveries set settled_at = now() - interval '8 days' where state = 'failed'")
    expect((await read())[1]?.last_error).toBeNull()
    await sink.close()
  })
})

describe('the mail server lookup of an address', () => {
  const discover = (address: string) =>
    server.call('POST', '/email/config/discover', { token: user.token, body: { email_address: address } })

  it('returns null when the domain publishes nothing', async () => {
    expect(await discover('me@nothing.invalid')).toMatchObject({ status: 200, body: { server: null } })
  })

  it('requires one address', async () => {
    const answer = await discover('a@example.com, b@example.com')
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0].loc).toEqual(['body', 'email_address'])
  })

  it('H22 is limited to 60 requests in a quarter of an hour', async () => {
    const answers: number[] = []
    for (let count = 0; count < 61; count++) answers.push((await discover('me@[127.0.0.1')).status)
    expect(new Set(answers)).toEqual(new Set([422]))
    for (let count = 0; count < 61; count++) answers.push((await discover('me@nothing.invalid')).status)
    expect(answers.filter((status) => status === 200)).toHaveLength(60)
    expect(answers.at(-1)).toBe(429)
  })
})

it('offers a sign-in with the providers at which the operator has registered', async () => {
  expect((await server.call('GET', '/email/config/sign-in', { token: user.token })).body).toEqual([])
  await using set = await startTestServer({ GOOGLE_MAIL_CLIENT_ID: 'id', GOOGLE_MAIL_CLIENT_SECRET: 'secret' })
  const { token } = await createUser(set)
  expect((await set.call('GET', '/email/config/sign-in', { token })).body).toEqual(['gmail'])
})
