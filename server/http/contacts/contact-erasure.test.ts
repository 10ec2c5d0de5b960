import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ContactDetail } from '../../../contract/audience/contact.ts'
import { errors } from '../../../contract/core/errors.ts'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let user: TestUser
/** The person to be erased, and another one. */
let ada: string
let bo: string

const server = await useServer()
beforeEach(async () => {
  user = await createUser(server)
  await server.call('PATCH', '/workspace', { token: user.token, body: { postal_address: '1 Main Street' } })
  ada = `Ada.${user.email}`
  bo = `bo.${user.email}`
})

const wait = { interval: 50 }
const call = (method: string, path: string, body?: object) =>
  server.call(method, path, { token: user.token, ...(body && { body }) })
const add = async (email: string) => (await call('POST', '/email/contacts', { email })).body as ContactDetail
const erase = (id: string) => call('POST', `/email/contacts/${id}/erase`)
const erasePerson = async (email: string) => erase((await add(email)).id)
const campaignOf = async (recipients: readonly string[]) => {
  const body = {
    subject: 'News',
    body: '<p>{{name}}</p>',
    config_id: user.mailboxId,
    context: { name: 'you' },
    recipients,
  }
  return (await call('POST', '/email/campaign', body)).body as Campaign
}
const launch = (id: string) => call('POST', `/email/campaign/${id}/launch`, {})
const untilFinished = (id: string) =>
  expect.poll(async () => ((await call('GET', `/email/campaign/${id}`)).body as Campaign).status, wait).toBe('finished')
const countsOf = async (id: string) => ((await call('GET', `/email/campaign/${id}`)).body as Campaign).counts
const mailsTo = async (email: string) =>
  (await server.call('GET', `/sandbox/messages?to=${encodeURIComponent(email)}`)).body as unknown[]
const recipientsOf = async (id: string) =>
  (
    await server.sql<{ recipient: string }>('select recipient from deliveries where campaign_id = $1 order by id', [id])
  ).map(({ recipient }) => recipient)
const pause = () =>
  server.sql(`update email_configs set status = 'paused', paused_until = now() + interval '1 hour' where id = $1`, [
    user.mailboxId,
  ])
const resume = () =>
  server.sql(`update email_configs set status = 'active', paused_until = null where id = $1`, [user.mailboxId])
const send = (recipients: readonly string[]) =>
  server.call('POST', `/api/send-mail/${user.secretKey}`, {
    body: { recipient_list: recipients, subject: 'Hello', content: 'Hello' },
  })

