import { parse } from 'csv-parse/sync'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { errors } from '../../../contract/core/errors.ts'
import type { CampaignDelivery } from '../../../contract/mail/campaign-recipient.ts'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import type { CampaignRecipientView } from '../../../contract/results/recipient.ts'
import type { CampaignReport } from '../../../contract/results/report.ts'
import { writeEngagements, type Engagement } from '../../../tests/support/engagement-rows.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { startSmtpSink, type SmtpSink } from '../../../tests/support/smtp-sink.ts'

const nowhere = '5f0c1d3e-0000-4000-8000-000000000000'
const at = (text: string) => new Date(`2026-05-04T${text}:00.000Z`)
const people = ['ada', 'bo', 'cy', 'di', 'ed', 'flo'].map((name) => `${name}@example.org`)
const [ada, bo, cy, di, ed, flo] = people as [string, string, string, string, string, string]
/** Domains of one recipient each, so that more than 50 are counted. */
const crowd = Array.from({ length: 55 }, (_one, no) => `one@domain-${String(no).padStart(2, '0')}.example`)
const refused = 'gone@example.org'
const acts: Record<string, Engagement> = {
  [ada]: { opened: at('09:05'), clicked: at('09:20'), links: [1, 2] },
  [bo]: { opened: at('10:10'), clicked: at('11:10'), replied: at('11:30'), links: [1] },
  [cy]: { opened: at('09:50'), unsubscribed: at('09:55') },
  [di]: { machineOpened: at('09:01'), machineClicked: at('09:01'), links: [2] },
  [ed]: { bounced: { at: at('09:30'), reason: 'mailbox_full' } },
  [refused]: { bounced: { at: at('09:00'), reason: 'user_unknown' } },
}

let sink: SmtpSink
let server: TestServer
let user: TestUser
let workspaceId: string
let id: string
beforeAll(async () => {
  sink = await startSmtpSink({ onRecipient: (to) => (to === refused ? '550 5.1.1 =No such user' : undefined) })
  server = await startTestServer({ SMTP_ALLOW: `127.0.0.1:${sink.port}` })
  user = await createUser(server)
  await call('PATCH', '/workspace', { postal_address: 'Main Street 1' })
  const mailbox = { email_address: 'shop@example.com', provider: 'other', app_password: 'any', ...connection() }
  const { id: mailboxId } = (await call('POST', '/email/config', mailbox)).body as { id: string }
  const body = '<p><a href="https://example.com/a">Tickets</a> <a href="https://example.com/b">Map</a></p>'
  const campaign = { name: 'Spring', subject: 'Hello {{name | default: "you"}}', body, config_id: mailboxId }
  await call('POST', '/email/contacts', { email: ada })
  await call('POST', '/email/contacts', { email: bo })
  const made = await call('POST', '/email/campaign', { ...campaign, recipients: [...people, refused, ...crowd] })
  id = (made.body as { id: string }).id
  await call('POST', `/email/campaign/${id}/launch`, {})
  const status = async () => ((await call('GET', `/email/campaign/${id}`)).body as { status: string }).status
  await vi.waitFor(async () => expect(await status()).toBe('finished'), { timeout: 40_000, interval: 50 })
  const [row] = await server.sql<{ id: string; message: string }>(
    'select workspace_id as id, id as message from messages where campaign_id = $1',
    [id],
  )
  workspaceId = row!.id
  await server.sql(`update messages set tracking = 'identified' where campaign_id = $1`, [id])
  await server.sql(
    `insert into tracked_links (workspace_id, message_id, no, url, label)
     values ($1, $2, 1, 'https://example.com/a', 'Tickets'), ($1, $2, 2, 'https://example.com/b', 'Map')`,
    [workspaceId, row!.message],
  )
  // What is written below replaces what the digest has counted of the mails and of the refusal.
  const counted = () =>
    server.sql<{ kind: number; people: number }>(
      `select kind::int, sum(people)::int as people from source_counts
       where workspace_id = $1 and source_id = $2 group by kind order by kind`,
      [workspaceId, id],
    )
  const expected = [
    { kind: 5, people: 1 },
    { kind: 18, people: people.length + crowd.length },
  ]
  await vi.waitFor(async () => expect(await counted()).toEqual(expected), { timeout: 40_000, interval: 50 })
  await writeEngagements(server, { workspaceId, campaignId: id }, acts)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await sink.close()
})

