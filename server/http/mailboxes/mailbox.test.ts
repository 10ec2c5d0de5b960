import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { startSmtpSink, type SmtpSink } from '../../../tests/support/smtp-sink.ts'

let sink: SmtpSink
let server: TestServer
let user: TestUser

beforeAll(async () => {
  sink = await startSmtpSink({
    onLogin: (_user, password) =>
      password === 'right' || password === 'also right' ? undefined : '535 5.7.8 Bad credentials',
  })
  server = await startTestServer({ SMTP_ALLOW: `127.0.0.1:${sink.port}` })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await sink.close()
})
beforeEach(async () => {
  user = await createUser(server)
})

const mailbox = (changes: object = {}) => ({
  email_address: 'studio@northwind.example',
  provider: 'other',
  app_password: 'right',
  smtp_host: '127.0.0.1',
  smtp_port: sink.port,
  smtp_security: 'none',
  ...changes,
})
const add = (changes: object = {}, token = user.token) =>
  server.call('POST', '/email/config', { token, body: mailbox(changes) })
const list = (token = user.token) => server.call('GET', '/email/configs', { token })

describe('connecting a mailbox', () => {
  it('API-EMAIL-01 API-EMAIL-02 API-EMAIL-03 signs in to the mail server, saves, and returns a secret key', async () => {
    const { status, body, headers } = await add()
    expect(status).toBe(201)
    expect(Object.keys(body as object)).toEqual([
      'id',
      'email_address',
      'provider',
      'secret_key',
      'status',
      'pause_reason',
      'created_at',
    ])
    expect(body).toMatchObject({
      email_address: 'studio@northwind.example',
      provider: 'other',
      status: 'active',
      pause_reason: null,
    })
    expect(body.secret_key).toMatch(/^ck_[\w-]{43}$/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(sink.logins.at(-1)).toMatchObject({ user: 'studio@northwind.example', password: 'right' })
  })

  it('successful attempts are not limited', async () => {
    for (let times = 0; times < 25; times++) expect((await add()).status).toBe(201)
  })

  it('a rejected sign-in is explained in plain English, and nothing is saved', async () => {
    const { status, body } = await add({ app_password: 'wrong' })
    expect(status).toBe(400)
    expect(body.detail).toMatch(/password/i)
    expect(body.detail).toContain('535')
    expect((await list()).body).toHaveLength(1)
  })

  it('an unreachable mail server is explained in plain English, and nothing is saved', async () => {
    const closed = await startSmtpSink()
    await closed.close()
    const { status, body } = await add({ smtp_port: closed.port })
    expect(status).toBe(400)
    expect(body.detail).toMatch(/port/i)
    expect((await list()).body).toHaveLength(1)
  })

  it('H23 a mail server without the requested STARTTLS gets no password, and nothing is saved', async () => {
    const loginsBefore = sink.logins.length
    const { status } = await add({ smtp_security: 'starttls' })
    expect(status).toBe(400)
    expect(sink.logins).toHaveLength(loginsBefore)
    expect((await list()).body).toHaveLength(1)
  })

  it('the same mailbox again stores the new password and keeps its id and secret key', async () => {
    const first = await add()
    const again = await add({ app_password: 'also right', email_address: ' Studio@Northwind.example ' })
    expect(again.status).toBe(201)
    expect(again.body).toEqual(first.body)
    expect(await addTwiceAtOnce()).toEqual([first.body.id, first.body.id])

    async function addTwiceAtOnce() {
      return (await Promise.all([add(), add()])).map(({ body }) => body.id as string)
    }
  })

  it('H25 a hundred guesses are soon rejected with 429, the mail server receives few of them, and other users can connect theirs', async () => {
    const loginsBefore = sink.logins.length
    const address = 'guessed@northwind.example'
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => add({ email_address: address, app_password: `guess ${at}` })),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(80)
    expect(refused.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true)
    expect(sink.logins.length - loginsBefore).toBe(20)
    expect((await add({ email_address: address })).status).toBe(429)
    const otherUser = await createUser(server)
    expect((await add({ email_address: address }, otherUser.token)).status).toBe(429)
    expect((await add({ email_address: 'theirs@northwind.example' }, otherUser.token)).status).toBe(201)
  })

  it('the sandbox mailbox accepts any app password', async () => {
    const { body } = await list()
    expect(body).toMatchObject([{ email_address: 'sandbox@localhost', provider: 'other', status: 'active' }])
  })

  it.each([
    ['127.0.0.1, which the operator does not name', { smtp_host: '127.0.0.1', smtp_port: 587 }],
    ['localhost', { smtp_host: 'localhost', smtp_port: 465 }],
    ['a link-local address', { smtp_host: '169.254.169.254', smtp_port: 587 }],
    ['a mapped address', { smtp_host: '[::ffff:10.0.0.1]', smtp_port: 587 }],
    ['a private address', { smtp_host: '10.1.2.3', smtp_port: 465 }],
    ['another port', { smtp_host: 'smtp.example.com', smtp_port: 25 }],
  ])('H22 does not connect to %s', async (_what, where) => {
    const { status, body } = await add({ ...where, smtp_security: undefined })
    expect(status).toBe(400)
    expect(body.detail).toBeTypeOf('string')
  })

  it('TRIAL-52 a private host and one that does not exist get the same response', async () => {
    const hosts = ['10.1.2.3', 'localhost', '169.254.169.254', '[fd00::1]', 'none.invalid', 'no host at all']
    const answers = []
    for (const smtpHost of hosts) {
      answers.push(await add({ smtp_host: smtpHost, smtp_port: 465, smtp_security: undefined }))
    }
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set([
        `400 ${JSON.stringify({
          detail:
            'No public mail server has this name. Check the spelling in “Mail server” and enter the name that the provider publishes.',
        })}`,
      ]),
    )
  })

  it.each([
    ['no address', { email_address: undefined }, ['body', 'email_address'], 'missing'],
    ['two addresses', { email_address: 'a@example.com, b@example.com' }, ['body', 'email_address'], 'address_several'],
    ['an unknown provider', { provider: 'aol' }, ['body', 'provider'], 'enum'],
    ['no app password', { app_password: '' }, ['body', 'app_password'], 'too_short'],
    ['a number as app password', { app_password: 1234 }, ['body', 'app_password'], 'string_type'],
    ['no mail server', { smtp_host: undefined }, ['body', 'smtp_host'], 'missing'],
    ['a port that is none', { smtp_port: 70000 }, ['body', 'smtp_port'], 'too_large'],
  ])('%s returns 422', async (_what, changes, loc, type) => {
    const { status, body } = await add(changes)
    expect(status).toBe(422)
    expect(body.detail).toMatchObject([{ loc, type }])
  })

  it.each(['abcd\r\nefgh', 'abcd\nefgh', 'abcd\0efgh', 'abcd\u2028efgh'])(
    'H24 an app password with a control character is rejected: %j',
    async (password) => {
      const { status, body } = await add({ app_password: password })
      expect(status).toBe(422)
      expect(body.detail).toMatchObject([
        { loc: ['body', 'app_password'], type: expect.stringMatching(/^(app_password_control|character)$/) },
      ])
    },
  )

  it('H24 H57 the app password is in no row, response, error or log line', async () => {
    const canary = 'canary-app-password-1'
    const refused = await add({ app_password: canary })
    await server.sql('update email_configs set status = status')
    const rows = await server.sql<{ text: string }>('select email_configs::text as text from email_configs')
    await add()
    const everything = [refused.text, server.logged(), ...rows.map(({ text }) => text), (await list()).text].join()
    expect(everything).not.toContain(canary)
    expect(everything).not.toContain(Buffer.from(canary).toString('base64'))
    expect(everything).not.toContain(Buffer.from(canary).toString('hex'))
  })
})