describe('an erasure', () => {
  it('EXPORT-11 leaves no contact, and a search for the address finds nothing', async () => {
    const { id } = await add(ada)
    expect((await erase(id)).status).toBe(204)
    const found = await call('GET', `/email/contacts/${id}`)
    expect([found.status, found.body.detail]).toEqual([404, errors.contact_not_found.sentence])
    expect((await call('GET', `/email/contacts?search=${encodeURIComponent(ada)}`)).body).toEqual([])
    expect((await erase(id)).status).toBe(404)
  })

  it('EXPORT-12 takes the address off the suppressions, and the person still gets no mail', async () => {
    await call('POST', '/email/suppressions', { emails: [ada] })
    await erasePerson(ada)
    expect((await call('GET', `/email/suppressions?email=${encodeURIComponent(ada)}`)).body).toEqual([])
    expect((await send([ada, bo])).body).toMatchObject({ accepted: 1, suppressed: 1 })
    await server.mailsTo(bo)
    expect(await mailsTo(ada)).toEqual([])
  })

  it('does not bring the address back to the suppressions', async () => {
    await erasePerson(ada)
    expect((await call('POST', '/email/suppressions', { emails: [ada, bo] })).body).toEqual({ added: 1 })
    expect((await call('GET', '/email/suppressions')).body).toHaveLength(1)
  })

  it('EXPORT-13 keeps a campaign from the address and counts it as left out', async () => {
    await erasePerson(ada)
    const { id } = await campaignOf([ada, bo])
    await launch(id)
    await untilFinished(id)
    expect(await countsOf(id)).toMatchObject({ total: 2, sent: 1, suppressed: 1 })
    expect(await mailsTo(ada)).toEqual([])
    expect(await recipientsOf(id)).not.toContain(ada)
  })

  it('holds back mails that wait in the queue already', async () => {
    const { id: contactId } = await add(ada)
    await pause()
    const { id } = await campaignOf([ada, bo])
    await launch(id)
    await erase(contactId)
    await resume()
    await untilFinished(id)
    expect(await countsOf(id)).toMatchObject({ sent: 1, suppressed: 1 })
    expect(await mailsTo(ada)).toEqual([])
  })

  it('EXPORT-14 removes the address from the recipients of past campaigns within a day', async () => {
    const old = `old.${ada}`
    const { id: contactId } = await add(old)
    const first = await campaignOf([old, bo])
    await launch(first.id)
    await untilFinished(first.id)
    await call('PATCH', `/email/contacts/${contactId}`, { email: ada })
    const { id } = await campaignOf([ada, bo])
    await launch(id)
    await untilFinished(id)
    await erase(contactId)
    await server.sql(`update erased_addresses set at = at - interval '2 minutes'`)
    await expect.poll(() => recipientsOf(id), wait).toEqual(['(erased)', bo])
    expect(await recipientsOf(first.id)).toEqual(['(erased)', bo])
    const pending = () => server.sql('select from erased_addresses where removed_at is null')
    await expect.poll(pending, wait).toEqual([])
    const hash = createHash('sha256').update(ada.toLowerCase()).digest().subarray(0, 16)
    expect(await server.sql('select from campaign_recipients where address_hash = $1', [hash])).toEqual([])
    const rows = await server.sql(
      `select context, reply from deliveries where recipient = '(erased)' and campaign_id = any($1::uuid[])`,
      [[id, first.id]],
    )
    expect(rows).toEqual([
      { context: null, reply: null },
      { context: null, reply: null },
    ])
  })

  it('refuses the address in every call that adds contacts, and names its place', async () => {
    await erasePerson(ada)
    const other = await add(bo)
    for (const [method, path, body, loc] of [
      ['POST', '/email/contacts', { email: ada }, ['body', 'email']],
      ['PATCH', `/email/contacts/${other.id}`, { email: ada.toUpperCase() }, ['body', 'email']],
      [
        'POST',
        '/email/contacts/batch',
        { contacts: [{ email: bo }, { email: ada }] },
        ['body', 'contacts', 1, 'email'],
      ],
    ] as const) {
      const answer = await call(method, path, body)
      expect([answer.status, answer.body.detail[0].loc]).toEqual([422, loc])
    }
  })

  it('of a contact of another workspace answers 404', async () => {
    const { id } = await add(ada)
    const stranger = await createUser(server)
    expect((await server.call('POST', `/email/contacts/${id}/erase`, { token: stranger.token })).status).toBe(404)
    expect((await call('GET', `/email/contacts/${id}`)).status).toBe(200)
  })

  it('deletes what imports keep of the person', async () => {
    const contact = await add(ada)
    const [own] = await server.sql<{ id: string }>(
      `insert into imports (workspace_id, file_sha256, file_name, file_size_bytes, state, created_at)
       select workspace_id, '\\x01', 'a.csv', 1, 'done', now() from contacts where id = $1 returning id`,
      [contact.id],
    )
    const scope = 'select workspace_id from imports where id = $1'
    await server.sql(
      `insert into import_overwrites (workspace_id, import_id, contact_id, before) values ((${scope}), $1, $2, '{}')`,
      [own?.id, contact.id],
    )
    await server.sql(
      `insert into import_refusals (workspace_id, import_id, line, reason, cells)
       values ((${scope}), $1, 1, 'x', array['Ada', $2]), ((${scope}), $1, 2, 'x', array['Bo', $3])`,
      [own?.id, `<${ada}>`, bo],
    )
    await server.sql(
      `insert into blobs (workspace_id, sha256, size_bytes, content_type, chunk_count, created_at)
       values ((${scope}), '\\x01', 1, 'text/csv', 1, now())`,
      [own?.id],
    )
    await erase(contact.id)
    const kept = await server.sql(
      `select (select count(*)::int from import_overwrites where import_id = $1) as overwrites,
         (select array_agg(line::int) from import_refusals where import_id = $1) as refusals,
         (select count(*)::int from blobs where sha256 = '\\x01') as files`,
      [own?.id],
    )
    expect(kept).toEqual([{ overwrites: 0, refusals: [2], files: 0 }])
  })
})