const connection = () => ({ smtp_host: '127.0.0.1', smtp_port: sink.port, smtp_security: 'none' })
const call = (method: string, path: string, body?: object, token = user.token) =>
  server.call(method, path, { token, ...(body && { body }) })
const report = async () => (await call('GET', `/email/campaign/${id}/report`)).body as CampaignReport
const list = (query: string) => call('GET', `/email/campaign/${id}/recipients?${query}`)
const found = async (query: string) =>
  ((await list(query)).body as CampaignDelivery[]).map(({ recipient }) => recipient).toSorted()

describe('the report of a campaign', () => {
  it('REPORT-21 list answers of campaigns carry stats', async () => {
    const listed = (await call('GET', '/email/campaign?search=Spring')).body as Campaign[]
    expect(listed.find((one) => one.id === id)?.stats).toEqual({
      tracking: 'identified',
      ...{ sent: 61, opened: 3, clicked: 2, replied: 1, bounced: 2, unsubscribed: 1, machine_opens: 1 },
    })
  })

  it('counts people, and machines beside them', async () => {
    const { sent, delivered, opened, clicked, unsubscribed, bounced } = await report()
    expect({ sent, delivered, bounced, unsubscribed }).toEqual({ sent: 61, delivered: 60, bounced: 2, unsubscribed: 1 })
    expect(opened).toEqual({ people: 3, events: 3, machines: 1, probable: 0 })
    expect(clicked).toEqual({ people: 2, events: 2, machines: 1, probable: 0 })
  })

  it('tells the recipients of whom a machine only probably clicked', async () => {
    const key = [workspaceId, id]
    await server.sql(
      `insert into source_counts (workspace_id, source_id, kind, verdict, n, people) values ($1, $2, 2, 2, 3, 2)`,
      key,
    )
    expect((await report()).clicked).toEqual({ people: 2, events: 2, machines: 3, probable: 2 })
    await server.sql(`delete from source_counts where workspace_id = $1 and source_id = $2 and verdict = 2`, key)
  })

  it('groups bounces by reason and acts by hour', async () => {
    const { bounces, hours } = await report()
    expect(bounces).toEqual([
      { reason: 'mailbox_full', people: 1 },
      { reason: 'user_unknown', people: 1 },
    ])
    expect(
      hours.map(({ at: hour, opened, machine_opens: machines, clicked, replied }) => [
        hour.slice(11, 13),
        opened,
        machines,
        clicked,
        replied,
      ]),
    ).toEqual([
      ['09', 2, 1, 1, 0],
      ['10', 1, 0, 0, 0],
      ['11', 0, 0, 1, 1],
    ])
  })

  it('REPORT-06 lists acts by hour, by mailbox, and by domain: the top 50 and one row for the rest', async () => {
    const { domains, mailboxes, hours } = await report()
    expect(domains).toHaveLength(51)
    expect(domains[0]).toEqual({
      domain: 'example.org',
      domains: 1,
      sent: 6,
      opened: 3,
      clicked: 2,
      bounced: 2,
      unsubscribed: 1,
    })
    expect(domains[50]).toMatchObject({ domain: null, domains: 6, sent: 6 })
    expect(mailboxes).toMatchObject([{ email_address: 'shop@example.com', sent: 61, opened: 3, clicked: 2 }])
    expect(hours).toHaveLength(3)
  })

  it('counts each link', async () => {
    expect((await report()).links).toEqual([
      { no: 1, url: 'https://example.com/a', label: 'Tickets', people: 2, clicks: 2, machines: 0 },
      { no: 2, url: 'https://example.com/b', label: 'Map', people: 1, clicks: 1, machines: 1 },
    ])
  })

  it('REPORT-19 answers the same 404 campaign_not_found for an unknown id and for the campaign of another workspace', async () => {
    const other = await createUser(server)
    const unknown = await call('GET', `/email/campaign/${nowhere}/report`)
    const foreign = await call('GET', `/email/campaign/${id}/report`, undefined, other.token)
    expect([unknown.status, unknown.body.detail]).toEqual([404, errors.campaign_not_found.sentence])
    expect([foreign.status, foreign.text]).toEqual([unknown.status, unknown.text])
  })
})

