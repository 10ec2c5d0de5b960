import { beforeEach, describe, expect, it } from 'vitest'
import type { Contact, ContactCount, ContactDetail, TimelineEntry } from '../../../contract/audience/contact.ts'
import { errors } from '../../../contract/core/errors.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let user: TestUser

const server = await useServer()
beforeEach(async () => {
  user = await createUser(server)
})

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, token = user.token) =>
  server.call(method, path, { token, ...(body && { body }) })
const create = async (body: object) => (await call('POST', '/email/contacts', body)).body as ContactDetail
const batch = (contacts: object[]) => call('POST', '/email/contacts/batch', { contacts })
const list = async (query: Record<string, string> = {}) =>
  (await call('GET', `/email/contacts?${new URLSearchParams(query)}`)).body as Contact[]
const emails = async (query: Record<string, string> = {}) => (await list(query)).map(({ email }) => email)

describe('a contact', () => {
  it('is created with values of its fields and read back', async () => {
    const made = await create({
      email: 'Ada@Example.org',
      fields: { first_name: ' Ada ', last_name: 'Lovelace' },
      timezone: 'Europe/London',
      locale: 'en-GB',
    })
    expect(made).toMatchObject({
      email: 'Ada@example.org',
      status: 'active',
      fields: { first_name: 'Ada', last_name: 'Lovelace' },
      timezone: 'Europe/London',
      locale: 'en-GB',
      source: 'manual',
      lists: [],
      consents: [],
      suppression: null,
    })
    expect((await call('GET', `/email/contacts/${made.id}`)).body).toEqual(made)
  })

  it('CONTACTS-22 with the address of another one answers 409 and leaves that one as it is', async () => {
    const made = await create({ email: 'ada@example.org', fields: { first_name: 'Ada' } })
    const again = await call('POST', '/email/contacts', { email: 'ADA@example.org', fields: { first_name: 'Bo' } })
    expect([again.status, again.body.detail]).toEqual([409, errors.contact_exists.sentence])
    expect((await call('GET', `/email/contacts/${made.id}`)).body).toEqual(made)
  })

  it('CONTACTS-23 with an unknown id, or of another workspace, answers 404', async () => {
    const { id } = await create({ email: 'ada@example.org' })
    const stranger = await createUser(server)
    for (const [path, token] of [
      ['/email/contacts/999999999', user.token],
      [`/email/contacts/${id}`, stranger.token],
    ] as const) {
      for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
        const answer = await call(method, path, method === 'PATCH' ? {} : undefined, token)
        expect([answer.status, answer.body.detail], `${method} ${path}`).toEqual([
          404,
          errors.contact_not_found.sentence,
        ])
      }
    }
    expect((await call('GET', `/email/contacts/${id}`)).status).toBe(200)
  })

  it('is changed in what is given, and null removes a value', async () => {
    const { id } = await create({
      email: 'ada@example.org',
      fields: { first_name: 'Ada', last_name: 'L' },
      locale: 'en',
    })
    const changes = { email: 'ada.l@example.org', fields: { last_name: null }, timezone: 'UTC' }
    const changed = (await call('PATCH', `/email/contacts/${id}`, changes)).body as ContactDetail
    expect(changed).toMatchObject({
      id,
      email: 'ada.l@example.org',
      fields: { first_name: 'Ada' },
      locale: 'en',
      timezone: 'UTC',
    })
    await create({ email: 'bo@example.org' })
    const taken = await call('PATCH', `/email/contacts/${id}`, { email: 'bo@example.org' })
    expect([taken.status, taken.body.detail]).toEqual([409, errors.contact_exists.sentence])
  })

  it.each([
    [{ email: 'no address' }, ['body', 'email']],
    [{ email: 'a@example.org', timezone: 'Mars/Olympus' }, ['body', 'timezone']],
    [{ email: 'a@example.org', locale: 'not a language' }, ['body', 'locale']],
    [{ email: 'a@example.org', fields: { city: 'Ulm' } }, ['body', 'fields', 'city']],
    [{ email: 'a@example.org', fields: { first_name: 5 } }, ['body', 'fields', 'first_name']],
  ])('%j is refused, and the place is named', async (body, loc) => {
    const answer = await call('POST', '/email/contacts', body)
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, loc])
    expect(await list()).toEqual([])
  })

  it('FIELDS-12 keeps its value when a longer one than 10,000 characters is refused', async () => {
    const { id } = await create({ email: 'ada@example.org', fields: { first_name: 'Ada' } })
    const answer = await call('PATCH', `/email/contacts/${id}`, { fields: { first_name: 'x'.repeat(10_001) } })
    expect([answer.status, answer.body.detail[0].msg]).toEqual([422, 'takes at most 10000 characters'])
    expect(((await call('GET', `/email/contacts/${id}`)).body as ContactDetail).fields).toEqual({ first_name: 'Ada' })
  })

  it('FIELDS-13 of more than 64 kB is refused, and the contact stays as it was', async () => {
    for (const at of Array(8).keys()) await call('POST', '/email/contact-fields', { key: `note_${at}` })
    const value = 'x'.repeat(9000)
    const { id } = await create({ email: 'ada@example.org', fields: { note_0: value, note_1: value, note_2: value } })
    const fields = Object.fromEntries([3, 4, 5, 6, 7].map((at) => [`note_${at}`, value]))
    const answers = [
      await call('PATCH', `/email/contacts/${id}`, { fields }),
      await batch([{ email: 'bo@example.org' }, { email: 'ada@example.org', fields }]),
    ]
    expect(answers.map(({ status, body }) => [status, body.detail[0].type])).toEqual([
      [422, 'too_large'],
      [422, 'too_large'],
    ])
    const kept = (await call('GET', `/email/contacts/${id}`)).body as ContactDetail
    expect(Object.keys(kept.fields)).toHaveLength(3)
    expect(await emails()).toEqual(['ada@example.org'])
  })
})

