import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AudienceCount } from '../../../contract/audience/campaign-audience.ts'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { startSmtpSink, type SmtpSink } from '../../../tests/support/smtp-sink.ts'

let sink: SmtpSink
let server: TestServer
let user: TestUser

beforeAll(async () => {
  sink = await startSmtpSink()
  server = await startTestServer({ SMTP_ALLOW: `127.0.0.1:${sink.port}` })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await sink.close()
})
beforeEach(async () => {
  user = await createUser(server)
  await call('PATCH', '/workspace', { postal_address: '1 Main Street\nSpringfield' })
})

const wait = { interval: 50 }
let number = 0
const someone = () => `person${++number}@example.org`
const call = (method: string, path: string, body?: object) =>
  server.call(method, path, { token: user.token, ...(body && { body }) })
const texts = { subject: 'News', body: '<p>Dear {{first_name | default: "reader"}}</p>' }
const create = async (changes: object) =>
  (await call('POST', '/email/campaign', { ...texts, config_id: user.mailboxId, ...changes })).body as Campaign
const act = (id: string, action: string, body: object = {}) => call('POST', `/email/campaign/${id}/${action}`, body)
const get = async (id: string) => (await call('GET', `/email/campaign/${id}`)).body as Campaign
const untilStatus = (id: string, status: string) => expect.poll(async () => (await get(id)).status, wait).toBe(status)
const idOf = async (answer: ReturnType<typeof call>) => String((await answer).body.id)
const addList = (name = `List ${++number}`) => idOf(call('POST', '/email/lists', { name }))
const addSegment = (rule: object, name = `Segment ${++number}`) => idOf(call('POST', '/email/segments', { name, rule }))
const addContacts = async (contacts: object[]) =>
  (await call('POST', '/email/contacts/batch', { contacts })).body.ids as string[]
/** Members of a list. */
const addMembers = (list: string, ...emails: string[]) =>
  addContacts(emails.map((email) => ({ email, list_ids: [list] })))
const count = async (id: string) => {
  const { text } = await call('GET', `/email/campaign/${id}/audience`)
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as AudienceCount).at(-1)
}
const recipientsOf = async (id: string) => {
  const { body } = await call('GET', `/email/campaign/${id}/recipients?limit=500`)
  return (body as { recipient: string; state: string }[])
    .map(({ recipient, state }) => `${recipient} ${state}`)
    .toSorted()
}
/** Sends a campaign and waits for its end; the recipients with their states. */
async function send(changes: object): Promise<string[]> {
  const { id } = await create(changes)
  expect((await act(id, 'launch')).status).toBe(200)
  await untilStatus(id, 'finished')
  return recipientsOf(id)
}
const sent = (...emails: string[]) => emails.map((email) => `${email} sent`).toSorted()

/** Holds the evaluation of lists, so that a campaign stays `preparing` until the release. */
async function holdEvaluation(): Promise<{ release: () => Promise<void> }> {
  const client = new pg.Client({ connectionString: server.database.url })
  await client.connect()
  await client.query('begin; lock table list_members in access exclusive mode')
  return { release: () => client.end() }
}
/** A campaign that stays `preparing`; its pasted recipient makes a check of the audience at the launch unnecessary. */
async function prepare(list: string): Promise<{ id: string; pasted: string; release: () => Promise<void> }> {
  const pasted = someone()
  const { id } = await create({ list_ids: [list], recipients: [pasted] })
  const { release } = await holdEvaluation()
  const launched = await act(id, 'launch')
  expect([launched.status, launched.body.status]).toEqual([200, 'preparing'])
  return { id, pasted, release }
}

