import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import type { CampaignDelivery } from '../../../contract/mail/campaign-recipient.ts'
import type { Progress } from '../../../contract/mail/campaign-lifecycle.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import type { DayCounts } from '../../../contract/results/statistics.ts'
import { startSmtpSink, type SmtpSink } from '../../../tests/support/smtp-sink.ts'

let sink: SmtpSink
let server: TestServer
let user: TestUser
let other: TestUser
/** The sink's reply to a recipient. */
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
  await server.call('PATCH', '/workspace', {
    token: user.token,
    body: { postal_address: '1 Main Street\nSpringfield' },
  })
})

const wait = { interval: 50 }
const nowhere = '5f0c1d3e-0000-4000-8000-000000000000'
let personCount = 0
const someone = () => `reader${++personCount}@example.com`
const people = (count: number) => Array.from({ length: count }, someone)

const texts = { subject: 'News for {{name | default: "you"}}', body: '<p>Dear {{name | default: "reader"}}</p>' }
const create = (changes: object = {}, { token, mailboxId } = user) =>
  server.call('POST', '/email/campaign', { token, body: { ...texts, config_id: mailboxId, ...changes } })
const created = async (changes: object = {}, who = user) => (await create(changes, who)).body as Campaign
const one = (method: string, path: string, body?: object, token = user.token) =>
  server.call(method, `/email/campaign/${path}`, { token, body })
const get = async (id: string) => (await one('GET', id)).body as Campaign
const launch = (id: string, body: object = {}) => one('POST', `${id}/launch`, body)
const stream = (id: string, raw: string | Buffer, type = 'application/x-ndjson', token = user.token) =>
  server.call('POST', `/email/campaign/${id}/recipients`, { token, raw, headers: { 'content-type': type } })
const untilStatus = (id: string, status: string) => expect.poll(async () => (await get(id)).status, wait).toBe(status)

/** A mailbox at the scripted mail server. */
async function connectSink(address: string): Promise<string> {
  const at = { smtp_host: '127.0.0.1', smtp_port: sink.port, smtp_security: 'none' }
  const body = { email_address: address, provider: 'other', app_password: 'x', ...at }
  return (await server.call('POST', '/email/config', { token: user.token, body })).body.id as string
}

describe('a campaign whose variables make a mail too large', () => {
  const large = 'x'.repeat(10_000)
  const counts = async (id: string) => (await get(id)).counts.total

  it('TRIAL-36 rejects a recipient whose own values exceed the size limit, and accepts the others', async () => {
    const { id } = await created({ body: '<p>{{story}}</p>'.repeat(1000) })
    const [small, tooLarge, none] = people(3)
    const lines = [
      { email: small, context: { name: 'Ann' } },
      { email: tooLarge, context: { story: large } },
      { email: none, context: { unused: large } },
    ]
    const { status, body } = await stream(id, lines.map((line) => JSON.stringify(line)).join('\n'))
    expect([status, body.added, body.refused]).toEqual([200, 2, 1])
    expect(body.refusals[0].line).toBe(2)
    expect(body.refusals[0].reason).toMatch(
      new RegExp(`^The mail to ${tooLarge} would have 19(\\.\\d)? MB; at most 10 MB .*“story” takes`),
    )
    expect(await counts(id)).toBe(2)
    const { body: csv } = await stream(id, `email,story\n${someone()},${large}\n`, 'text/csv')
    expect([csv.added, csv.refused]).toEqual([0, 1])
    const subject = await created({ subject: '{{story}}' })
    const answer = await stream(subject.id, JSON.stringify(lines[1]))
    expect(answer.body.refusals[0].reason).toContain('would have 10000 characters')
  })

  it('is not created with such a recipient', async () => {
    const before = (await server.call('GET', '/email/campaign', { token: user.token })).body.length as number
    const tooLarge = someone()
    const { status, body } = await create({
      body: '<p>{{story}}</p>'.repeat(1000),
      recipients: [someone(), { email: tooLarge, context: { story: large } }],
    })
    expect(status).toBe(422)
    expect(body.detail).toMatchObject([{ loc: ['body', 'context', 'story'], type: 'mail_too_large' }])
    expect(body.detail[0].msg).toContain(tooLarge)
    expect((await server.call('GET', '/email/campaign', { token: user.token })).body).toHaveLength(before)
  })

  it('TRIAL-37 is rejected at its launch after its body grew, and sends nothing', async () => {
    const [small, reader] = people(2)
    const recipients = [
      { email: small, context: { name: 'Ann' } },
      { email: reader, context: { story: large } },
    ]
    const { id } = await created({ recipients })
    expect((await one('PATCH', id, { body: '<p>{{story}}</p>'.repeat(1000) })).status).toBe(200)
    const refused = await launch(id)
    expect(refused.status).toBe(422)
    expect(refused.body.detail).toMatchObject([{ loc: ['body', 'context', 'story'], type: 'mail_too_large' }])
    expect(refused.body.detail[0].msg).toContain(`The mail to ${reader} would have 19`)
    expect((await get(id)).status).toBe('draft')

    expect((await one('PATCH', id, { body: '<p>{{story}}</p>'.repeat(100) })).status).toBe(200)
    expect((await launch(id)).status).toBe(200)
    await untilStatus(id, 'finished')
    for (const address of [small!, reader!]) {
      const mails = await server.mailsTo(address)
      expect(mails).toHaveLength(1)
      expect(mails[0]!.html!.match(/<p>/g)!.length).toBeLessThan(110)
    }
  })

  it('cannot grow while it is scheduled', async () => {
    const { id } = await created({ recipients: [{ email: someone(), context: { story: large } }] })
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString()
    expect((await launch(id, { scheduled_at })).body.status).toBe('scheduled')
    const { status, body } = await one('PATCH', id, { body: '<p>{{story}}</p>'.repeat(1000) })
    expect([status, body.detail[0].type]).toEqual([422, 'mail_too_large'])
    expect((await get(id)).body).toBe(texts.body)
  })

  it('sends no such test mail', async () => {
    const { id } = await created({ body: '<p>{{story}}</p>'.repeat(1000) })
    const { status, body } = await one('POST', `${id}/test`, { recipient_list: [someone()], context: { story: large } })
    expect([status, body.detail[0].type]).toEqual([422, 'mail_too_large'])
  })
})