describe('the recipients of a campaign', () => {
  it('REPORT-22 gives cursor pages of 100 until the last recipient; an altered cursor answers 422 cursor_invalid', async () => {
    const many = Array.from({ length: 250 }, (_one, no) => `reader-${no}@example.net`)
    const { config_id: mailboxId } = (await call('GET', `/email/campaign/${id}`)).body as { config_id: string }
    const draft = { subject: 'Later', body: '<p>x</p>', config_id: mailboxId, recipients: many }
    const { id: campaign } = (await call('POST', '/email/campaign', draft)).body as { id: string }
    const seen: string[] = []
    const sizes: number[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const answer = await call('GET', `/email/campaign/${campaign}/recipients${cursor && `?cursor=${cursor}`}`)
      const rows = answer.body as CampaignDelivery[]
      sizes.push(rows.length)
      seen.push(...rows.map(({ recipient }) => recipient))
      const next = answer.headers.get('x-next-cursor')
      if (next !== null) {
        const altered = `${next.slice(0, 1)}${next[1] === 'A' ? 'B' : 'A'}${next.slice(2)}`
        const refusedAnswer = await call('GET', `/email/campaign/${campaign}/recipients?cursor=${altered}`)
        expect([refusedAnswer.status, refusedAnswer.body.detail[0].type]).toEqual([422, 'cursor_invalid'])
      }
      cursor = next
    }
    expect(sizes).toEqual([100, 100, 50])
    expect(seen.toSorted()).toEqual(many.toSorted())
  })

  it.each([
    ['did=opened', [ada, bo, cy]],
    ['did=clicked', [ada, bo]],
    ['did=clicked&link_no=2', [ada]],
    ['did=opened_by_machines', [di]],
    ['did=clicked_by_machines', [di]],
    ['did=replied', [bo]],
    ['did=bounced', [ed, refused]],
    ['did=bounced&bounce_reason=mailbox_full', [ed]],
    ['bounce_reason=user_unknown', [refused]],
    ['bounce_reason=spam_detected', []],
    ['did=unsubscribed', [cy]],
    ['did=not_opened&domain=example.org', [di, flo]],
    ['did=delivered&domain=example.org', [ada, bo, cy, di, flo]],
    ['state=failed', [refused]],
    ['domain=domain-07.example', ['one@domain-07.example']],
  ])('are filtered by %s', async (query, expected) => {
    expect(await found(query)).toEqual(expected.toSorted())
    expect((await list(query)).headers.get('x-total-count')).toBe(String(expected.length))
  })

  it('of a link are those of whom a person clicked it', async () => {
    const setVerdict = (verdict: number) =>
      server.sql('update link_clicks set verdict = $2 where source_id = $1 and link_no = 2', [id, verdict])
    expect(await found('link_no=2')).toEqual([ada])
    await setVerdict(3)
    expect(await found('link_no=2')).toEqual([])
    await setVerdict(1)
  })

  it('carry mailbox, reply, opened and clicked', async () => {
    const [row] = (await list('did=clicked&link_no=2')).body as CampaignDelivery[]
    expect(row).toMatchObject({
      recipient: ada,
      mailbox: 'shop@example.com',
      opened_at: at('09:05').toISOString(),
      clicked_at: at('09:20').toISOString(),
    })
    const [gone] = (await list('state=failed')).body as CampaignDelivery[]
    expect(gone?.reply).toContain('No such user')
  })

  it('REPORT-24 finds a full address; a text that cannot be searched within its limit answers 422 search_too_broad', async () => {
    expect(await found('search=ADA@example.org')).toEqual([ada])
    expect(await found('search=domain-1')).toHaveLength(10)
    const blocker = new pg.Client({ connectionString: server.database.url })
    await blocker.connect()
    await blocker.query('begin; lock table engagements in access exclusive mode')
    const answer = await list('search=domain')
    await blocker.end()
    expect([answer.status, answer.body.detail[0].type]).toEqual([422, 'search_too_broad'])
  })

  it('REPORT-12 exports CSV or NDJSON with the rows of the same filters, each with the reply of the mail server', async () => {
    const csv = (await call('GET', `/email/campaign/${id}/recipients/export?did=bounced`)).text
    const lines = csv.replace('\uFEFF', '').trim().split(/\r?\n/)
    expect(lines).toHaveLength(3)
    expect(lines[0]).toContain('email,state,reply')
    expect(csv).toContain('550 5.1.1')
    const exported = `${server.url}/email/campaign/${id}/recipients/export?did=bounced&format=ndjson`
    const json = await (await fetch(exported, { headers: { authorization: `Bearer ${user.token}` } })).text()
    const rows = json
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as CampaignDelivery)
    expect(rows.map(({ recipient }) => recipient).toSorted()).toEqual([ed, refused].toSorted())
    expect(rows.find(({ recipient }) => recipient === refused)?.reply).toContain('550 5.1.1')
  })

  it('REPORT-10 makes a fixed list of the filtered people; a name that exists answers 409 list_exists', async () => {
    const saved = await call('POST', `/email/campaign/${id}/recipients/list`, { name: 'Readers', did: 'opened' })
    expect([saved.status, saved.body.members]).toEqual([201, 2])
    const members = await call('GET', `/email/contacts?list_id=${saved.body.id as string}`)
    expect((members.body as { email: string }[]).map(({ email }) => email).toSorted()).toEqual([ada, bo])
    const again = await call('POST', `/email/campaign/${id}/recipients/list`, { name: 'readers', did: 'clicked' })
    expect([again.status, again.body.detail]).toEqual([409, errors.list_exists.sentence])
  })
})