describe('a batch of contacts', () => {
  it('CONTACTS-24 adds the new addresses and changes the others', async () => {
    await create({ email: 'ada@example.org', fields: { first_name: 'Ada', last_name: 'L' } })
    const { status, body } = await batch([
      { email: 'bo@example.org', fields: { first_name: 'first' } },
      { email: 'ADA@example.org', fields: { first_name: 'Augusta' } },
      { email: 'bo@example.org', fields: { first_name: 'Bo' } },
    ])
    expect([status, body.added, body.updated, body.ids.length]).toEqual([200, 1, 1, 3])
    expect((await list({ sort: 'email' })).map(({ fields }) => fields)).toEqual([
      { first_name: 'Augusta', last_name: 'L' },
      { first_name: 'Bo' },
    ])
  })

  it('CONTACTS-25 of 1,001 is refused and writes none', async () => {
    const contacts = Array.from({ length: 1001 }, (_, at) => ({ email: `c${at}@example.org` }))
    expect((await batch(contacts)).status).toBe(422)
    expect(await list()).toEqual([])
    expect((await batch(contacts.slice(1))).body.added).toBe(1000)
  })

  it('FIELDS-14 with an unknown field is refused, names it and writes none', async () => {
    const answer = await batch([{ email: 'a@example.org' }, { email: 'b@example.org', fields: { citty: 'Ulm' } }])
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', 'contacts', 1, 'fields', 'citty']])
    expect(await list()).toEqual([])
  })

  it('makes contacts members of lists', async () => {
    const { id } = (await call('POST', '/email/lists', { name: 'News' })).body as { id: string }
    await batch([{ email: 'a@example.org', list_ids: [id] }, { email: 'b@example.org' }])
    expect(await emails({ list_id: id })).toEqual(['a@example.org'])
    const unknown = await batch([{ email: 'c@example.org', list_ids: ['99999'] }])
    expect([unknown.status, unknown.body.detail]).toEqual([404, errors.list_not_found.sentence])
    expect(await emails()).toHaveLength(2)
  })
})