describe('a campaign', () => {
  it('API-EMAIL-08 accepts the campaign object and is a draft that sends nothing', async () => {
    const [first] = people(1)
    const { status, body } = await create({ recipients: [first, { email: someone(), context: { name: 'Ann' } }] })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      ...texts,
      name: texts.subject,
      config_id: user.mailboxId,
      config_ids: [user.mailboxId],
      template_id: null,
      status: 'draft',
      status_reason: null,
      started_at: null,
      finished_at: null,
      finishes_at: expect.any(String),
      counts: { total: 2, queued: 2, sent: 0 },
    })
    expect((await server.call('GET', `/sandbox/messages?to=${first}`)).body).toEqual([])
  })

  it('API-EMAIL-07 is listed without a payload, newest first, with the total count', async () => {
    const ids: string[] = []
    for (const subject of ['first', 'second', 'third']) ids.unshift((await created({ subject })).id)
    const { status, body, headers } = await server.call('GET', '/email/campaign', { token: user.token })
    expect(status).toBe(200)
    expect((body as Campaign[]).map(({ id }) => id)).toEqual(ids)
    expect(headers.get('x-total-count')).toBe('3')
  })

  it('is filtered in the list by its state and by words of its name or subject; bodies can be omitted', async () => {
    const { id } = await created({ name: 'Autumn 100%', subject: 'Doors open' })
    const launched = await created({ subject: 'Closing', recipients: [someone()] })
    await launch(launched.id)
    const list = async (query: string) =>
      (await server.call('GET', `/email/campaign?${query}`, { token: user.token })).body as Campaign[]
    expect(await list('search=DOORS')).toMatchObject([{ id, body: texts.body }])
    expect(await list('search=autumn 100%25&with_body=false')).toMatchObject([{ id, body: '' }])
    expect(await list('search=autumn_100')).toEqual([])
    expect(await list('status=draft')).toMatchObject([{ id }])
    await untilStatus(launched.id, 'finished')
    expect(await list('status=finished')).toMatchObject([{ id: launched.id }])
    expect((await server.call('GET', '/email/campaign?status=gone', { token: user.token })).status).toBe(422)
  })

  it('API-EMAIL-09 is deleted by its id, and queued deliveries stay unsent', async () => {
    const [to] = people(1)
    const { id } = await created({ recipients: [to] })
    expect((await one('DELETE', id)).status).toBe(204)
    expect((await one('GET', id)).status).toBe(404)
    expect((await one('DELETE', id)).status).toBe(404)
    const rows = await server.sql<{ state: string }>('select state from deliveries where recipient = $1', [to])
    expect(rows).toEqual([{ state: 'cancelled' }])
  })

  it('copies subject and body from a template', async () => {
    const template = await server.call('POST', '/email/template', {
      token: user.token,
      body: { subject: 'Doors open', body: '<p>Come in</p>' },
    })
    const { id } = template.body as { id: string }
    expect(await created({ subject: undefined, body: undefined, template_id: id })).toMatchObject({
      subject: 'Doors open',
      body: '<p>Come in</p>',
      template_id: id,
    })
    expect((await create({ template_id: nowhere })).status).toBe(404)
  })

  it('is rejected with the position of an invalid part', async () => {
    const cases: [object, (string | number)[]][] = [
      [{ subject: undefined }, ['body', 'subject']],
      [{ subject: 'two\nlines' }, ['body', 'subject']],
      [{ body: ' ' }, ['body', 'body']],
      [{ body: 'Dear {{name' }, ['body', 'body']],
      [{ config_id: undefined }, ['body', 'config_id']],
      [{ recipients: ['a@example.com', 'nobody'] }, ['body', 'recipients', 1]],
      [{ recipients: Array.from({ length: 1001 }, () => 'a@example.com') }, ['body', 'recipients']],
      [{ segment: { country: 'CH' } }, ['body', 'segment']],
      [{ timezone: 'Mars/Olympus' }, ['body', 'timezone']],
      [{ scheduled_at: 'tomorrow' }, ['body', 'scheduled_at']],
      [{ scheduled_at: '2027-02-30T09:00' }, ['body', 'scheduled_at']],
    ]
    for (const [changes, loc] of cases) {
      const { status, body } = await create(changes)
      expect([status, body.detail[0].loc]).toEqual([422, loc])
    }
    expect((await server.call('GET', '/email/campaign', { token: user.token })).body).toEqual([])
  })

  it('H18 of another workspace returns 404, and so do its mailboxes', async () => {
    const { id } = await created({ recipients: [someone()] }, other)
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { name: 'mine' }],
      ['DELETE', ''],
      ['POST', '/launch', {}],
      ['POST', '/pause'],
      ['POST', '/resume'],
      ['POST', '/cancel'],
      ['POST', '/retry'],
      ['POST', '/test', { recipient_list: ['a@example.com'] }],
      ['GET', '/events'],
      ['GET', '/recipients'],
      ['GET', '/recipients/export'],
    ] as [string, string, object?][]) {
      const answer = await one(method, id + path, body)
      expect([method, path, answer.status]).toEqual([method, path, 404])
      expect(answer.body).toEqual((await one(method, nowhere + path, body)).body)
    }
    expect((await stream(id, '"a@example.com"')).status).toBe(404)
    expect((await create({ config_id: other.mailboxId })).status).toBe(404)
    const { body } = await one('GET', id, undefined, other.token)
    expect(body).toMatchObject({ name: texts.subject, status: 'draft', counts: { total: 1 } })
  })
})

