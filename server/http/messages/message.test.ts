import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { startSmtpSink, type SmtpSink } from '../../../tests/support/smtp-sink.ts'

let sink: SmtpSink
let server: TestServer
let user: TestUser
let otherUser: TestUser
/** The sink's reply to a recipient. */
const recipientAnswers = new Map<string, `${number} ${string}`>()
let isLoginRefused = false

beforeAll(async () => {
  sink = await startSmtpSink({
    onLogin: () => (isLoginRefused ? '535 5.7.8 Bad credentials' : undefined),
    onRecipient: (address) => recipientAnswers.get(address),
  })
  server = await startTestServer({ SMTP_ALLOW: `127.0.0.1:${sink.port}` })
  user = await createUser(server)
  otherUser = await createUser(server)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await sink.close()
})

const mail = (changes: object = {}) => ({
  recipient_list: ['a@example.com'],
  subject: 'Hello',
  content: 'Good morning.',
  ...changes,
})
const send = (changes: object = {}, key = user.secretKey) =>
  server.call('POST', `/api/send-mail/${key}`, { body: mail(changes) })
const sendHtml = (changes: object = {}, options: { key?: string; token?: string } = {}) =>
  server.call('POST', `/email/send-mail/${options.key ?? user.secretKey}`, {
    token: options.token ?? user.token,
    body: mail(changes),
  })
const messageOf = async (id: string, token = user.token) =>
  (await server.call('GET', `/email/messages/${id}`, { token })).body
const countMessages = async () =>
  (await server.sql<{ count: number }>('select count(*)::int as count from messages'))[0]!.count

/** A mailbox at the scripted mail server. */
async function connectSink(address: string): Promise<string> {
  const body = {
    email_address: address,
    provider: 'other',
    app_password: 'x',
    smtp_host: '127.0.0.1',
    smtp_port: sink.port,
    smtp_security: 'none',
  }
  return (await server.call('POST', '/email/config', { token: user.token, body })).body.secret_key as string
}

let recipientCount = 0
const someone = () => `someone${++recipientCount}@example.com`

