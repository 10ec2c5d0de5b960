import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { startSmtpSink, type SmtpSink } from '../../../tests/support/smtp-sink.ts'

let sink: SmtpSink
let server: TestServer
let user: TestUser
let otherUser: TestUser

beforeAll(async () => {
  sink = await startSmtpSink({ onRecipient: (address) => (address.startsWith('no-') ? '550 5.1.1 No' : undefined) })
  server = await startTestServer({ SMTP_ALLOW: `127.0.0.1:${sink.port}` })
  user = await createUser(server)
  otherUser = await createUser(server)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await sink.close()
})

let count = 0
const fresh = () => `key-${++count}`
const mail = (changes: object = {}) => ({
  recipient_list: [`someone${++count}@example.com`],
  subject: 'Hello',
  content: 'Good morning.',
  ...changes,
})
const send = (key: string, body: object, { secretKey } = user) =>
  server.call('POST', `/api/send-mail/${secretKey}`, { body, headers: { 'idempotency-key': key } })
const countMessages = async () =>
  (await server.sql<{ count: number }>('select count(*)::int as count from messages'))[0]!.count

describe('an Idempotency-Key', () => {
  it('H35 twice with the same body sends once and returns the same response', async () => {
    const [key, body] = [fresh(), mail()]
    const first = await send(key, body)
    const second = await send(key, body)
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.text).toBe(first.text)
    expect([first.headers.get('idempotency-replayed'), second.headers.get('idempotency-replayed')]).toEqual([
      null,
      'true',
    ])
    const [to] = body.recipient_list as [string]
    expect(await server.mailsTo(to)).toHaveLength(1)
  })

  it('H35 fifty times concurrently sends once; each response is that one, or reports a call in progress', async () => {
    const [key, body] = [fresh(), mail()]
    const before = await countMessages()
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(key, body)))
    const taken = answers.filter(({ status }) => status === 200)
    const busy = answers.filter(({ status }) => status === 409)
    expect(taken.length + busy.length).toBe(50)
    expect(new Set(taken.map(({ text }) => text)).size).toBe(1)
    expect(busy.every(({ headers }) => headers.get('retry-after') === '1')).toBe(true)
    expect(await countMessages()).toBe(before + 1)
    expect((await send(key, body)).status).toBe(200)
  })

  it('H35 with another body, or another query, returns 422 and sends nothing', async () => {
    const key = fresh()
    await send(key, mail())
    const before = await countMessages()
    const other = await send(key, mail())
    expect([other.status, other.body.detail]).toEqual([
      422,
      [{ loc: ['header', 'idempotency-key'], msg: expect.any(String), type: 'idempotency_key_reused' }],
    ])
    expect(await countMessages()).toBe(before)
  })

  it('of another caller is another key', async () => {
    const [key, body] = [fresh(), mail()]
    const first = await send(key, body)
    const theirs = await send(key, body, otherUser)
    expect(theirs.status).toBe(200)
    expect(theirs.body.id).not.toBe(first.body.id)
  })

  it('of a rejected call is free again', async () => {
    const key = fresh()
    expect((await send(key, mail({ recipient_list: ['nobody'] }))).status).toBe(422)
    expect((await send(key, mail())).status).toBe(200)
  })

  it('has up to 255 characters', async () => {
    expect((await send(fresh().padEnd(255, 'x'), mail())).status).toBe(200)
  })

  it.each(['a b', 'ümlaut', 'x'.repeat(256)])('%j is invalid', async (key) => {
    const { status, body } = await server.call('POST', `/api/send-mail/${user.secretKey}`, {
      body: mail(),
      headers: { 'idempotency-key': encodeURIComponent(key) === key ? key : Buffer.from(key).toString('latin1') },
    })
    expect([status, body.detail]).toEqual([
      422,
      [{ loc: ['header', 'idempotency-key'], msg: expect.any(String), type: 'idempotency_key' }],
    ])
  })

  it('stores a mail server’s refusal: the same call is not sent again', async () => {
    const { body: config } = await server.call('POST', '/email/config', {
      token: user.token,
      body: {
        email_address: 'ann@example.com',
        provider: 'other',
        app_password: 'x',
        smtp_host: '127.0.0.1',
        smtp_port: sink.port,
        smtp_security: 'none',
      },
    })
    const headers = { 'idempotency-key': fresh() }
    const body = mail({ recipient_list: ['no-one@example.com'] })
    const path = `/email/send-mail/${(config as { secret_key: string }).secret_key}`
    const first = await server.call('POST', path, { token: user.token, body, headers })
    const before = await countMessages()
    const second = await server.call('POST', path, { token: user.token, body, headers })
    expect([first.status, second.status]).toEqual([502, 502])
    expect(second.text).toBe(first.text)
    expect(await countMessages()).toBe(before)
  })

  it('of a crashed process is taken over after the commit: the existing message is not created again', async () => {
    const [key, body] = [fresh(), mail()]
    const first = await send(key, body)
    // The state left by a process that crashes between the commit and the response.
    await server.sql(`update idempotency_keys set state = 'started', answer_sealed = null where key = $1`, [key])
    expect((await send(key, body)).status).toBe(409)
    await server.sql(`update idempotency_keys set started_at = now() - interval '61 seconds' where key = $1`, [key])
    const before = await countMessages()
    const again = await send(key, body)
    // An estimate depends on the time.
    expect([again.status, again.body]).toEqual([200, { ...first.body, finishes_at: expect.any(String) }])
    expect(await countMessages()).toBe(before)
  })

  describe('on other calls that create or send', () => {
    const keyed = (path: string, key: string, options: { body?: object; raw?: string; type?: string }) =>
      server.call('POST', path, {
        token: user.token,
        ...(options.body && { body: options.body }),
        ...(options.raw !== undefined && { raw: options.raw }),
        headers: { 'idempotency-key': key, ...(options.type !== undefined && { 'content-type': options.type }) },
      })
    /** The state left by a process that crashed a minute ago between the commit and the response. */
    const lose = (key: string) =>
      server.sql(
        `update idempotency_keys set state = 'started', answer_sealed = null, started_at = now() - interval '61 seconds'
         where key = $1`,
        [key],
      )
    const countOf = async (table: string) =>
      (await server.sql<{ count: number }>(`select count(*)::int as count from ${table}`))[0]!.count
    const campaign = () => ({
      subject: 'News',
      body: '<p>News</p>',
      config_id: user.mailboxId,
      recipients: [`someone${++count}@example.com`],
    })
    const campaignId = async () => (await keyed('/email/campaign', fresh(), { body: campaign() })).body.id as string

    beforeAll(async () => {
      await server.call('PATCH', '/workspace', { token: user.token, body: { postal_address: '1 Main Street' } })
    })

    it('a template is created once, also after a crash following the commit', async () => {
      const [key, body] = [fresh(), { subject: 'S', body: 'B' }]
      const first = await keyed('/email/template', key, { body })
      const before = await countOf('templates')
      expect((await keyed('/email/template', key, { body })).text).toBe(first.text)
      await lose(key)
      const again = await keyed('/email/template', key, { body })
      expect([again.status, again.body]).toEqual([first.status, first.body])
      expect(await countOf('templates')).toBe(before)
    })

    it('a campaign is created once, with each of its recipients once', async () => {
      const [key, body] = [fresh(), campaign()]
      const first = await keyed('/email/campaign', key, { body })
      const before = [await countOf('campaigns'), await countOf('deliveries'), await countOf('messages')]
      await lose(key)
      const again = await keyed('/email/campaign', key, { body })
      expect([again.status, again.body.id, again.body.counts]).toEqual([201, first.body.id, first.body.counts])
      expect([await countOf('campaigns'), await countOf('deliveries'), await countOf('messages')]).toEqual(before)
    })

    it('a launch returns the same response, also after a crash following the commit', async () => {
      const [key, id] = [fresh(), await campaignId()]
      const first = await keyed(`/email/campaign/${id}/launch`, key, { body: {} })
      const second = await keyed(`/email/campaign/${id}/launch`, key, { body: {} })
      expect([first.status, second.text]).toEqual([200, first.text])
      await lose(key)
      expect((await keyed(`/email/campaign/${id}/launch`, key, { body: {} })).status).toBe(200)
      expect((await keyed(`/email/campaign/${id}/launch`, fresh(), { body: {} })).status).toBe(409)
    })

    it('a test mail is sent once', async () => {
      const [key, id, to] = [fresh(), await campaignId(), `someone${++count}@example.com`]
      const test = () => keyed(`/email/campaign/${id}/test`, key, { body: { recipient_list: [to] } })
      const first = await test()
      const before = await countMessages()
      expect((await test()).text).toBe(first.text)
      await lose(key)
      expect((await test()).body).toEqual(first.body)
      expect(await countMessages()).toBe(before)
      expect(await server.mailsTo(to)).toHaveLength(1)
    })

    it.each([
      ['recipients', (id: string) => `/email/campaign/${id}/recipients`, 'application/x-ndjson', '"one@example.com"'],
      ['suppressions', () => '/email/suppressions/import', 'text/csv', 'email\nimported@example.com'],
    ])('a stream of %s returns the same response, and another one is rejected', async (_what, pathOf, type, raw) => {
      const [key, path] = [fresh(), pathOf(await campaignId())]
      const first = await keyed(path, key, { raw, type })
      const second = await keyed(path, key, { raw, type })
      expect([first.status, first.body.added, second.text]).toEqual([200, 1, first.text])
      expect(second.headers.get('idempotency-replayed')).toBe('true')
      const other = await keyed(path, key, { raw: `${raw}\n`, type })
      expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([422, null])
      expect(other.text).toContain('idempotency_key_reused')
    })

    it('manual suppressions return the same response', async () => {
      const [key, body] = [fresh(), { emails: [`someone${++count}@example.com`] }]
      const first = await keyed('/email/suppressions', key, { body })
      expect([first.body, (await keyed('/email/suppressions', key, { body })).body]).toEqual([
        { added: 1 },
        { added: 1 },
      ])
    })
  })

  it('expires after a day', async () => {
    const [key, body] = [fresh(), mail()]
    const first = await send(key, body)
    const age = (interval: string) =>
      server.sql(`update idempotency_keys set started_at = now() - $2::interval where key = $1`, [key, interval])
    await age('23:59:00')
    expect((await send(key, body)).body.id).toBe(first.body.id)
    await age('24:00:01')
    const next = await send(key, mail())
    expect(next.status).toBe(200)
    expect(next.body.id).not.toBe(first.body.id)
  })

  it('H57 stores neither its response nor the call in plaintext, here a secret key and an app password', async () => {
    const headers = { 'idempotency-key': fresh() }
    const body = { email_address: 'sandbox@localhost', provider: 'other', app_password: 'canary password' }
    const add = () => server.call('POST', '/email/config', { token: user.token, body, headers })
    const [first, second] = [await add(), await add()]
    expect(first.body.secret_key).toMatch(/^ck_/)
    expect(second.text).toBe(first.text)
    expect(second.headers.get('cache-control')).toBe('no-store')
    const rows = await server.sql<{ row: string }>('select k::text as row from idempotency_keys k')
    const clear = rows.map(({ row }) => Buffer.from(row.replace(/^.*\\\\x/, ''), 'hex').toString('latin1') + row)
    expect(clear.join()).not.toMatch(/ck_|canary/)
  })
})