describe('recipients', () => {
  it('are streamed as JSON lines, each with its own context, each address once', async () => {
    const { id } = await created()
    const [ann, ben] = people(2) as [string, string]
    const lines = [
      JSON.stringify({ email: ann, context: { name: 'Ann' } }),
      JSON.stringify(ben),
      '',
      JSON.stringify({ email: ann.toUpperCase() }),
      'nonsense',
      JSON.stringify({ email: 'nobody' }),
      JSON.stringify({ email: someone(), context: { name: null } }),
      JSON.stringify({ email: someone(), context: { name: 'x\0' } }),
      'x'.repeat(70_000),
    ]
    const { status, body } = await stream(id, lines.join('\n'))
    expect(status).toBe(200)
    expect(body).toMatchObject({ added: 2, suppressed: 0, duplicates: 1, refused: 5 })
    expect((body as { refusals: { line: number }[] }).refusals.map(({ line }) => line)).toEqual([5, 6, 7, 8, 9])
    expect((await get(id)).counts.total).toBe(2)
    expect((await stream(id, lines.join('\n'))).body).toMatchObject({ added: 0, duplicates: 3 })
    expect((await get(id)).counts.total).toBe(2)
  })

  it('that are refused are counted, and the first 100 listed', async () => {
    const { id } = await created()
    for (const count of [100, 101]) {
      const { body } = await stream(id, Array.from({ length: count }, () => 'nonsense').join('\n'))
      expect([body.refused, (body.refusals as unknown[]).length]).toEqual([count, 100])
    }
  })

  it('are streamed as CSV, a column for each merge variable', async () => {
    const { id } = await created()
    const [ann, ben] = people(2) as [string, string]
    const csv = `\uFEFFName,E-Mail,city\r\n"Lee, Ann",${ann},Bern\r\nBen,${ben}\r\n,not one,\r\n`
    const { body } = await stream(id, csv, 'text/csv; charset=utf-8')
    expect(body).toMatchObject({ added: 2, duplicates: 0, refused: 1 })
    const rows = await server.sql<{ recipient: string; context: object }>(
      'select recipient, context from deliveries where campaign_id = $1 order by id',
      [id],
    )
    expect(rows).toEqual([
      { recipient: ann, context: { Name: 'Lee, Ann', city: 'Bern' } },
      { recipient: ben, context: { Name: 'Ben', city: '' } },
    ])
  })

  it('are streamed as a bare column of addresses too', async () => {
    const { id } = await created()
    expect((await stream(id, people(3).join('\n'), 'text/csv')).body).toMatchObject({ added: 3, refused: 0 })
  })

  it('are accepted in any number, in batches', async () => {
    const { id } = await created()
    const list = Array.from({ length: 2500 }, (_, at) => `"bulk${at}@example.com"`)
    expect((await stream(id, list.join('\n'))).body).toMatchObject({ added: 2500 })
    expect((await get(id)).counts).toMatchObject({ total: 2500, queued: 2500 })
  })

  it('are rejected in another form, as CSV with an unclosed quote, and once the campaign has started', async () => {
    const { id } = await created({ recipients: [someone()] })
    expect((await stream(id, '{"email":"a@example.com"}', 'application/json')).status).toBe(415)
    expect((await stream(id, 'a@example.com', 'text/plain')).status).toBe(415)
    expect((await stream(id, `email\n"a@example.com${'x'.repeat(70_000)}`, 'text/csv')).status).toBe(422)
    await launch(id)
    expect((await stream(id, '"b@example.com"')).status).toBe(409)
  })
})