describe('the public send call', () => {
  it('API-PUBLIC-01 API-PUBLIC-11 API-EMAIL-19 sends with the key in its path and returns what was accepted', async () => {
    const [first, second] = [someone(), someone()]
    const { status, body } = await send({ recipient_list: [first, second] })
    expect(status).toBe(200)
    expect(body).toEqual({
      message: 'Email sent successfully to 2 recipients',
      id: expect.any(String),
      accepted: 2,
      suppressed: 0,
      finishes_at: expect.any(String),
    })
    expect((await server.mailsTo(first))[0]).toMatchObject({ from: 'sandbox@localhost', to: [first], subject: 'Hello' })
    expect((await server.mailsTo(second))[0]).toMatchObject({ to: [second] })
  })

  it('accepts a single recipient', async () => {
    expect((await send()).body.message).toBe('Email sent successfully to 1 recipient')
  })

  it('API-PUBLIC-07 API-PUBLIC-08 H36 without is_html the content is plain text, even if it has tags', async () => {
    const to = someone()
    await send({ recipient_list: [to], content: '<b>Good</b> morning.' })
    const [received] = await server.mailsTo(to)
    expect(received).toMatchObject({ html: null, text: expect.stringContaining('<b>Good</b> morning.') })
    expect(received!.headers['content-type']).toMatch(/^text\/plain/)
  })

  it('with is_html it is HTML, with a text alternative', async () => {
    const to = someone()
    await send({ recipient_list: [to], content: '<p>Good <b>morning</b>.</p>', is_html: true })
    const [received] = await server.mailsTo(to)
    expect(received!.html).toContain('<p>Good <b>morning</b>.</p>')
    expect(received!.text).toContain('Good morning.')
  })

  it('API-PUBLIC-09 API-PUBLIC-10 API-EMAIL-21 substitutes merge variables in subject and content', async () => {
    const to = someone()
    await send({
      recipient_list: [to],
      subject: 'Hello {{name}}',
      content: '<p>{{ name }}, {{count}} of {{open}} {{missing}}{{city | default: "somewhere"}}</p>',
      is_html: true,
      context: { name: 'Ann & <Bob>', count: 3, open: true },
    })
    const [received] = await server.mailsTo(to)
    expect(received!.subject).toBe('Hello Ann & <Bob>')
    expect(received!.html).toContain('<p>Ann &amp; &lt;Bob&gt;, 3 of true somewhere</p>')
  })

  it.each([
    ['API-PUBLIC-02 no recipient_list', { recipient_list: undefined }, ['body', 'recipient_list'], 'missing'],
    [
      'API-PUBLIC-03 a recipient_list that is a text',
      { recipient_list: 'a@example.com' },
      ['body', 'recipient_list'],
      'array_type',
    ],
    [
      'a recipient that is a number',
      { recipient_list: ['a@example.com', 5] },
      ['body', 'recipient_list', 1],
      'string_type',
    ],
    ['H30 an empty recipient_list', { recipient_list: [] }, ['body', 'recipient_list'], 'too_short'],
    [
      'H30 1,001 recipients',
      { recipient_list: Array.from({ length: 1001 }, (_, at) => `r${at}@example.com`) },
      ['body', 'recipient_list'],
      'too_long',
    ],
    [
      'H30 a hundred thousand numbers',
      { recipient_list: Array.from({ length: 100_000 }, () => 1) },
      ['body', 'recipient_list'],
      'too_long',
    ],
    ['H30 lists in lists', { recipient_list: [[['a@example.com']]] }, ['body', 'recipient_list', 0], 'string_type'],
    ['API-PUBLIC-04 no subject', { subject: undefined }, ['body', 'subject'], 'missing'],
    ['an empty subject', { subject: '' }, ['body', 'subject'], 'too_short'],
    ['H31 a subject of 10 kB', { subject: 'x'.repeat(10_000) }, ['body', 'subject'], 'too_long'],
    ['H31 a subject with a line break', { subject: 'Hello\r\nBcc: e@example.com' }, ['body', 'subject'], 'line_break'],
    ['API-PUBLIC-05 no content', { content: undefined }, ['body', 'content'], 'missing'],
    ['H32 content that names a file', { content: { path: '/etc/passwd' } }, ['body', 'content'], 'string_type'],
    [
      'H32 content that names an address',
      { content: { href: 'http://169.254.169.254/' } },
      ['body', 'content'],
      'string_type',
    ],
    ['H32 content that is a list', { content: ['a'] }, ['body', 'content'], 'string_type'],
    ['H32 content that is a number', { content: 5 }, ['body', 'content'], 'string_type'],
    ['a context that is a list', { context: ['a'] }, ['body', 'context'], 'object_type'],
    [
      'a context value that is an object',
      { context: { name: { first: 'Ann' } } },
      ['body', 'context', 'name'],
      'string_or_number_or_boolean_type',
    ],
    ['is_html that is a text', { is_html: 'true' }, ['body', 'is_html'], 'boolean_type'],
    ['H37 content with a NUL', { content: 'a\0b' }, ['body', 'content'], 'character'],
    [
      'H37 a context value that is half a character',
      { context: { name: '\ud83d' } },
      ['body', 'context', 'name'],
      'character',
    ],
    ['H37 a context name with a NUL', { context: { 'na\0me': 'Ann' } }, ['body', 'context'], 'character'],
    ['a merge variable that never closes', { content: 'line one\nHello {{name' }, ['body', 'content'], 'merge_syntax'],
  ])('API-PUBLIC-12 ERRORS-23 %s returns 422 with loc, msg and type', async (_what, changes, loc, type) => {
    const before = await countMessages()
    const { status, body } = await send(changes)
    expect(status).toBe(422)
    expect(body.detail).toEqual([{ loc, msg: expect.stringMatching(/\w ./) as string, type }])
    expect(await countMessages()).toBe(before)
  })

  it('an unclosed merge variable is reported by line and column', async () => {
    const { body } = await send({ content: 'line one\nHello {{name' })
    expect(body.detail[0].msg).toContain('Line 2, column 7')
  })

  it.each([
    'x@example.com\r\nBcc: e@example.com',
    'x@example.com, y@example.com',
    'Group: x@example.com;',
    '"x@gmail.com y"@example.com',
    'user@good.example(x)evil.example',
    '<x@example.com> SIZE=1',
    '-oQ@example.com',
    '@relay.example:v@example.com',
    'x\0@example.com',
    `${'x'.repeat(65)}@example.com`,
    `x@${'long.'.repeat(60)}com`,
    'user@gооgle.com',
    'Ann Lee <ann@example.com>',
    'x@',
    ' ',
  ])('H28 %j is rejected by its position, and no mail is sent', async (item) => {
    const innocent = someone()
    const before = await countMessages()
    const { status, body } = await send({ recipient_list: [innocent, item] })
    expect(status).toBe(422)
    expect(body.detail).toMatchObject([
      { loc: ['body', 'recipient_list', 1], type: expect.stringMatching(/^(address_|character)/) },
    ])
    expect(await countMessages()).toBe(before)
  })

  it('H29 the same address in another case, with spaces or twice gets one mail', async () => {
    const to = someone()
    const { body } = await send({ recipient_list: [to, ` ${to} `, to.toUpperCase(), to] })
    expect(body).toMatchObject({ message: 'Email sent successfully to 1 recipient', accepted: 1 })
    const { counts } = await messageOf(body.id as string)
    expect(Object.values(counts as Record<string, number>).reduce((sum, count) => sum + count)).toBe(1)
  })

  it('H31 a subject keeps its text in one encoded header, whatever it imitates', async () => {
    const to = someone()
    const subject = 'Prüfung =?utf-8?Q?=0D=0ABcc:_e@example.com?= \u202Egnp.exe ✓'
    await send({ recipient_list: [to], subject })
    const [received] = await server.mailsTo(to)
    expect(received!.subject).toBe(subject)
    expect(
      received!.raw
        .split('\r\n\r\n')[0]!
        .match(/^[\w-]+:/gm)!
        .map((name) => name.toLowerCase()),
    ).toHaveLength(8)
    expect(received!.headers['bcc']).toBeUndefined()
  })

  it('H33 content that imitates the end of a mail stays one mail, with short lines', async () => {
    const to = someone()
    const content = `first\r\n.\r\nMAIL FROM:<x@example.com>\n.\n.\rbare${'x'.repeat(200_000)}`
    await send({ recipient_list: [to], content })
    const mails = await server.mailsTo(to)
    expect(mails).toHaveLength(1)
    expect(mails[0]!.text).toContain('MAIL FROM:<x@example.com>')
    expect(Math.max(...mails[0]!.raw.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(998)
  })

  it('API-EMAIL-20 API-PUBLIC-06 with a template_key content is not required, and an unknown one returns 404 with a message', async () => {
    const answer = await server.call('POST', `/api/send-mail/${user.secretKey}?template_key=welcome`, {
      body: mail({ content: undefined }),
    })
    expect(answer).toMatchObject({ status: 404, body: { detail: expect.stringContaining('template_key') } })
  })

  it('H39 a browser gets a hint to embed sessions, and the key is not logged', async () => {
    const answer = await server.call('POST', `/api/send-mail/${user.secretKey}`, {
      body: mail(),
      headers: { origin: 'https://site.example' },
    })
    expect(answer.status).toBe(403)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(server.logged()).not.toContain(user.secretKey)
  })

  it('H30 a million recipients in one call return 413, and memory use stays constant', async () => {
    const before = process.memoryUsage.rss()
    const raw = `{"recipient_list":[${'"a@example.com",'.repeat(1_000_000)}"b@example.com"],"subject":"s","content":"c"}`
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        server.call('POST', `/api/send-mail/${user.secretKey}`, { raw }).catch(() => null),
      ),
    )
    // A server that stops reading may end the connection before its response is read.
    for (const answer of answers) if (answer !== null) expect(answer.status).toBe(413)
    expect(answers.some((answer) => answer !== null)).toBe(true)
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1024 * 1024)
  })

  it('H40 H57 keys, tokens and addresses are in no log line', async () => {
    const to = someone()
    const { body } = await send({ recipient_list: [to], subject: 'canary-subject', content: 'canary-content' })
    await server.call('GET', `/api/messages/${body.id}`, { token: user.secretKey })
    await server.call('POST', `/api/send-mail/${user.secretKey}/nothing`, { body: {} })
    await server.mailsTo(to)
    for (const secret of [user.secretKey, user.token, to, user.email, 'canary-subject', 'canary-content']) {
      expect(server.logged()).not.toContain(secret)
    }
    expect(server.logged()).toContain('/api/send-mail/{secret_key}')
  })

  it('an unknown secret key returns 404', async () => {
    for (const key of [
      `ck_${'A'.repeat(43)}`,
      'ck_',
      user.mailboxId,
      user.token,
      '%00',
      '__proto__',
      'x'.repeat(500),
    ]) {
      const answer = await send({}, key)
      expect(answer).toMatchObject({ status: 404, body: { detail: expect.stringContaining('No mailbox matches') } })
    }
  })
})