describe('the list of contacts', () => {
  it('CONTACTS-26 gives every contact once by cursor, also while contacts are added', async () => {
    await batch(Array.from({ length: 25 }, (_, at) => ({ email: `c${at}@example.org` })))
    for (const sort of ['newest', 'email', 'last_activity']) {
      const seen: string[] = []
      let cursor: string | null = null
      for (let page = 0; page < 20; page++) {
        const query = new URLSearchParams({ limit: '10', sort, ...(cursor !== null && { cursor }) })
        const answer = await call('GET', `/email/contacts?${query}`)
        expect(answer.status).toBe(200)
        seen.push(...(answer.body as Contact[]).map(({ email }) => email))
        cursor = answer.headers.get('x-next-cursor')
        if (cursor === null) break
        await create({ email: `later-${sort}-${page}@example.net` })
      }
      const first = seen.filter((email) => /^c\d+@/.test(email))
      expect(new Set(seen).size, sort).toBe(seen.length)
      expect(first, sort).toHaveLength(25)
    }
  })

  it('refuses a cursor that no list returned', async () => {
    for (const cursor of [
      'x',
      Buffer.from('["email","a",1]').toString('base64url'),
      Buffer.from('["newest","1","x"]').toString('base64url'),
    ]) {
      const answer = await call('GET', `/email/contacts?cursor=${cursor}`)
      expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['query', 'cursor']])
    }
  })

  it('is found by a name behind 20,000 newer contacts, with newer ones of the same name, page by page', async () => {
    const listId = (await call('POST', '/email/lists', { name: 'Friends' })).body.id as string
    await create({ email: 'older@example.org', fields: { first_name: 'Grace' } })
    await create({
      email: 'gone@example.org',
      fields: { first_name: 'Bo', last_name: 'HOPPER' },
      list_ids: [listId],
    })
    await call('POST', '/email/suppressions', { emails: ['gone@example.org'] })
    await server.sql(
      `insert into contacts (workspace_id, email, email_key, fields, source, created_at, updated_at)
       select w.workspace_id, 'p' || n || '@example.com', 'p' || n || '@example.com',
         case when n > 20098 then '{"1": "Grace", "2": "Hopper"}' else '{"2": "Hopper"}' end::jsonb, 'import', now(), now()
       from (select workspace_id from contacts where email = 'older@example.org') w, generate_series(1, 20100) as n`,
    )
    expect(await emails({ search: 'grace' })).toEqual(['p20100@example.com', 'p20099@example.com', 'older@example.org'])
    expect(await emails({ search: 'grace', limit: '2' })).toEqual(['p20100@example.com', 'p20099@example.com'])
    expect(await emails({ search: 'olde' })).toEqual(['older@example.org'])
    expect(await emails({ search: 'olde', status: 'manual' })).toEqual([])
    // More contacts of the name than are read first have another status, and are on no list.
    expect(await emails({ search: 'hopp', status: 'manual' })).toEqual(['gone@example.org'])
    expect(await emails({ search: 'hopp', list_id: listId })).toEqual(['gone@example.org'])
    expect(await emails({ search: 'bo', sort: 'last_activity' })).toEqual(['gone@example.org'])
    expect(await emails({ search: 'grace', sort: 'email' })).toHaveLength(3)
    await server.sql("delete from contacts where source = 'import'")
  })

  it('CONTACTS-03 is searched by the beginning of an address, by domain, and by first or last name', async () => {
    await batch([
      { email: 'ada@example.org', fields: { first_name: 'Ada', last_name: 'Lovelace' } },
      { email: 'bo_x@mail.example.com', fields: { first_name: 'Bo', last_name: 'ADAMS' } },
      { email: 'cy@example.net', fields: { first_name: 'Cy%' } },
    ])
    expect(await emails({ search: 'ada' })).toEqual(['bo_x@mail.example.com', 'ada@example.org'])
    expect(await emails({ search: '@mail.exa' })).toEqual(['bo_x@mail.example.com'])
    expect(await emails({ search: 'ada@ex' })).toEqual(['ada@example.org'])
    expect(await emails({ search: 'lovel' })).toEqual(['ada@example.org'])
    expect(await emails({ search: 'cy%' })).toEqual(['cy@example.net'])
    expect(await emails({ search: 'boxx' })).toEqual([])
    expect(await emails({ search: ' ' })).toHaveLength(3)
  })

  it('is narrowed by status, and by a rule', async () => {
    await batch([{ email: 'ada@example.org', fields: { first_name: 'Ada' } }, { email: 'bo@example.org' }])
    await call('POST', '/email/suppressions', { emails: ['bo@example.org'] })
    expect(await emails({ status: 'manual' })).toEqual(['bo@example.org'])
    expect(await emails({ rule: JSON.stringify({ field: 1, op: 'is', value: 'ADA' }) })).toEqual(['ada@example.org'])
    const answer = await call(
      'GET',
      `/email/contacts?${new URLSearchParams({ rule: '{"field":77,"op":"is","value":"x"}' })}`,
    )
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['query', 'rule', 'field']])
  })

  it('CONTACTS-27 is counted, first as an estimate where there are many', async () => {
    await server.sql(
      `insert into contacts (workspace_id, email, email_key, source, created_at, updated_at)
       select m.workspace_id, 'c' || n || '@example.org', 'c' || n || '@example.org', 'api', now(), now()
       from members m join users u on u.id = m.user_id cross join generate_series(1, 30000) n where u.email = $1`,
      [user.email],
    )
    const { text } = await call('GET', '/email/contacts/count')
    const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as ContactCount)
    expect(events.map((event) => event.is_estimate)).toEqual([true, false])
    expect(events[0]?.count).toBeCloseTo(30_000, -3)
    expect(events[1]?.count).toBe(30_000)
  })
})