describe('one recipient', () => {
  const idOf = async (address: string) =>
    ((await list(`search=${address}`)).body as CampaignDelivery[]).find(({ recipient }) => recipient === address)!.id
  const one = (delivery: string, campaign = id) => call('GET', `/email/campaign/${campaign}/recipients/${delivery}`)

  it('shows its reply and its mail with the merge variables filled', async () => {
    const { status, body } = await one(await idOf(ada))
    const view = body as CampaignRecipientView
    expect(status).toBe(200)
    expect(view).toMatchObject({ recipient: ada, mailbox: 'shop@example.com', opened_at: at('09:05').toISOString() })
    expect(view.content.subject).toBe('Hello you')
    expect(view.timeline.at(-1)).toMatchObject({ event: 'sent', detail: view.reply })
    const failed = (await one(await idOf(refused))).body as CampaignRecipientView
    expect(failed.timeline.find(({ event }) => event === 'failed')?.detail).toContain('550 5.1.1')
  })

  it('REPORT-27 answers 404 delivery_not_found for an unknown id and 410 content_gone when the content of the mail was dropped', async () => {
    for (const unknown of ['999999999', '0', 'x', '1e3']) {
      const answer = await one(unknown)
      expect([answer.status, answer.body.detail]).toEqual([404, errors.delivery_not_found.sentence])
    }
    const other = await createUser(server)
    const delivery = await idOf(crowd[54]!)
    expect(
      (await call('GET', `/email/campaign/${id}/recipients/${delivery}`, undefined, other.token)).body.detail,
    ).toBe(errors.campaign_not_found.sentence)
    await server.sql('delete from deliveries where campaign_id = $1 and id = $2', [id, delivery])
    const gone = await one(delivery)
    expect([gone.status, gone.body.detail]).toEqual([410, errors.content_gone.sentence])
  })
})