describe('a staged campaign', () => {
  const stagedOne = () => created({ staged: true, recipients: [someone(), someone()] })
  const listed = async () => {
    const { body, headers } = await server.call('GET', '/email/campaign', { token: user.token })
    return [(body as Campaign[]).map(({ id, staged }) => ({ id, staged })), headers.get('x-total-count')]
  }
  const waiting = async () => {
    const { body } = await server.call('GET', '/email/statistics', { token: user.token })
    return (body as DayCounts[]).reduce((sum, day) => sum + day.waiting, 0)
  }

  it('is excluded from lists and statistics until its launch confirms it', async () => {
    const staged = await stagedOne()
    expect(staged).toMatchObject({ staged: true, status: 'draft', counts: { total: 2 } })
    expect(await get(staged.id)).toMatchObject({ staged: true, subject: texts.subject })
    expect([await listed(), await waiting()]).toEqual([[[], '0'], 0])
    const later = '2031-01-01T09:00:00Z'
    expect((await launch(staged.id, { scheduled_at: later })).body).toMatchObject({
      staged: false,
      status: 'scheduled',
    })
    expect([await listed(), await waiting()]).toEqual([[[{ id: staged.id, staged: false }], '1'], 2])
  })
})

describe('the list of recipients', () => {
  const named = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name}${at}@example.com`)
  const list = async (id: string, query: string) => {
    const { body, headers } = await one('GET', `${id}/recipients?${query}`)
    return { rows: body as CampaignDelivery[], total: Number(headers.get('x-total-count')) }
  }
  const addresses = (rows: readonly CampaignDelivery[]) => rows.map(({ recipient }) => recipient)
  const exported = async (id: string, query = '') => {
    const answer = await fetch(`${server.url}/email/campaign/${id}/recipients/export${query}`, {
      headers: { authorization: `Bearer ${user.token}` },
    })
    return { answer, lines: (await answer.text()).trimEnd().split('\r\n') }
  }

  it('returns all 200 of a campaign by pages, by part of an address and by state', async () => {
    const { id } = await created()
    const everybody = [...named(150, 'Page.Reader'), ...named(50, 'other_')]
    await server.call('POST', '/email/suppressions', { token: user.token, body: { emails: everybody.slice(0, 3) } })
    await stream(id, everybody.join('\n'), 'text/csv')
    const pages = [
      await list(id, 'limit=80'),
      await list(id, 'limit=80&offset=80'),
      await list(id, 'limit=80&offset=160'),
    ]
    expect(pages.map(({ rows, total }) => [rows.length, total])).toEqual([
      [80, 200],
      [80, 200],
      [40, 200],
    ])
    expect(addresses(pages.flatMap(({ rows }) => rows))).toEqual(everybody)
    expect(await list(id, 'search=page.reader14')).toMatchObject({ total: 11 })
    expect(addresses((await list(id, 'search=%20OTHER_49@')).rows)).toEqual(['other_49@example.com'])
    expect(await list(id, 'search=r%25')).toEqual({ rows: [], total: 0 })
    expect(addresses((await list(id, 'state=suppressed')).rows)).toEqual(everybody.slice(0, 3))
    expect(await list(id, 'state=queued&search=reader1&limit=1')).toMatchObject({
      total: 60,
      rows: [{ state: 'queued' }],
    })
  })

  it('contains the mail server’s reply to each, and exports every one with state and reply as CSV', async () => {
    const [taken, refused] = people(2) as [string, string]
    answers.set(refused, '554 5.7.1 =cmd "No", thanks')
    const { id } = await created({ config_id: await connectSink('rows@example.com'), recipients: [taken, refused] })
    await launch(id)
    await untilStatus(id, 'finished')
    const { rows } = await list(id, '')
    expect(rows).toMatchObject([
      { recipient: taken, state: 'sent', reply: expect.stringMatching(/^250 /) },
      { recipient: refused, state: 'failed', reply: '554 5.7.1 =cmd "No", thanks' },
    ])
    const { answer, lines } = await exported(id)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="recipients.csv"')
    const settled = rows.map(({ settled_at: at }) => at)
    // The time of the bounce follows when its event is digested.
    expect(lines.map((line) => line.replace(/,,,,[^,]*$/, ''))).toEqual([
      'email,state,reply,attempts,settled_at,mailbox,opened_at,clicked_at,replied_at,bounced_at',
      `${taken},sent,${rows[0]!.reply},1,${settled[0]},rows@example.com`,
      `${refused},failed,"554 5.7.1 =cmd ""No"", thanks",1,${settled[1]},rows@example.com`,
    ])
    expect((await exported(id, '?state=failed')).lines.slice(1)).toEqual([expect.stringContaining(refused)])
    expect((await exported(id, `?search=${taken}`)).lines.slice(1)).toEqual([lines[1]])
  })

  it('exports 2,001 recipients over two mailboxes, each once', async () => {
    const { id } = await created({ config_ids: [user.mailboxId, await connectSink('both@example.com')] })
    const everybody = named(2001, 'many')
    await stream(id, everybody.join('\n'), 'text/csv')
    const { lines } = await exported(id)
    const first = lines.slice(1).map((line) => line.split(',').slice(0, 5).join(','))
    expect(first.toSorted()).toEqual(everybody.map((email) => `${email},queued,,0,`).toSorted())
  })
})

describe('merge variables without a value', () => {
  const open = {
    subject: '{{greeting}} {{name}}',
    body: '<p>{{city | default: "here"}} {{code}} {{unsubscribe_url}} {{postal_address}}</p>',
    context: { greeting: 'Hello' },
  }
  const recipients = () => [
    { email: someone(), context: { name: 'Ann', code: 'A1' } },
    { email: someone(), context: { name: '' } },
    { email: someone(), context: { Name: 'Bo', CODE: 'B1' } },
    someone(),
  ]
  const unfilled = [
    { name: 'name', recipients: 1 },
    { name: 'code', recipients: 2 },
  ]

  it('are listed up to twenty', async () => {
    const listedOf = async (count: number) => {
      const text = Array.from({ length: count }, (_, no) => `{{v${no}}}`).join(' ')
      const { body } = await create({ subject: 'Doors open', body: text, recipients: [someone()] })
      return (body.unfilled_variables as unknown[]).length
    }
    expect([await listedOf(19), await listedOf(20), await listedOf(21)]).toEqual([19, 20, 20])
  })

  it('are listed before launch with the number of affected recipients, in every response about the campaign', async () => {
    const { status, body } = await create({ ...open, recipients: recipients() })
    expect([status, body.unfilled_variables]).toEqual([201, unfilled])
    expect((await get(body.id as string)).unfilled_variables).toEqual(unfilled)
    const { body: changed } = await one('PATCH', body.id as string, { context: { greeting: 'Hello', code: 'B2' } })
    expect(changed.unfilled_variables).toEqual([unfilled[0]])
    const launched = await launch(body.id as string)
    expect([launched.status, launched.body.unfilled_variables]).toEqual([200, [unfilled[0]]])
    await untilStatus(body.id as string, 'finished')
    expect((await get(body.id as string)).unfilled_variables).toEqual([])
  })

  it('are listed by a test, except those that it provides itself', async () => {
    const { id } = await created(open)
    const test = { recipient_list: [someone()], context: { code: 'T' } }
    expect((await one('POST', `${id}/test`, test)).body.unfilled_variables).toEqual(['name'])
  })
})

describe('a launch', () => {
  it('sends one mail to each recipient, with its own values, and finishes', async () => {
    const [ann, ben] = people(2) as [string, string]
    const { id } = await created({ recipients: [{ email: ann, context: { name: 'Ann & <Co>' } }, ben] })
    const { status, body } = await launch(id)
    expect([status, body.status]).toEqual([200, 'sending'])
    expect((await server.mailsTo(ann))[0]).toMatchObject({
      subject: 'News for Ann & <Co>',
      html: expect.stringContaining('Dear Ann &amp; &lt;Co&gt;'),
    })
    expect((await server.mailsTo(ben))[0]).toMatchObject({ subject: 'News for you' })
    await untilStatus(id, 'finished')
    expect(await get(id)).toMatchObject({
      started_at: expect.any(String),
      finished_at: expect.any(String),
      finishes_at: null,
      counts: { total: 2, sent: 2 },
    })
  })

  it('requires recipients, a postal address and a usable mailbox', async () => {
    const empty = await created()
    expect(await launch(empty.id)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('recipients') },
    })
    const { id } = await created({ recipients: [someone()] })
    await server.call('PATCH', '/workspace', { token: user.token, body: { postal_address: ' \n ' } })
    expect(await launch(id)).toMatchObject({ status: 422, body: { detail: [{ type: 'postal_address_missing' }] } })
    await server.call('PATCH', '/workspace', { token: user.token, body: { postal_address: 'Main Street 1' } })
    await server.sql("update email_configs set status = 'paused', pause_reason = 'Wrong password.' where id = $1", [
      user.mailboxId,
    ])
    expect(await launch(id)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('Wrong password.') },
    })
    await server.call('DELETE', `/email/configs/${user.mailboxId}`, { token: user.token })
    expect((await launch(id)).status).toBe(404)
    expect((await get(id)).status).toBe('draft')
  })

  it('waits for its scheduled time, given with its zone', async () => {
    const [to] = people(1) as [string]
    const { id } = await created({ recipients: [to], scheduled_at: '2031-07-01T09:00', timezone: 'Europe/Berlin' })
    const launched = await launch(id)
    expect(launched.body).toMatchObject({
      status: 'scheduled',
      scheduled_at: '2031-07-01T07:00:00.000Z',
      timezone: 'Europe/Berlin',
      finishes_at: '2031-07-01T07:00:00.000Z',
      started_at: null,
    })
    expect((await one('PATCH', id, { scheduled_at: null })).status).toBe(422)
    const soon = new Date(Date.now() + 500).toISOString()
    expect((await one('PATCH', id, { scheduled_at: soon, subject: 'At last' })).body).toMatchObject({
      status: 'scheduled',
      scheduled_at: soon,
    })
    const [mail] = await server.mailsTo(to)
    expect(mail?.subject).toBe('At last')
    await untilStatus(id, 'finished')
    expect(Date.parse((await get(id)).started_at!)).toBeGreaterThanOrEqual(Date.parse(soon))
  })

  it('fails at its scheduled time when its mailbox was disconnected', async () => {
    const { id } = await created({ recipients: [someone()] })
    await launch(id, { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() })
    await server.call('DELETE', `/email/configs/${user.mailboxId}`, { token: user.token })
    await server.sql('update campaigns set scheduled_at = now() where id = $1', [id])
    await untilStatus(id, 'failed')
    expect(await get(id)).toMatchObject({
      status_reason: expect.stringContaining('disconnected'),
      counts: { cancelled: 1 },
    })
  })
})

describe('a running campaign', () => {
  it('is paused, so that nothing is sent, and resumed, so that the rest is', async () => {
    const mailboxId = await connectSink('slow@example.com')
    const rest = "update email_configs set status = 'paused', paused_until = now() + interval '1 hour' where id = $1"
    await server.sql(rest, [mailboxId])
    const { id } = await created({ config_id: mailboxId, recipients: people(30) })
    expect((await launch(id)).body).toMatchObject({ status: 'sending' })
    expect((await one('POST', `${id}/pause`)).body).toMatchObject({ status: 'paused' })
    await server.sql("update email_configs set status = 'active', paused_until = null where id = $1", [mailboxId])
    // Later messages overtake it.
    const [after] = people(1) as [string]
    const mail = { recipient_list: [after], subject: 'Now', content: 'Now' }
    const { secret_key: key } = (await server.call('GET', '/email/configs', { token: user.token })).body.find(
      ({ id: found }: { id: string }) => found === mailboxId,
    )
    await server.call('POST', `/api/send-mail/${key}`, { body: mail })
    await expect.poll(() => sink.recipients(), wait).toContain(after)
    expect((await get(id)).counts).toMatchObject({ sent: 0, queued: 30 })
    expect((await one('POST', `${id}/resume`)).body).toMatchObject({ status: 'sending' })
    await untilStatus(id, 'finished')
    expect((await get(id)).counts).toMatchObject({ total: 30, sent: 30 })
  })

  it('is cancelled: queued deliveries stay unsent', async () => {
    const mailboxId = await connectSink('cancel@example.com')
    await server.sql('update email_configs set limit_per_minute = 1 where id = $1', [mailboxId])
    const { id } = await created({ config_id: mailboxId, recipients: people(5) })
    await launch(id)
    await expect.poll(async () => (await get(id)).counts.sent, wait).toBe(1)
    expect((await one('POST', `${id}/cancel`)).body).toMatchObject({
      status: 'cancelled',
      finished_at: expect.any(String),
    })
    await expect.poll(async () => (await get(id)).counts, wait).toMatchObject({ sent: 1, cancelled: 4, queued: 0 })
  })

  it('sends once more only to failed recipients', async () => {
    const [good, bad] = people(2) as [string, string]
    answers.set(bad, '554 5.7.1 Not today')
    const { id } = await created({ config_id: await connectSink('retry@example.com'), recipients: [good, bad] })
    await launch(id)
    await untilStatus(id, 'finished')
    expect((await get(id)).counts).toMatchObject({ sent: 1, failed: 1 })
    answers.delete(bad)
    expect((await one('POST', `${id}/retry`)).body).toMatchObject({ status: 'sending', finished_at: null })
    await untilStatus(id, 'finished')
    expect((await get(id)).counts).toMatchObject({ sent: 2, failed: 0 })
    const reached = sink.recipients().filter((address) => address === good || address === bad)
    expect(reached).toEqual([good, bad])
  })

  it('reports which recipients of a retry are suppressed meanwhile, and stays finished when all are', async () => {
    const gone = someone()
    answers.set(gone, '550 5.1.1 No such user')
    const { id } = await created({ config_id: await connectSink('dead@example.com'), recipients: [gone] })
    await launch(id)
    await untilStatus(id, 'finished')
    const suppressed = () => server.call('GET', `/email/suppressions?email=${gone}`, { token: user.token })
    await expect.poll(async () => (await suppressed()).body, wait).toHaveLength(1)
    expect((await one('POST', `${id}/retry`)).body).toMatchObject({
      status: 'finished',
      message: 'The address is on your suppression list; nothing is sent again.',
      resent: 0,
      suppressed: 1,
      counts: { failed: 1, suppressed: 0 },
    })
  })

  it('reports the actions that its state does not allow', async () => {
    const { id } = await created({ recipients: [someone()] })
    for (const action of ['pause', 'resume', 'retry']) expect((await one('POST', `${id}/${action}`)).status).toBe(409)
    await launch(id)
    await untilStatus(id, 'finished')
    for (const action of ['pause', 'resume', 'cancel']) {
      const { status, body } = await one('POST', `${id}/${action}`)
      expect([status, body.detail]).toEqual([409, expect.stringContaining('The campaign is finished')])
    }
    expect((await launch(id)).status).toBe(409)
    expect((await one('PATCH', id, { subject: 'Late' })).status).toBe(409)
    expect((await one('PATCH', id, { name: 'Old news' })).body).toMatchObject({
      name: 'Old news',
      subject: texts.subject,
    })
  })

  it('can change its mailboxes only while it has no recipients', async () => {
    const second = await connectSink('second@example.com')
    const { id } = await created()
    expect((await one('PATCH', id, { config_ids: [second] })).body).toMatchObject({ config_id: second })
    const [to] = people(1) as [string]
    await stream(id, JSON.stringify(to))
    expect((await one('PATCH', id, { config_id: user.mailboxId, subject: 'x' })).status).toBe(409)
    expect((await get(id)).subject).toBe(texts.subject)
    await launch(id)
    await untilStatus(id, 'finished')
    expect(sink.mails.at(-1)).toMatchObject({ from: 'second@example.com', to: [to] })
  })
})

describe('progress', () => {
  it('is streamed as events until the campaign has ended', async () => {
    const { id } = await created({ recipients: people(3) })
    const response = await fetch(`${server.url}/email/campaign/${id}/events`, {
      headers: { authorization: `Bearer ${user.token}` },
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const seen: Progress[] = []
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const [event, data] = text.slice(0, end).split('\n')
        text = text.slice(end + 2)
        expect(event).toBe('event: progress')
        seen.push(JSON.parse(data!.slice('data: '.length)) as Progress)
        if (seen.length === 1) await launch(id)
      }
    }
    expect(seen[0]).toMatchObject({ status: 'draft', counts: { total: 3, queued: 3 } })
    expect(seen.at(-1)).toMatchObject({ status: 'finished', counts: { total: 3, sent: 3 }, finishes_at: null })
  })

  it('requires a signed-in member', async () => {
    const { id } = await created()
    expect((await server.call('GET', `/email/campaign/${id}/events`)).status).toBe(401)
  })

  it("does not delay the server's shutdown", async () => {
    const own = await startTestServer()
    const member = await createUser(own)
    const body = { ...texts, config_id: member.mailboxId }
    const { body: made } = await own.call('POST', '/email/campaign', { token: member.token, body })
    const response = await fetch(`${own.url}/email/campaign/${(made as Campaign).id}/events`, {
      headers: { authorization: `Bearer ${member.token}` },
    })
    const ended = response.text()
    const startedMs = performance.now()
    await own[Symbol.asyncDispose]()
    expect(performance.now() - startedMs).toBeLessThan(10_000)
    expect(await ended).toContain('event: progress')
  })
})

describe('a test mail', () => {
  it('has the campaign’s content and a few addresses, apart from its recipients', async () => {
    const [to, reader] = people(2) as [string, string]
    const { id } = await created({ recipients: [reader] })
    const { status, body } = await one('POST', `${id}/test`, { recipient_list: [to], context: { name: 'Ann' } })
    expect(status).toBe(200)
    expect(body).toEqual({
      message: 'Email sent successfully to 1 recipient',
      id: expect.any(String),
      unfilled_variables: [],
    })
    const [mail] = await server.mailsTo(to)
    expect(mail).toMatchObject({ subject: 'News for Ann', html: expect.stringContaining('1 Main Street') })
    expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    expect(await get(id)).toMatchObject({ status: 'draft', counts: { total: 1, queued: 1 } })
    const many = { recipient_list: Array.from({ length: 11 }, someone) }
    expect((await one('POST', `${id}/test`, many)).status).toBe(422)
  })
})

describe('quotas', () => {
  const minutesFromNow = (at: string | null) => Math.round((Date.parse(at ?? '') - Date.now()) / 60_000)
  const windowMinutes = 24 * 60 + 5

  it('spread a send above today’s quota over days, as estimated in the response', async () => {
    const mailboxId = await connectSink('quota@example.com')
    await server.sql('update email_configs set limit_per_day = 2 where id = $1', [mailboxId])
    const draft = await created({ config_id: mailboxId, recipients: people(5) })
    expect(minutesFromNow(draft.finishes_at)).toBe(2 * windowMinutes)
    await launch(draft.id)
    await expect.poll(async () => (await get(draft.id)).counts.sent, wait).toBe(2)
    const moving = await get(draft.id)
    expect(moving).toMatchObject({ status: 'sending', counts: { sent: 2, queued: 3 } })
    expect(Math.abs(minutesFromNow(moving.finishes_at) - 2 * windowMinutes)).toBeLessThanOrEqual(5)
    const next = await created({ config_id: mailboxId, recipients: people(1) })
    expect(minutesFromNow(next.finishes_at)).toBeGreaterThanOrEqual(2 * windowMinutes - 5)
  })

  it('are estimated by the send calls too', async () => {
    await server.sql('update email_configs set limit_per_day = 2 where id = $1', [user.mailboxId])
    const { body } = await server.call('POST', `/api/send-mail/${user.secretKey}`, {
      body: { recipient_list: people(3), subject: 'Hi', content: 'Hi' },
    })
    expect(minutesFromNow((body as { finishes_at: string }).finishes_at)).toBe(windowMinutes)
  })

  it('of several mailboxes are shared by their remaining quota, and each recipient keeps its sender', async () => {
    const [small, large] = [await connectSink('small@example.com'), await connectSink('large@example.com')]
    await server.sql('update email_configs set limit_per_day = 2 where id = $1', [small])
    await server.sql('update email_configs set limit_per_day = 20 where id = $1', [large])
    const list = people(10)
    const { id } = await created({ config_ids: [small, large], recipients: list })
    const senders = () =>
      server.sql<{ recipient: string; from: string }>(
        `select d.recipient, m.from_address as "from" from deliveries d join messages m on m.id = d.message_id
         where d.campaign_id = $1 order by d.id`,
        [id],
      )
    const dealt = await senders()
    expect(dealt.filter(({ from }) => from === 'small@example.com')).toHaveLength(2)
    await launch(id)
    await untilStatus(id, 'finished')
    expect(await senders()).toEqual(dealt)
    const reached = sink.mails
      .filter(({ to }) => list.includes(to[0]!))
      .map(({ from, to }) => ({ recipient: to[0], from }))
    expect(new Set(reached.map((mail) => JSON.stringify(mail)))).toEqual(
      new Set(dealt.map((mail) => JSON.stringify(mail))),
    )
  })
})