it('CONTACTS-28 a secret key and an embed session reach no contact call', async () => {
  const { id } = await create({ email: 'ada@example.org' })
  for (const [method, path] of [
    ['GET', '/email/contacts'],
    ['GET', `/email/contacts/${id}`],
    ['PATCH', `/email/contacts/${id}`],
  ] as const) {
    const answer = await server.call(method, path, { token: user.secretKey, ...(method === 'PATCH' && { body: {} }) })
    expect([answer.status, answer.text.includes('ada@example.org')], path).toEqual([401, false])
  }
})

describe('the status of a contact', () => {
  it('CONTACTS-33 follows the suppression of its address', async () => {
    const { id } = await create({ email: 'ada@example.org' })
    const status = async () => ((await call('GET', `/email/contacts/${id}`)).body as ContactDetail).status
    await call('POST', '/email/suppressions', { emails: ['Ada@example.org'], reason: 'bounced' })
    expect(await status()).toBe('bounced')
    await call('POST', '/email/suppressions', { emails: ['ada@example.org'], reason: 'complained' })
    expect(await status()).toBe('complained')
    const detail = (await call('GET', `/email/contacts/${id}`)).body as ContactDetail
    expect(detail.suppression).toMatchObject({ reason: 'complained' })
    await call('DELETE', `/email/suppressions/${detail.suppression?.id}?consented=true`)
    expect(await status()).toBe('active')
  })

  it('is that of a suppression that was there before', async () => {
    await call('POST', '/email/suppressions', { emails: ['ada@example.org'], reason: 'unsubscribed' })
    expect((await create({ email: 'ada@example.org' })).status).toBe('unsubscribed')
  })
})