describe('the mailboxes of a workspace', () => {
  it('API-EMAIL-04 API-EMAIL-05 H26 are listed oldest first, without app passwords, and with no-store', async () => {
    await add()
    const { status, body, headers, text } = await list()
    expect(status).toBe(200)
    expect(body.map((config: { email_address: string }) => config.email_address)).toEqual([
      'sandbox@localhost',
      'studio@northwind.example',
    ])
    expect(headers.get('x-total-count')).toBe('2')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text).not.toContain('password')
  })

  it('limit and offset page through them; an invalid value returns 422', async () => {
    await add()
    const page = await server.call('GET', '/email/configs?limit=1&offset=1', { token: user.token })
    expect(page.body).toMatchObject([{ email_address: 'studio@northwind.example' }])
    expect(page.headers.get('x-total-count')).toBe('2')
    for (const query of [
      'limit=0',
      'limit=501',
      'limit=x',
      'offset=-1',
      'limit=1e9',
      'offset=NaN',
      'limit=1&limit=2',
    ]) {
      const { status, body } = await server.call('GET', `/email/configs?${query}`, { token: user.token })
      expect([query, status]).toEqual([query, 422])
      expect(body.detail[0].loc[0]).toBe('query')
    }
  })

  it('API-EMAIL-06 one is deleted by its id, with its secrets, and its key is rejected', async () => {
    const { body: config } = await add()
    expect((await server.call('DELETE', `/email/configs/${config.id}`, { token: user.token })).status).toBe(204)
    expect((await list()).body).toHaveLength(1)
    const [row] = await server.sql(
      'select app_password_sealed, secret_key_sealed, secret_key_lookup from email_configs where id = $1',
      [config.id],
    )
    expect(row).toEqual({ app_password_sealed: null, secret_key_sealed: null, secret_key_lookup: null })
    const mail = { recipient_list: ['a@example.com'], subject: 's', content: 'c' }
    expect((await server.call('POST', `/api/send-mail/${config.secret_key}`, { body: mail })).status).toBe(404)
    expect((await server.call('DELETE', `/email/configs/${config.id}`, { token: user.token })).status).toBe(404)
  })

  it('deleting one cancels its queued deliveries', async () => {
    const mail = { recipient_list: ['a@example.com', 'b@example.com'], subject: 's', content: 'c' }
    await server.sql(
      "update email_configs set status = 'paused', paused_until = now() + interval '1 hour' where id = $1",
      [user.mailboxId],
    )
    const { body: sent } = await server.call('POST', `/api/send-mail/${user.secretKey}`, { body: mail })
    await server.call('DELETE', `/email/configs/${user.mailboxId}`, { token: user.token })
    const { body: message } = await server.call('GET', `/email/messages/${sent.id}`, { token: user.token })
    expect(message.counts).toMatchObject({ cancelled: 2, queued: 0 })
  })

  it('a paused one reports the reason, and rejects sends until it is connected again', async () => {
    await server.sql(
      "update email_configs set status = 'paused', pause_reason = 'The password was refused.' where id = $1",
      [user.mailboxId],
    )
    expect((await list()).body).toMatchObject([{ status: 'paused', pause_reason: 'The password was refused.' }])
    const mail = { recipient_list: ['a@example.com'], subject: 's', content: 'c' }
    const refused = await server.call('POST', `/api/send-mail/${user.secretKey}`, { body: mail })
    expect(refused).toMatchObject({ status: 409 })
    expect(refused.body.detail).toContain('The password was refused.')
    await add({ email_address: 'sandbox@localhost', smtp_host: undefined })
    expect((await list()).body).toMatchObject([{ status: 'active', pause_reason: null }])
  })

  it('H27 a row whose secrets were swapped with another row’s is marked, not used, and crashes nothing', async () => {
    const { body: config } = await add()
    await server.sql(
      'update email_configs set secret_key_sealed = (select secret_key_sealed from email_configs where id = $1) where id = $2',
      [user.mailboxId, config.id],
    )
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(body[1]).toMatchObject({
      secret_key: null,
      status: 'paused',
      pause_reason: expect.stringContaining('Connect it again'),
    })
    const { body: repaired } = await add()
    expect(repaired).toMatchObject({ id: config.id, status: 'active', secret_key: expect.stringMatching(/^ck_/) })
  })
})