describe('a campaign to an audience', () => {
  it('AUDIENCE-16 fills a merge variable from the field of a contact, and from the default of the template without one', async () => {
    const [list, ada, bo] = [await addList(), someone(), someone()]
    await call('POST', '/email/contact-fields', { key: 'city', label: 'City', type: 'text' })
    await addContacts([
      { email: ada, fields: { first_name: 'Ada', city: 'Berlin' }, list_ids: [list] },
      { email: bo, list_ids: [list] },
    ])
    const subject = 'News for {{First_Name | default: "you"}}'
    const body = '<p>Dear {{first_name | default: "reader"}} in {{city | default: "town"}}, {{email}}</p>'
    await send({ list_ids: [list], subject, body })
    const [toAda] = await server.mailsTo(ada)
    expect([toAda?.subject, toAda?.html]).toEqual([
      'News for Ada',
      expect.stringContaining(`Dear Ada in Berlin, ${ada}`),
    ])
    const [toBo] = await server.mailsTo(bo)
    expect([toBo?.subject, toBo?.html]).toEqual(['News for you', expect.stringContaining('Dear reader in town,')])
    const rows = await server.sql<{ context: object }>('select context from deliveries where recipient = $1', [ada])
    expect(rows).toEqual([{ context: { first_name: 'Ada', city: 'Berlin', email: ada } }])
  })

  it('AUDIENCE-20 sends nothing to people of an excluded list or segment, and counts them as left out', async () => {
    const [news, customers] = [await addList(), await addList()]
    const [reader, customer, ada, pasted] = [someone(), someone(), someone(), someone()]
    await addMembers(news, reader)
    await addContacts([
      { email: customer, list_ids: [news, customers] },
      { email: pasted, list_ids: [customers] },
      { email: ada, fields: { first_name: 'Ada' }, list_ids: [news] },
    ])
    const adas = await addSegment({ field: 1, op: 'is', value: 'Ada' })
    const { id } = await create({
      list_ids: [news],
      exclude_list_ids: [customers],
      exclude_segment_ids: [adas],
      recipients: [pasted],
    })
    await act(id, 'launch')
    await untilStatus(id, 'finished')
    expect(await recipientsOf(id)).toEqual([`${pasted} suppressed`, `${reader} sent`].toSorted())
    expect(await count(id)).toMatchObject({
      count: 1,
      left_out: [
        { reason: 'excluded', count: 2 },
        { reason: 'suppressed', count: 1 },
      ],
    })
  })

  it('AUDIENCE-21 is preparing after its launch, and sending once all recipients are there', async () => {
    const [list, people] = [await addList(), [someone(), someone(), someone()]]
    await addMembers(list, ...people)
    await server.sql('update email_configs set limit_per_minute = 1 where id = $1', [user.mailboxId])
    const { id, pasted, release } = await prepare(list)
    expect(await get(id)).toMatchObject({ status: 'preparing', started_at: null, counts: { total: 1, sent: 0 } })
    expect((await call('GET', '/email/campaign?status=preparing')).body).toMatchObject([{ id }])
    await release()
    await untilStatus(id, 'sending')
    expect((await get(id)).counts.total).toBe(4)
    expect((await recipientsOf(id)).map((line) => line.split(' ')[0])).toEqual([pasted, ...people].toSorted())
  })

  it('AUDIENCE-22 goes to contacts who join after it was saved and scheduled', async () => {
    const [list, early, late, fitting] = [await addList(), someone(), someone(), someone()]
    await addMembers(list, early)
    const segment = await addSegment({ field: 1, op: 'is', value: 'Ada' })
    const { id } = await create({ list_ids: [list], segment_ids: [segment] })
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString()
    expect((await act(id, 'launch', { scheduled_at })).body.status).toBe('scheduled')
    await addMembers(list, late)
    await addContacts([{ email: fitting, fields: { first_name: 'ADA' } }])
    await server.sql(`update campaigns set scheduled_at = now() where id = $1`, [id])
    await untilStatus(id, 'finished')
    expect(await recipientsOf(id)).toEqual(sent(early, late, fitting))
  })

  it('AUDIENCE-23 sends one mail to a person in two lists and among the pasted recipients', async () => {
    const [first, second, person, other] = [await addList(), await addList(), someone(), someone()]
    await addContacts([{ email: person, list_ids: [first, second] }])
    await addMembers(second, other)
    const recipients = [{ email: person.toUpperCase(), context: { first_name: 'Pasted' } }]
    const { id } = await create({ list_ids: [first, second], recipients })
    await act(id, 'launch')
    await untilStatus(id, 'finished')
    const mails = await server.mailsTo(person.toUpperCase().replace('EXAMPLE.ORG', 'example.org'))
    expect(mails.map(({ html }) => html?.includes('Pasted'))).toEqual([true])
    expect((await get(id)).counts).toMatchObject({ total: 2, sent: 2 })
    expect(await count(id)).toMatchObject({ count: 2, left_out: [{ reason: 'duplicate', count: 1 }] })
  })

  it('AUDIENCE-24 sends nothing to people who are unsubscribed, bounced, complained, suppressed or paused, and counts them', async () => {
    const list = await addList()
    const reasons = ['unsubscribed', 'bounced', 'complained', 'manual', 'paused', 'active']
    const people = new Map(reasons.map((reason) => [reason, someone()]))
    await addMembers(list, ...people.values())
    await call('POST', '/email/suppressions', { emails: [people.get('manual')] })
    for (const status of ['unsubscribed', 'bounced', 'complained'])
      await server.sql('update contacts set status = $2 where email = $1', [people.get(status), status])
    await server.sql(`update contacts set paused_until = now() + interval '1 day' where email = $1`, [
      people.get('paused'),
    ])
    const { id } = await create({ list_ids: [list] })
    const leftOut = ['unsubscribed', 'bounced', 'complained', 'suppressed', 'paused'].map((reason) => ({
      reason,
      count: 1,
    }))
    expect(await count(id)).toMatchObject({ count: 1, left_out: leftOut })
    await act(id, 'launch')
    await untilStatus(id, 'finished')
    expect(await recipientsOf(id)).toEqual(sent(people.get('active') ?? ''))
    expect(await count(id)).toMatchObject({ count: 1, left_out: leftOut })
  })

  it('LISTS-08 sends nothing to a member that is unsubscribed from the list', async () => {
    const [list, member, gone] = [await addList(), someone(), someone()]
    await addMembers(list, member, gone)
    await server.sql(
      `update list_members set state = 'unsubscribed' where contact_id = (select id from contacts where email = $1)`,
      [gone],
    )
    expect(await send({ list_ids: [list] })).toEqual(sent(member))
    const members = (await call('GET', `/email/contacts?list_id=${list}`)).body as { email: string }[]
    expect(members.map(({ email }) => email).toSorted()).toEqual([member, gone].toSorted())
  })

  it('LISTS-09 sends nothing to a member that is not confirmed', async () => {
    const [list, member, pending] = [await addList(), someone(), someone()]
    await addMembers(list, member, pending)
    await server.sql(
      `update list_members set state = 'pending' where contact_id = (select id from contacts where email = $1)`,
      [pending],
    )
    expect(await send({ list_ids: [list] })).toEqual(sent(member))
  })

  it('AUDIENCE-25 sends nothing to a contact that unsubscribes while it is preparing', async () => {
    const [list, stays, leaves] = [await addList(), someone(), someone()]
    await addMembers(list, stays, leaves)
    const { id, pasted, release } = await prepare(list)
    await call('POST', '/email/suppressions', { emails: [leaves, pasted] })
    await release()
    await untilStatus(id, 'finished')
    const states = await recipientsOf(id)
    expect(states).toContain(`${stays} sent`)
    expect(states.filter((line) => line.endsWith(' sent'))).toHaveLength(1)
  })

  it('sends nothing to an erased address', async () => {
    const [list, stays, erased] = [await addList(), someone(), someone()]
    await addMembers(list, stays, erased)
    await server.sql(
      `insert into erased_addresses (workspace_id, address_hash, reason, at)
       select w.id, substr(sha256(w.address_salt || convert_to($1, 'UTF8')), 1, 16), 'erased', now()
       from workspaces w join contacts c on c.workspace_id = w.id and c.email = $1`,
      [erased],
    )
    expect(await send({ list_ids: [list] })).toEqual(sent(stays))
  })

  it('leaves out people whose values make the mail too large, and counts them', async () => {
    const [list, small, large] = [await addList(), someone(), someone()]
    await addContacts([
      { email: small, fields: { first_name: 'Ada' }, list_ids: [list] },
      { email: large, fields: { first_name: 'x'.repeat(2000) }, list_ids: [list] },
    ])
    const { id } = await create({ list_ids: [list], subject: 'For {{first_name}}' })
    await act(id, 'launch')
    await untilStatus(id, 'finished')
    expect(await recipientsOf(id)).toEqual(sent(small))
    expect((await count(id))?.left_out).toEqual([{ reason: 'too_large', count: 1 }])
  })

  it('is shared by its mailboxes', async () => {
    const at = { smtp_host: '127.0.0.1', smtp_port: sink.port, smtp_security: 'none' }
    const mailbox = { email_address: 'second@example.com', provider: 'other', app_password: 'any', ...at }
    const second = await idOf(call('POST', '/email/config', mailbox))
    const list = await addList()
    await addMembers(list, ...Array.from({ length: 40 }, someone))
    await server.sql('update email_configs set limit_per_minute = 10 where id = any($1)', [[second, user.mailboxId]])
    const { id } = await create({ list_ids: [list], config_id: undefined, config_ids: [user.mailboxId, second] })
    await act(id, 'launch')
    await untilStatus(id, 'sending')
    const shares = await server.sql<{ count: number }>(
      'select count(*)::int as count from deliveries where campaign_id = $1 group by config_id',
      [id],
    )
    expect(shares).toEqual([{ count: 20 }, { count: 20 }])
  })
})