describe('a mail whose variables make it too large', () => {
  const large = { content: '{{a}}'.repeat(2000), context: { a: 'x'.repeat(10_000), b: 'y'.repeat(9000) } }

  it('TRIAL-34 is rejected for any recipient with a message about recipient, size and the largest variable, and not sent', async () => {
    const [first, second] = [someone(), someone()]
    const before = await countMessages()
    const recipient_list = [first, second]
    for (const call of [send, sendHtml]) {
      const { status, body } = await call({ ...large, recipient_list, content: `${large.content}{{b}}` })
      expect(status).toBe(422)
      const [item, ...others] = body.detail as { loc: string[]; msg: string; type: string }[]
      expect(others).toEqual([])
      expect(item).toMatchObject({ loc: ['body', 'context', 'a'], type: 'mail_too_large' })
      expect(item?.msg).toMatch(
        new RegExp(`The mail to ${first} would have (19|39)(\\.\\d)? MB; at most 10 MB .*“a” takes`),
      )
    }
    expect(await countMessages()).toBe(before)
    const { status } = await send({ ...large, recipient_list, content: '{{a}}'.repeat(100) })
    expect(status).toBe(200)
    for (const address of recipient_list) expect((await server.mailsTo(address))[0]?.text).toHaveLength(1_000_001)
  })

  it('TRIAL-35 of a subject above 998 characters is rejected, and not sent', async () => {
    const to = someone()
    const before = await countMessages()
    const changes = { recipient_list: [to], subject: 'About {{what}}' }
    const { status, body } = await send({ ...changes, context: { what: 'x'.repeat(993) } })
    expect(status).toBe(422)
    expect(body.detail).toEqual([
      {
        loc: ['body', 'context', 'what'],
        msg: expect.stringContaining(`The subject of the mail to ${to} would have 999 characters`),
        type: 'mail_too_large',
      },
    ])
    expect(await countMessages()).toBe(before)
    expect((await send({ ...changes, context: { what: 'x'.repeat(992) } })).status).toBe(200)
    expect((await server.mailsTo(to))[0]?.subject).toBe(`About ${'x'.repeat(992)}`)
  })

  it('is rejected when its text comes from a template too', async () => {
    const content = '{{a}}'.repeat(2000)
    const { body: template } = await server.call('POST', '/email/template', {
      token: user.token,
      body: { subject: 'Large', body: content, context: [] },
    })
    const answer = await server.call(
      'POST',
      `/api/send-mail/${user.secretKey}?template_key=${template.key as string}`,
      {
        body: mail({ content: undefined, context: large.context }),
      },
    )
    expect([answer.status, answer.body.detail[0].type]).toEqual([422, 'mail_too_large'])
  })
})

