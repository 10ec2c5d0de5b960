import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import type { Suppression } from '../../../contract/audience/suppression.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { startSmtpSink, type SmtpSink } from '../../../tests/support/smtp-sink.ts'

let sink: SmtpSink
let server: TestServer
let user: TestUser
let other: TestUser
const answers = new Map<string, `${number} ${string}`>()

beforeAll(async () => {
  sink = await startSmtpSink({ onRecipient: (address) => answers.get(address) })
  server = await startTestServer({ SMTP_ALLOW: `127.0.0.1:${sink.port}` })
  other = await createUser(server)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await sink.close()
})
beforeEach(async () => {
  user = await createUser(server)
  await server.call('PATCH', '/workspace', { token: user.token, body: { postal_address: address } })
})

const wait = { interval: 50 }
const address = '1 Main Street {{x}}\nSpringfield <b>'
let personCount = 0
const someone = () => `listed${++personCount}@example.com`

/** Launches a campaign to these and returns the mail of the first. */
async function campaignTo(list: (string | { email: string; context: object })[], body = '<p>News</p>', who = user) {
  const given = { subject: 'News', body, config_id: who.mailboxId, recipients: list }
  const { id } = (await server.call('POST', '/email/campaign', { token: who.token, body: given })).body as Campaign
  const launched = await server.call('POST', `/email/campaign/${id}/launch`, { token: who.token, body: {} })
  expect(launched.status).toBe(200)
  return id
}
async function linkOf(to: string) {
  const [mail] = await server.mailsTo(to)
  const url = /<(http[^>]+)>/.exec(mail!.headers['list-unsubscribe'] ?? '')?.[1]
  return { mail: mail!, url: url!, path: new URL(url!).pathname }
}
const list = (query = '', token = user.token) => server.call('GET', `/email/suppressions${query}`, { token })
const suppress = (emails: string[], reason?: string) =>
  server.call('POST', '/email/suppressions', { token: user.token, body: { emails, ...(reason && { reason }) } })
const send = (recipients: string[]) =>
  server.call('POST', `/api/send-mail/${user.secretKey}`, {
    body: { recipient_list: recipients, subject: 'Hi', content: 'Hi' },
  })
const post = (path: string, options: { raw?: string; headers?: Record<string, string> } = {}) =>
  server.call('POST', path, options)

describe('every campaign mail has', () => {
  it('the postal address and a visible link in its footer, in HTML and text, and the one-click headers', async () => {
    const to = someone()
    await campaignTo([to], '<html><body><p>News</p></body></html>')
    const { mail, url } = await linkOf(to)
    expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    expect(url).toMatch(new RegExp(`^${server.url}/unsubscribe/[\\w-]{60}$`))
    expect(mail.html).toContain('1 Main Street {{x}}<br>Springfield &lt;b&gt;')
    expect(mail.html).toMatch(/<a href="http[^"]+">Unsubscribe<\/a>.*<\/body>/s)
    expect(mail.html).toContain(`href="${url}"`)
    expect(mail.text).toContain('1 Main Street {{x}}')
    expect(mail.text).toContain(url)
  })

  it.each([
    ['900 kB', '<p>All the news of the week</p>\n'.repeat(29_000), 29_000],
    ['many variables', '<p>{{news}}</p>\n'.repeat(200), 200],
  ])('the same for %s, with its text part', async (_kind, body, linesCount) => {
    const to = someone()
    const id = await campaignTo([{ email: to, context: { news: 'All the news of the week' } }], body)
    const { mail, url, path } = await linkOf(to)
    expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    expect(mail.html).toContain(`href="${url}"`)
    expect(mail.text).toContain(url)
    expect(mail.text!.match(/All the news of the week/g)).toHaveLength(linesCount)
    expect((await post(path)).text).toContain('You are unsubscribed')
    await expect
      .poll(async () => (await server.call('GET', `/email/campaign/${id}`, { token: user.token })).body.status)
      .toBe('finished')
  })

  it('them once only, when the body shows them by their variables itself', async () => {
    const to = someone()
    await campaignTo([to], '<p>{{postal_address}} <a href="{{unsubscribe_url}}">Leave</a></p>')
    const { mail, url } = await linkOf(to)
    expect(mail.html!.split(url)).toHaveLength(2)
    expect(mail.html).toContain('1 Main Street {{x}}, Springfield &lt;b&gt;')
    expect(mail.html).not.toContain('>Unsubscribe<')
  })

  it('a visible link although the body has one in a comment', async () => {
    const to = someone()
    await campaignTo([to], '<p>News</p><!-- {{unsubscribe_url}} {{postal_address}} -->')
    expect((await linkOf(to)).mail.html).toContain('>Unsubscribe</a>')
  })

  it("the server's link, which no context of a recipient overrides", async () => {
    const to = someone()
    const recipients = [{ email: to, context: { unsubscribe_url: 'https://evil.example', postal_address: 'Moon' } }]
    const given = { subject: 'News', body: '<p>News</p>', config_id: user.mailboxId, recipients }
    const { body } = await server.call('POST', '/email/campaign', { token: user.token, body: given })
    await server.call('POST', `/email/campaign/${(body as Campaign).id}/launch`, { token: user.token, body: {} })
    const { mail, url } = await linkOf(to)
    expect(url).toContain(server.url)
    expect(mail.raw).not.toContain('evil')
  })
})