describe('a mailbox whose app password does not open', () => {
  it('H27 is paused with the remedy at its next send, and sends queued mail when it is connected again', async () => {
    const { body: config } = await add()
    await server.sql(
      `update email_configs set app_password_sealed = (select app_password_sealed from email_configs where id = $1)
       where id = $2`,
      [user.mailboxId, config.id],
    )
    const to = 'waits@example.com'
    const mail = { recipient_list: [to], subject: 's', content: 'c' }
    const sent = await server.call('POST', `/api/send-mail/${config.secret_key}`, { body: mail })
    expect(sent.status).toBe(200)
    await expect
      .poll(async () => (await list()).body[1], { interval: 50 })
      .toMatchObject({ status: 'paused', pause_reason: expect.stringContaining('Connect it again') })
    await add()
    await expect.poll(() => sink.recipients(), { interval: 50 }).toContain(to)
  })
})

describe('another workspace', () => {
  it('API-EMAIL-23 H18 cannot see or delete a mailbox: its id returns 404', async () => {
    const otherUser = await createUser(server)
    const foreign = await server.call('DELETE', `/email/configs/${user.mailboxId}`, { token: otherUser.token })
    const missing = await server.call('DELETE', `/email/configs/00000000-0000-4000-8000-00000000dead`, {
      token: otherUser.token,
    })
    expect([foreign.status, foreign.text]).toEqual([404, missing.text])
    expect((await list(otherUser.token)).text).not.toContain(user.mailboxId)
    expect((await list()).body).toHaveLength(1)
  })

  it.each(['..%2f..', '%2e%2e', '1%20OR%201=1', 'x'.repeat(500), '__proto__', '%00', "'", '0'])(
    'H21 the id %s returns 404',
    async (id) => {
      expect((await server.call('DELETE', `/email/configs/${id}`, { token: user.token })).status).toBe(404)
    },
  )

  it('H21 an id of ten thousand characters returns 404', async () => {
    expect((await server.call('DELETE', `/email/configs/${'9'.repeat(10_000)}`, { token: user.token })).status).toBe(
      404,
    )
  })
})