describe('the dashboard’s send call', () => {
  it('API-EMAIL-17 API-EMAIL-22 delivers the HTML message to every recipient', async () => {
    const recipients = [someone(), someone(), someone()]
    const { status, body } = await sendHtml({ recipient_list: recipients, content: '<p>Good morning.</p>' })
    expect([status, body.accepted]).toEqual([200, 3])
    for (const to of recipients) expect((await server.mailsTo(to))[0]!.html).toContain('<p>Good morning.</p>')
  })

  it('API-EMAIL-18 accepts an optional template_key', async () => {
    const answer = await server.call('POST', `/email/send-mail/${user.secretKey}?template_key=nothing`, {
      token: user.token,
      body: mail(),
    })
    expect(answer.status).toBe(404)
  })

  it('requires the access token and the key', async () => {
    const answer = await server.call('POST', `/email/send-mail/${user.secretKey}`, { body: mail() })
    expect(answer.status).toBe(401)
  })

  it('H20 another workspace’s key returns 404', async () => {
    const foreign = await sendHtml({}, { token: otherUser.token })
    const missing = await sendHtml({}, { token: otherUser.token, key: `ck_${'A'.repeat(43)}` })
    expect([foreign.status, foreign.text]).toEqual([404, missing.text])
  })

  it('waits for the mail server’s reply, and returns 502 with its text when every recipient was refused', async () => {
    const key = await connectSink('refused@northwind.example')
    recipientAnswers.set('gone@example.com', '550 5.1.1 No such user here')
    const answer = await sendHtml({ recipient_list: ['gone@example.com'] }, { key })
    expect(answer.status).toBe(502)
    expect(answer.body.detail).toContain('550 5.1.1 No such user here')
  })

  it('one accepted recipient is a success, the refusal of the other is in the message', async () => {
    const key = await connectSink('half@northwind.example')
    recipientAnswers.set('gone2@example.com', '550 5.1.1 No such user here')
    const { status, body } = await sendHtml({ recipient_list: ['gone2@example.com', 'here@example.com'] }, { key })
    expect(status).toBe(200)
    await expect.poll(async () => (await messageOf(body.id as string)).counts).toMatchObject({ sent: 1, failed: 1 })
  })

  it('a password that is no longer valid returns 502, pauses the mailbox, and leaves nothing in the queue', async () => {
    const key = await connectSink('changed@northwind.example')
    isLoginRefused = true
    const answer = await sendHtml({ recipient_list: [someone()] }, { key })
    expect(answer.status).toBe(502)
    expect(answer.body.detail).toMatch(/password/i)
    const { body: mailboxes } = await server.call('GET', '/email/configs', { token: user.token })
    expect(
      mailboxes.find((config: { email_address: string }) => config.email_address === 'changed@northwind.example'),
    ).toMatchObject({
      status: 'paused',
      pause_reason: expect.stringMatching(/password/i),
    })
    isLoginRefused = false
    const { body: config } = await server.call('POST', '/email/config', {
      token: user.token,
      body: {
        email_address: 'changed@northwind.example',
        provider: 'other',
        app_password: 'x',
        smtp_host: '127.0.0.1',
        smtp_port: sink.port,
        smtp_security: 'none',
      },
    })
    const to = someone()
    await sendHtml({ recipient_list: [to] }, { key: config.secret_key as string })
    expect(
      sink.mails.filter((received) => received.from === 'changed@northwind.example').map((received) => received.to),
    ).toEqual([[to]])
  })

  it('a deferred recipient is retried', async () => {
    const key = await connectSink('later@northwind.example')
    const to = someone()
    recipientAnswers.set(to, '450 4.2.1 Busy')
    const { status, body } = await sendHtml({ recipient_list: [to] }, { key })
    expect(status).toBe(200)
    const deferred = await messageOf(body.id as string)
    expect(deferred.deliveries).toMatchObject([
      { state: 'deferred', attempts: 1, reply: expect.stringContaining('450 4.2.1 Busy') },
    ])
    expect(Date.parse(deferred.deliveries[0].next_attempt_at as string)).toBeGreaterThan(Date.now())
    recipientAnswers.delete(to)
    await server.sql('update deliveries set next_attempt_at = now() where message_id = $1', [body.id])
    await expect
      .poll(async () => (await messageOf(body.id as string)).deliveries)
      .toMatchObject([{ state: 'sent', attempts: 2 }])
  })
})