describe('a campaign that is preparing', () => {
  it('AUDIENCE-26 is paused and resumed, and every recipient gets one mail; cancelled, none does', async () => {
    const [list, people] = [await addList(), [someone(), someone(), someone()]]
    await addMembers(list, ...people)
    const first = await prepare(list)
    const paused = await act(first.id, 'pause')
    expect([paused.status, paused.body.status]).toEqual([200, 'paused'])
    await first.release()
    const resumed = await act(first.id, 'resume')
    expect([resumed.status, resumed.body.status]).toEqual([200, 'preparing'])
    await untilStatus(first.id, 'finished')
    expect(await recipientsOf(first.id)).toEqual(sent(first.pasted, ...people))

    const second = await prepare(list)
    const cancelled = await act(second.id, 'cancel')
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled'])
    await second.release()
    expect((await act(second.id, 'resume')).status).toBe(409)
    // One campaign is prepared at a time: the cancelled one is not any more.
    await send({ list_ids: [list] })
    expect(await recipientsOf(second.id)).toEqual([`${second.pasted} cancelled`])
  })

  it('is prepared after a pause before its scheduled time', async () => {
    const [list, person] = [await addList(), someone()]
    await addMembers(list, person)
    const { id } = await create({ list_ids: [list] })
    await act(id, 'launch', { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() })
    await act(id, 'pause')
    await server.sql(`update campaigns set scheduled_at = now() where id = $1`, [id])
    expect((await act(id, 'resume')).body.status).toBe('preparing')
    await untilStatus(id, 'finished')
    expect(await recipientsOf(id)).toEqual(sent(person))
  })

  it('takes no recipients and no changes', async () => {
    const list = await addList()
    const { id, release } = await prepare(list)
    const answer = await call('PATCH', `/email/campaign/${id}`, { subject: 'Other' })
    expect([answer.status, answer.body.detail]).toEqual([409, expect.stringContaining('being prepared')])
    await release()
  })
})