describe('the campaign again for those who did not open', () => {
  const again = (campaign: string, subject = 'Second call') =>
    call('POST', `/email/campaign/${campaign}/resend`, { to: 'not_opened', subject })
  const recipientsOf = async (campaign: string) =>
    ((await call('GET', `/email/campaign/${campaign}/recipients?limit=100`)).body as CampaignDelivery[])
      .map(({ recipient }) => recipient)
      .toSorted()

  it('REPORT-31 copies the campaign with a new subject for the recipients without an open by a person, and leaves out who clicked', async () => {
    const clickedOnly = crowd[0]!
    await writeEngagements(
      server,
      { workspaceId, campaignId: id },
      {
        ...acts,
        [clickedOnly]: { machineOpened: at('09:00'), clicked: at('09:40'), links: [1] },
      },
    )
    const made = await again(id)
    expect([made.status, made.body.subject, made.body.status]).toEqual([201, 'Second call', 'draft'])
    const original = (await call('GET', `/email/campaign/${id}`)).body as Campaign
    expect(made.body).toMatchObject({
      body: original.body,
      config_ids: original.config_ids,
      name: 'Spring (not opened)',
    })
    const left = crowd.filter((address) => address !== clickedOnly && address !== crowd[54])
    expect(await recipientsOf(made.body.id as string)).toEqual([di, flo, ...left].toSorted())
    await writeEngagements(server, { workspaceId, campaignId: id }, { ...acts, [clickedOnly]: {} })
  })

  it('leaves out who replied without opening', async () => {
    const answering = crowd[0]!
    await writeEngagements(server, { workspaceId, campaignId: id }, { ...acts, [answering]: { replied: at('09:40') } })
    const made = await again(id)
    expect(made.status).toBe(201)
    const left = crowd.filter((address) => address !== answering && address !== crowd[54])
    expect(await recipientsOf(made.body.id as string)).toEqual([di, flo, ...left].toSorted())
    await writeEngagements(server, { workspaceId, campaignId: id }, { ...acts, [answering]: {} })
  })

  it('keeps the values of each recipient and is made once for a repeated call', async () => {
    const key = { 'idempotency-key': 'resend-once' }
    const send = () =>
      server.call('POST', `/email/campaign/${id}/resend`, {
        token: user.token,
        headers: key,
        body: { to: 'not_opened', subject: 'Once' },
      })
    const [first, second] = [await send(), await send()]
    expect(second.body.id).toBe(first.body.id)
    expect((await call('GET', '/email/campaign?search=Once')).body).toHaveLength(1)
  })

  it('keeps the UTM parameters and the exemption from the frequency cap', async () => {
    const set = (utm: object, isExempt: boolean) =>
      server.sql('update campaigns set utm = $2, frequency_exempt = $3 where id = $1', [id, utm, isExempt])
    await set({ source: 'news' }, true)
    expect((await again(id, 'Tagged')).body).toMatchObject({ utm: { source: 'news' }, frequency_exempt: true })
    await set({}, false)
  })

  it('REPORT-33 answers 409 tracking_off for a campaign without tracking, and campaign_state where its state does not allow it', async () => {
    const { config_id: mailboxId } = (await call('GET', `/email/campaign/${id}`)).body as { config_id: string }
    const draft = { subject: 'Draft', body: '<p>x</p>', config_id: mailboxId, recipients: ['one@example.net'] }
    const { id: campaign } = (await call('POST', '/email/campaign', draft)).body as { id: string }
    const early = await again(campaign)
    expect([early.status, early.body.detail]).toEqual([409, 'The campaign is a draft; it cannot be resent.'])
    await call('POST', `/email/campaign/${campaign}/launch`, {})
    const status = async () => ((await call('GET', `/email/campaign/${campaign}`)).body as Campaign).status
    await vi.waitFor(async () => expect(await status()).toBe('finished'), { timeout: 40_000, interval: 50 })
    const off = await again(campaign)
    expect([off.status, off.body.detail]).toEqual([409, errors.tracking_off.sentence])
    const other = await createUser(server)
    const foreign = await call('POST', `/email/campaign/${id}/resend`, { to: 'not_opened', subject: 'x' }, other.token)
    expect([foreign.status, foreign.body.detail]).toEqual([404, errors.campaign_not_found.sentence])
  })
})

describe('exports and sorts', () => {
  it.each(['=1+1', '+1', '-1', '@a', '\t1', '\r1'])(
    'REPORT-13 a cell of the CSV that begins with %j is written with an apostrophe before it',
    async (reply) => {
      await server.sql('update deliveries set reply = $2 where campaign_id = $1 and recipient = $3', [id, reply, flo])
      const csv = (await call('GET', `/email/campaign/${id}/recipients/export?search=${flo}`)).text
      const [row] = parse<Record<string, string>>(csv, { columns: true, bom: true })
      expect(row).toMatchObject({ email: flo, reply: `'${reply}` })
    },
  )

  it('sorts campaigns by the people of a figure, over pages', async () => {
    const names = async (query: string) =>
      ((await call('GET', `/email/campaign?${query}`)).body as Campaign[]).map((one) => one.subject)
    expect((await names('sort=opened&limit=1'))[0]).toContain('Hello')
    expect((await names('sort=opened&order=asc')).at(-1)).toContain('Hello')
    const answer = await call('GET', '/email/campaign?sort=opened&limit=1')
    expect(answer.headers.get('x-next-cursor')).toBe(null)
    const all = await names('sort=sent')
    expect([(await names('sort=sent&limit=1'))[0], (await names('sort=sent&limit=1&offset=1'))[0]]).toEqual(
      all.slice(0, 2),
    )
  })
})