it('the timeline of a contact shows its creation and its memberships, newest first', async () => {
  const { id: listId } = (await call('POST', '/email/lists', { name: 'News' })).body as { id: string }
  const { id } = await create({ email: 'ada@example.org', list_ids: [listId] })
  const entries = async () =>
    ((await call('GET', `/email/contacts/${id}/timeline`)).body as TimelineEntry[])
      .map(({ kind, title, detail }) => [kind, title, detail])
      .toSorted()
  // A membership is shown as it is until its change is digested.
  await expect.poll(entries).toEqual([
    ['created', 'manual', ''],
    ['list_joined', 'News', ''],
  ])
})

it('CONTACTS-31 its pages give every entry once, also of one time', async () => {
  const { id } = await create({ email: 'ada@example.org' })
  await server.sql(
    `with made as (
       insert into lists (workspace_id, name, created_at)
       select workspace_id, 'List ' || n, now() from contacts, generate_series(1, 120) n where id = $1 returning workspace_id, id
     ) insert into list_members (workspace_id, list_id, contact_id, state, at)
     select workspace_id, id, $1, 'subscribed', now() from made`,
    [id],
  )
  const seen: string[] = []
  let cursor: string | null = ''
  for (let page = 0; page < 5 && cursor !== null; page++) {
    const answer = await call('GET', `/email/contacts/${id}/timeline${cursor && `?cursor=${cursor}`}`)
    seen.push(...(answer.body as TimelineEntry[]).map(({ kind, title }) => `${kind} ${title}`))
    cursor = answer.headers.get('x-next-cursor')
  }
  expect([seen.length, new Set(seen).size]).toEqual([121, 121])
  const wrong = Buffer.from('["2026-01-01T00:00:00Z","x"]').toString('base64url')
  expect((await call('GET', `/email/contacts/${id}/timeline?cursor=${wrong}`)).status).toBe(422)
})

it('CONTACTS-32 the timeline shows what was sent to the addresses before the present one', async () => {
  await call('PATCH', '/workspace', { postal_address: '1 Main Street' })
  const { id } = await create({ email: 'Ada@example.org' })
  const send = async (name: string, email: string) => {
    const campaign = { name, subject: name, body: '<p>Hello</p>', config_id: user.mailboxId, recipients: [{ email }] }
    const { body } = await call('POST', '/email/campaign', campaign)
    expect((await call('POST', `/email/campaign/${body.id}/launch`, {})).status).toBe(200)
  }
  const campaigns = async () =>
    ((await call('GET', `/email/contacts/${id}/timeline`)).body as TimelineEntry[])
      .filter(({ kind }) => kind === 'campaign')
      .map(({ title }) => title)
      .toSorted()
  await send('First', 'ada@Example.org')
  await call('PATCH', `/email/contacts/${id}`, { email: 'ada.lovelace@example.org' })
  await send('Second', 'ada.lovelace@example.org')
  await call('PATCH', `/email/contacts/${id}`, { email: 'ada.king@example.org' })
  await send('Somebody else', 'bo@example.org')
  expect(await campaigns()).toEqual(['First', 'Second'])
})

it('LISTS-07 members of a list are shown with their state on it, and no others are', async () => {
  const { id: listId } = (await call('POST', '/email/lists', { name: 'News' })).body as { id: string }
  await create({ email: 'in@example.org', list_ids: [listId] })
  const { id: leaver } = await create({ email: 'out@example.org', list_ids: [listId] })
  const { id: waiter } = await create({ email: 'open@example.org', list_ids: [listId] })
  await create({ email: 'other@example.org' })
  const set = (contactId: string, state: string) =>
    server.sql('update list_members set state = $2 where contact_id = $1', [contactId, state])
  await set(leaver, 'unsubscribed')
  await set(waiter, 'pending')
  const members = await list({ list_id: listId, sort: 'email' })
  expect(members.map(({ email, list_state: state }) => [email, state])).toEqual([
    ['in@example.org', 'subscribed'],
    ['open@example.org', 'pending'],
    ['out@example.org', 'unsubscribed'],
  ])
  expect((await list()).every((contact) => !('list_state' in contact))).toBe(true)
})