describe('a launch', () => {
  it('AUDIENCE-28 with an empty audience is refused with campaign_empty, and the campaign stays a draft', async () => {
    const [list, gone] = [await addList(), someone()]
    const { id } = await create({ list_ids: [list] })
    const refused = () => act(id, 'launch')
    expect(await refused()).toMatchObject({
      status: 409,
      body: { detail: 'The campaign has no recipients. Add some first.' },
    })
    await addMembers(list, gone)
    await call('POST', '/email/suppressions', { emails: [gone] })
    expect((await refused()).status).toBe(409)
    expect((await get(id)).status).toBe('draft')
  })

  it('AUDIENCE-29 with a segment that refers to a deleted field or list is refused with a sentence that names it', async () => {
    await addContacts([{ email: someone(), fields: { first_name: 'Ada' } }])
    const { no } = (await call('POST', '/email/contact-fields', { key: 'plan', label: 'Plan', type: 'text' })).body
    const list = await addList('Customers')
    const everyone = { field: 'email', op: 'is_set' }
    const byField = await addSegment({ any: [everyone, { field: no, op: 'is', value: 'Gold' }] }, 'Golden')
    const byList = await addSegment({ any: [everyone, { list, op: 'member_of' }] }, 'Buyers')
    const outer = await addSegment({ any: [everyone, { segment: byList, op: 'member_of' }] })
    await call('DELETE', `/email/contact-fields/${no}?force=true`)
    await call('DELETE', `/email/lists/${list}`)
    for (const [segment, names] of [
      [byField, ['“Golden”', 'field “Plan”']],
      [outer, ['“Buyers”', 'list “Customers”']],
    ] as const) {
      const { id } = await create({ segment })
      const answer = await act(id, 'launch')
      expect(answer.status).toBe(409)
      for (const name of names) expect(answer.body.detail).toContain(name)
      expect((await get(id)).status).toBe('draft')
    }
  })

  it('of a scheduled campaign fails at its time where its list was deleted meanwhile', async () => {
    const list = await addList('Friends')
    await addMembers(list, someone())
    const { id } = await create({ list_ids: [list] })
    await act(id, 'launch', { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() })
    await call('DELETE', `/email/lists/${list}`)
    await server.sql(`update campaigns set scheduled_at = now() where id = $1`, [id])
    await untilStatus(id, 'failed')
    expect((await get(id)).status_reason).toContain('list “Friends”')
  })
})