describe('the unsubscribe link of a mail', () => {
  it('H55 GET and HEAD by a scanner show the page and change nothing', async () => {
    const to = someone()
    await campaignTo([to])
    const { path } = await linkOf(to)
    const page = await server.call('GET', path)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toContain('<form method="post">')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect((await server.call('HEAD', path)).status).toBe(200)
    expect((await list()).body).toEqual([])
  })

  it('H55 reveals nothing: neither its URL nor its page contains the recipient’s address', async () => {
    const to = someone()
    await campaignTo([to])
    const { path, url } = await linkOf(to)
    expect(url).not.toContain(to)
    expect(Buffer.from(path.split('/').at(-1)!, 'base64url').toString('latin1')).not.toContain('listed')
    expect((await server.call('GET', path)).text).not.toContain(to)
    expect(server.logged()).not.toContain(path)
  })

  it.each([
    [
      'as RFC 8058 says',
      { raw: 'List-Unsubscribe=One-Click', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    ['as a form of parts', { raw: '--x--', headers: { 'content-type': 'multipart/form-data; boundary=x' } }],
    ['with a body that is none', { raw: '{"a":', headers: { 'content-type': 'application/json' } }],
    ['with nothing', {}],
  ])('H55 POST unsubscribes %s, without cookies and redirect, any number of times', async (_how, options) => {
    const to = someone()
    const id = await campaignTo([to])
    const { path } = await linkOf(to)
    for (let times = 0; times < 2; times++) {
      const { status, headers, text } = await post(path, options)
      expect([status, headers.get('location'), headers.get('set-cookie')]).toEqual([200, null, null])
      expect(text).toContain('You are unsubscribed')
    }
    expect((await list()).body).toMatchObject([{ email: to, reason: 'unsubscribed', campaign_id: id }])
  })

  it('H54 H55 altered, unsigned, or of another mail returns 404 and changes nothing', async () => {
    const to = someone()
    await campaignTo([to])
    const { path } = await linkOf(to)
    const token = path.split('/').at(-1)!
    const bytes = Buffer.from(token, 'base64url')
    const otherRow = Buffer.from(bytes)
    otherRow[28]! ^= 1
    const otherMac = Buffer.from(bytes)
    otherMac[44]! ^= 128
    const wrong = [
      otherRow.toString('base64url'),
      otherMac.toString('base64url'),
      bytes.subarray(0, 29).toString('base64url'),
      `${token}A`,
      token.slice(0, -1),
      'A'.repeat(60),
      'A'.repeat(72),
      encodeURIComponent('//evil.example'),
      encodeURIComponent('javascript:alert(1)'),
      encodeURIComponent('https://evil.example'),
    ]
    for (const text of wrong) {
      for (const method of ['GET', 'POST']) {
        const answer = await server.call(method, `/unsubscribe/${text}`)
        expect([text, answer.status, answer.headers.get('location')]).toEqual([text, 404, null])
        expect(answer.text).not.toContain('evil')
      }
    }
    expect((await list()).body).toEqual([])
  })

  it('H38 takes effect at once and permanently: no send call, no campaign and no second launch sends to the recipient', async () => {
    const [gone, stays] = [someone(), someone()]
    await campaignTo([gone])
    await post((await linkOf(gone)).path)
    expect((await send([gone.toUpperCase(), stays])).body).toMatchObject({ accepted: 1, suppressed: 1 })
    const id = await campaignTo([gone, stays])
    await server.mailsTo(stays, 2)
    const { body } = await server.call('GET', `/email/campaign/${id}`, { token: user.token })
    expect((body as Campaign).counts).toMatchObject({ total: 2, suppressed: 1 })
    expect(await server.mailsTo(gone)).toHaveLength(1)
  })

  it('takes effect for queued deliveries', async () => {
    const [first, second] = [someone(), someone()]
    await campaignTo([first])
    const { path } = await linkOf(first)
    const given = { subject: 'Later', body: '<p>Later</p>', config_id: user.mailboxId, recipients: [first, second] }
    const { id } = (await server.call('POST', '/email/campaign', { token: user.token, body: given })).body as Campaign
    await post(path)
    await server.call('POST', `/email/campaign/${id}/launch`, { token: user.token, body: {} })
    await server.mailsTo(second)
    expect(await server.mailsTo(first)).toHaveLength(1)
    const rows = await server.sql<{ state: string }>(
      'select state from deliveries where campaign_id = $1 and recipient = $2',
      [id, first],
    )
    expect(rows).toEqual([{ state: 'suppressed' }])
  })

  it('applies to the workspace of its mail, and to no other', async () => {
    const to = someone()
    await campaignTo([to])
    await post((await linkOf(to)).path)
    expect((await list('', other.token)).body).toEqual([])
    await server.call('PATCH', '/workspace', { token: other.token, body: { postal_address: 'Elsewhere 2' } })
    await campaignTo([to], '<p>Other</p>', other)
    expect(await server.mailsTo(to, 2)).toHaveLength(2)
  })
})

describe('the unsubscribe link of a test mail', () => {
  it('H55 explains itself and unsubscribes no one, by GET, POST or one click', async () => {
    const to = someone()
    const given = { subject: 'News', body: '<p>News</p>', config_id: user.mailboxId, recipients: [to] }
    const { body } = await server.call('POST', '/email/campaign', { token: user.token, body: given })
    const test = { recipient_list: [to], context: { unsubscribe_is_test: false } }
    await server.call('POST', `/email/campaign/${(body as Campaign).id}/test`, { token: user.token, body: test })
    const { mail, path } = await linkOf(to)
    expect(path).toBe('/unsubscribe/test')
    expect(mail.html).toContain(path)
    expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    for (const method of ['GET', 'POST']) {
      const page = await server.call(method, path)
      expect([page.status, page.text.includes('This was a test')]).toEqual([200, true])
      expect(page.text).not.toContain('<form')
    }
    expect((await list()).body).toEqual([])
  })

  it('does not replace the link of a campaign’s own recipients, with any context', async () => {
    const to = someone()
    const given = {
      subject: 'News',
      body: '<p>News</p>',
      config_id: user.mailboxId,
      context: { unsubscribe_is_test: true },
      recipients: [{ email: to, context: { unsubscribe_is_test: true } }],
    }
    const { body } = await server.call('POST', '/email/campaign', { token: user.token, body: given })
    await server.call('POST', `/email/campaign/${(body as Campaign).id}/launch`, { token: user.token, body: {} })
    await post((await linkOf(to)).path)
    expect((await list()).body).toMatchObject([{ email: to, reason: 'unsubscribed' }])
  })
})

describe('the suppression list', () => {
  it('accepts addresses, each once, and returns them with reason, newest first', async () => {
    const [a, b] = [someone(), someone()]
    expect((await suppress([a, a.toUpperCase()])).body).toEqual({ added: 1 })
    expect((await suppress([a, b], 'complained')).body).toEqual({ added: 1 })
    const { body, headers } = await list()
    expect(body).toMatchObject([
      { email: expect.any(String), reason: 'complained' },
      { email: expect.any(String), reason: 'complained' },
    ])
    expect(headers.get('x-total-count')).toBe('2')
    expect((await list(`?email=${a.toUpperCase()}`)).body).toMatchObject([{ email: a }])
    expect((await list('?reason=manual')).body).toEqual([])
    expect((await list(`?search=${a.slice(0, -4).toUpperCase()}`)).body).toMatchObject([{ email: a }])
    expect((await list('?search=%25')).body).toEqual([])
    expect((await suppress(['nobody'])).body.detail[0].loc).toEqual(['body', 'emails', 0])
    expect((await send([a])).body).toMatchObject({ accepted: 0, suppressed: 1, finishes_at: null })
  })

  it('removes an address, but one that unsubscribed only with consent', async () => {
    const [byHand, byOwner] = [someone(), someone()]
    await suppress([byHand])
    await suppress([byOwner], 'unsubscribed')
    const idOf = async (email: string) => ((await list(`?email=${email}`)).body as Suppression[])[0]!.id
    const remove = async (id: string, query = '', token = user.token) =>
      (await server.call('DELETE', `/email/suppressions/${id}${query}`, { token })).status
    expect(await remove(await idOf(byHand), '', other.token)).toBe(404)
    expect(await remove(await idOf(byHand))).toBe(204)
    expect(await remove('nonsense')).toBe(404)
    expect((await send([byHand])).body).toMatchObject({ accepted: 1 })
    expect(await remove(await idOf(byOwner))).toBe(409)
    await suppress([byOwner])
    expect(await remove(await idOf(byOwner))).toBe(409)
    expect(await remove(await idOf(byOwner), '?consented=true')).toBe(204)
  })

  it('restores a removed one unchanged, and stops mail to it at once', async () => {
    const gone = someone()
    const campaignId = await campaignTo([gone])
    const known = {
      reason: 'bounced' as const,
      detail: '550 5.1.1 No such user',
      created_at: '2025-08-14T09:30:00.000Z',
      campaign_id: campaignId,
    }
    const putBack = (changes: object = {}, token = user.token) =>
      server.call('POST', '/email/suppressions', { token, body: { emails: [gone], ...known, ...changes } })
    expect((await putBack()).body).toEqual({ added: 1 })
    expect((await list(`?email=${gone}`)).body).toMatchObject([{ email: gone, ...known }])
    expect((await send([gone])).body).toMatchObject({ accepted: 0, suppressed: 1 })
    // The row that senders poll, so that a mail in the queue is stopped too.
    const noticed = await server.sql(
      `select changed_at >= created_at + interval '1 day' as "isNew" from suppressions where email = $1`,
      [gone],
    )
    expect(noticed).toEqual([{ isNew: true }])

    expect((await putBack({ created_at: '2999-01-01T00:00:00Z' })).body).toMatchObject({
      detail: [
        {
          loc: ['body', 'created_at'],
          msg: 'created_at must be a time in the past; write it as 2025-08-14T09:30:00Z',
        },
      ],
    })
    expect((await putBack({ created_at: 'yesterday' })).status).toBe(422)
    expect((await putBack({}, other.token)).body).toEqual({ added: 1 })
    expect((await list(`?email=${gone}`, other.token)).body).toMatchObject([{ campaign_id: null }])
  })

  it('H58 is exported as CSV without formula cells, and imports unchanged', async () => {
    const risky = ['+plus@example.com', '=cmd@example.com', 'plain@example.com']
    await suppress(risky, 'unsubscribed')
    await server.sql('update suppressions set detail = E\'@SUM(1)\\t"x",\\n2\' where email = $1', ['plain@example.com'])
    const answer = await server.call('GET', '/email/suppressions/export', { token: user.token })
    expect(answer.headers.get('content-type')).toContain('text/csv')
    const lines = answer.text.split('\r\n')
    expect(lines[0]).toBe('email,reason,detail,created_at')
    expect(lines[1]).toMatch(/^'\+plus@example\.com,unsubscribed,,/)
    expect(lines[2]).toMatch(/^'=cmd@example\.com,/)
    expect(answer.text).toContain('plain@example.com,unsubscribed,"\'@SUM(1)\t""x"",\n2",')
    for (const cell of answer.text.split(/[,\r\n]/)) expect(cell).not.toMatch(/^[=+\-@\t]/)

    const imported = await server.call('POST', '/email/suppressions/import', {
      token: other.token,
      raw: `${answer.text}nobody,manual,,\r\n`,
      headers: { 'content-type': 'text/csv' },
    })
    expect(imported.body).toMatchObject({ added: 3, known: 0, refused: 1, refusals: [{ reason: expect.any(String) }] })
    const theirs = (await list('?reason=unsubscribed', other.token)).body as Suppression[]
    expect(theirs.map(({ email }) => email).sort()).toEqual(risky.toSorted())
  })

  it('TRIAL-16 exports every one of 2,001 addresses exactly once', async () => {
    const everybody = Array.from({ length: 2001 }, (_, at) => `exported${at}@example.com`)
    await server.call('POST', '/email/suppressions/import', {
      token: user.token,
      raw: `email\r\n${everybody.join('\r\n')}\r\n`,
      headers: { 'content-type': 'text/csv' },
    })
    const { text } = await server.call('GET', '/email/suppressions/export', { token: user.token })
    const exported = text.trimEnd().split('\r\n').slice(1)
    expect(exported.map((line) => line.split(',')[0]).toSorted()).toEqual(everybody.toSorted())
  })

  it('receives addresses that a mail server reports as nonexistent, and no other refusals', async () => {
    const [dead, full] = [someone(), someone()]
    answers.set(dead, '550 5.1.1 No such user')
    answers.set(full, '552 5.2.2 Mailbox full')
    const at = { smtp_host: '127.0.0.1', smtp_port: sink.port, smtp_security: 'none' }
    const config = { email_address: `${user.mailboxId}@example.com`, provider: 'other', app_password: 'x', ...at }
    const { body } = await server.call('POST', '/email/config', { token: user.token, body: config })
    await server.call('POST', `/api/send-mail/${(body as { secret_key: string }).secret_key}`, {
      body: { recipient_list: [dead, full], subject: 'Hi', content: 'Hi' },
    })
    await expect
      .poll(async () => (await list()).body, wait)
      .toMatchObject([{ email: dead, reason: 'bounced', detail: expect.stringContaining('5.1.1') }])
    expect((await send([dead])).body).toMatchObject({ accepted: 0, suppressed: 1 })
  })
})