describe('an accepted message', () => {
  it('contains each recipient’s state, with the Message-ID and the mail server’s reply', async () => {
    const recipients = [someone(), someone()]
    const { body } = await sendHtml({ recipient_list: recipients })
    await expect.poll(async () => (await messageOf(body.id as string)).counts).toMatchObject({ sent: 2 })
    const message = await messageOf(body.id as string)
    expect(message).toMatchObject({
      id: body.id,
      from: 'sandbox@localhost',
      subject: 'Hello',
      counts: { queued: 0, sending: 0, sent: 2, deferred: 0, failed: 0, suppressed: 0, cancelled: 0, unknown: 0 },
      deliveries: recipients.map((recipient) => ({
        recipient,
        state: 'sent',
        attempts: 1,
        reply: expect.stringMatching(/^250/),
        next_attempt_at: null,
        settled_at: expect.any(String),
      })),
    })
    const [received] = await server.mailsTo(recipients[0]!)
    expect(received!.headers['message-id']).toBe(message.deliveries[0].message_id)
  })

  it('is readable with its key as bearer, and not with another mailbox’s key', async () => {
    const { body } = await send()
    const own = await server.call('GET', `/api/messages/${body.id}`, { token: user.secretKey })
    expect(own).toMatchObject({ status: 200, body: { id: body.id } })
    const other = await connectSink('other@northwind.example')
    expect((await server.call('GET', `/api/messages/${body.id}`, { token: other })).status).toBe(404)
    expect((await server.call('GET', `/api/messages/${body.id}`, { token: otherUser.secretKey })).status).toBe(404)
  })

  it('H18 H21 of another workspace, or with an invalid id, returns 404', async () => {
    const { body } = await send()
    const missing = await server.call('GET', '/email/messages/00000000-0000-4000-8000-00000000dead', {
      token: otherUser.token,
    })
    for (const id of [body.id as string, '1', '%2e%2e', "x'; drop table users", '__proto__', '9'.repeat(400)]) {
      const answer = await server.call('GET', `/email/messages/${encodeURIComponent(id)}`, { token: otherUser.token })
      expect([answer.status, answer.text]).toEqual([404, missing.text])
    }
  })

  it('limit and offset page through the recipients', async () => {
    const { body } = await send({ recipient_list: Array.from({ length: 30 }, someone) })
    const page = await server.call('GET', `/email/messages/${body.id}?limit=10&offset=25`, { token: user.token })
    expect(page.body.deliveries).toHaveLength(5)
    expect(page.headers.get('x-total-count')).toBe('30')
  })

  it('Prefer: wait=10 waits for the first result in the public call too', async () => {
    const key = await connectSink('prefer@northwind.example')
    // Two addresses: the first refusal suppresses its address.
    for (const name of ['gone3', 'gone4']) recipientAnswers.set(`${name}@example.com`, '550 5.1.1 No such user here')
    const to = (recipient: string) => ({ body: mail({ recipient_list: [recipient] }) })
    expect((await server.call('POST', `/api/send-mail/${key}`, to('gone3@example.com'))).status).toBe(200)
    const waited = await server.call('POST', `/api/send-mail/${key}`, {
      ...to('gone4@example.com'),
      headers: { prefer: 'respond-async, wait=10' },
    })
    expect(waited.status).toBe(502)
  })
})