describe('overload', () => {
  it('H41 calls on one key above the rate return 429 with Retry-After; another key is not delayed', async () => {
    // Slower than any machine.
    await using slow = await startTestServer({ CALLS_PER_SECOND: '1' })
    const [flooding, other] = [await createUser(slow), await createUser(slow)]
    const flood = () =>
      slow.call('POST', `/api/send-mail/${flooding.secretKey}`, { body: mail({ recipient_list: ['nobody'] }) })
    const answers = await Promise.all(Array.from({ length: 200 }, flood))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(100)
    expect(refused.every(({ headers }) => Number(headers.get('retry-after')) >= 1)).toBe(true)
    expect((await slow.call('POST', `/api/send-mail/${other.secretKey}`, { body: mail() })).status).toBe(200)
  })

  it('a full queue returns 429 with Retry-After, and accepts again what fits', async () => {
    const workspaces = await server.sql<{ workspace_id: string }>(
      'select workspace_id from email_configs where id = $1',
      [otherUser.mailboxId],
    )
    await server.sql(
      `update email_configs set status = 'paused', paused_until = now() + interval '1 day' where id = $1`,
      [otherUser.mailboxId],
    )
    const empty = () => server.sql('delete from deliveries where config_id = $1', [otherUser.mailboxId])
    await empty()
    await server.sql(
      `insert into deliveries (month, workspace_id, message_id, config_id, recipient)
       select date_trunc('month', now() at time zone 'utc')::date, $1, gen_random_uuid(), $2, 'x@example.com'
       from generate_series(1, 99999)`,
      [workspaces[0]?.workspace_id, otherUser.mailboxId],
    )
    server.advance(10_000)
    const two = mail({ recipient_list: ['one@example.com', 'two@example.com'] })
    const full = await send(fresh(), two, otherUser)
    expect([full.status, full.headers.get('retry-after')]).toEqual([429, '60'])
    expect((await send(fresh(), mail())).status).toBe(200)
    expect((await send(fresh(), mail(), otherUser)).status).toBe(200)
    await empty()
    server.advance(10_000)
    expect((await send(fresh(), two, otherUser)).status).toBe(200)
  })
})
