import { beforeEach, describe, expect, it } from 'vitest'
import type { Segment, SegmentPreview } from '../../../contract/audience/segment.ts'
import { errors } from '../../../contract/core/errors.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let user: TestUser

const server = await useServer()
beforeEach(async () => {
  user = await createUser(server)
})

const call = (method: string, path: string, body?: object, token = user.token) =>
  server.call(method, path, { token, ...(body && { body }) })
const create = async (name: string, rule: object) =>
  (await call('POST', '/email/segments', { name, rule })).body as Segment
const named = (name: string) => ({ field: 1, op: 'is', value: name })
const people = async (id: string) =>
  ((await call('GET', `/email/contacts?segment_id=${id}&sort=email`)).body as { email: string }[]).map(
    ({ email }) => email,
  )
const addPeople = () =>
  call('POST', '/email/contacts/batch', {
    contacts: [
      { email: 'ada@example.org', fields: { first_name: 'Ada' } },
      { email: 'bo@example.org', fields: { first_name: 'Bo' } },
      { email: 'cy@example.org' },
    ],
  })
async function preview(rule: object, segment_id?: string): Promise<SegmentPreview[]> {
  const { text } = await call('POST', '/email/segments/preview', { rule, ...(segment_id && { segment_id }) })
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as SegmentPreview)
}

describe('a segment', () => {
  it('is saved, read, changed and deleted', async () => {
    const made = await create('Adas', named('Ada'))
    expect(made).toMatchObject({ name: 'Adas', rule: named('Ada'), is_live: false, used_by: [] })
    const changed = await call('PATCH', `/email/segments/${made.id}`, { name: 'Bos', rule: named('Bo') })
    expect(changed.body).toMatchObject({ id: made.id, name: 'Bos', rule: named('Bo') })
    expect((await call('DELETE', `/email/segments/${made.id}`)).status).toBe(204)
    expect((await call('GET', `/email/segments/${made.id}`)).status).toBe(404)
  })

  it('SEGMENTS-09 follows the rule of a segment that it refers to', async () => {
    await addPeople()
    const adas = await create('Adas', named('Ada'))
    const others = await create('Others', { segment: adas.id, op: 'not_member_of' })
    expect([await people(adas.id), await people(others.id)]).toEqual([
      ['ada@example.org'],
      ['bo@example.org', 'cy@example.org'],
    ])
    await call('PATCH', `/email/segments/${adas.id}`, { rule: named('Bo') })
    expect([await people(adas.id), await people(others.id)]).toEqual([
      ['bo@example.org'],
      ['ada@example.org', 'cy@example.org'],
    ])
    expect(((await call('GET', `/email/segments/${adas.id}`)).body as Segment).used_by).toEqual([
      { kind: 'segment', id: others.id, name: 'Others' },
    ])
  })

  it('SEGMENTS-28 that leads back to itself answers 422', async () => {
    const first = await create('First', named('Ada'))
    const second = await create('Second', { segment: first.id, op: 'member_of' })
    for (const id of [first.id, second.id]) {
      const answer = await call('PATCH', `/email/segments/${first.id}`, {
        rule: { not: { segment: id, op: 'member_of' } },
      })
      const [fault] = answer.body.detail
      expect([answer.status, fault.type, fault.msg]).toEqual([
        422,
        'cycle',
        expect.stringContaining('remove the reference'),
      ])
    }
    expect((await call('GET', `/email/segments/${first.id}`)).body.rule).toEqual(named('Ada'))
  })

  it('SEGMENTS-30 that another one refers to is not deleted', async () => {
    const adas = await create('Adas', named('Ada'))
    await create('Others', { segment: adas.id, op: 'not_member_of' })
    const answer = await call('DELETE', `/email/segments/${adas.id}`)
    expect([answer.status, answer.body.detail]).toEqual([409, expect.stringContaining('“Others”')])
  })

  it('SEGMENTS-26 with 101 conditions, 9 or 50 levels is refused with a sentence that names the limit', async () => {
    const deep = (levels: number): object => (levels === 1 ? named('x') : { all: [deep(levels - 1)] })
    const not = (levels: number): object => (levels === 1 ? named('x') : { not: not(levels - 1) })
    const wide = (count: number) => ({ any: Array.from({ length: count }, () => named('x')) })
    for (const [rule, limit] of [
      [wide(101), '100'],
      [deep(9), '8 levels; split it into segments'],
      [not(50), '8 levels; split it into segments'],
      [{ all: Array.from({ length: 10_000 }, () => ({ any: [] })) }, '100'],
    ] as const) {
      const answer = await call('POST', '/email/segments', { name: 'Large', rule })
      expect([answer.status, answer.body.detail[0].msg]).toEqual([422, expect.stringContaining(limit)])
    }
    // 50 groups are twice as many levels of JSON.
    const body = await call('POST', '/email/segments', { name: 'Large', rule: deep(50) })
    expect([body.status, body.body.detail]).toEqual([400, 'The body nests deeper than 64 levels. Flatten it.'])
    expect((await call('POST', '/email/segments', { name: 'Wide', rule: wide(100) })).status).toBe(201)
    expect((await call('POST', '/email/segments', { name: 'Deep', rule: deep(8) })).status).toBe(201)
  })

  it('beyond 1,000 is refused with a sentence that names the limit', async () => {
    const own = 'select m.workspace_id from members m join users u on u.id = m.user_id where u.email = $1'
    await server.sql(
      `insert into segments (workspace_id, name, rule, created_at, updated_at)
       select (${own}), 'Segment ' || no, '{"all":[]}', now(), now() from generate_series(1, 999) as no`,
      [user.email],
    )
    await create('The thousandth', named('Ada'))
    const answer = await call('POST', '/email/segments', { name: 'One more', rule: named('Ada') })
    expect([answer.status, answer.body.detail]).toEqual([409, expect.stringContaining('1,000')])
  })

  it('SEGMENTS-11 on opens, clicks and replies is taken, since they are recorded', async () => {
    for (const behaviour of ['opened', 'clicked', 'replied'])
      expect((await call('POST', '/email/segments', { name: behaviour, rule: { behaviour } })).status).toBe(201)
  })

  it.each([
    ['SEGMENTS-27 an operator of another type', { field: 'created_at', op: 'contains', value: 'x' }, ['op']],
    ['a behaviour that does not exist', { behaviour: 'ignored' }, ['behaviour']],
    ['an unknown field', { all: [{ field: 77, op: 'is', value: 'x' }] }, ['all', '0', 'field']],
    ['an unknown list', { list: '999', op: 'member_of' }, ['list']],
    ['an unknown segment', { segment: '999', op: 'member_of' }, ['segment']],
    ['no value', { field: 1, op: 'is' }, ['value']],
    ['a value of another type', { field: 'created_at', op: 'before', value: '2026-02-31' }, ['value']],
    ['an unknown part', { field: 1, op: 'is', value: 'x', extra: 1 }, []],
  ])('with %s is refused, and the place is named', async (_title, rule, place) => {
    const answer = await call('POST', '/email/segments', { name: 'Wrong', rule })
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', 'rule', ...place]])
  })

  it('SEGMENTS-29 counts nobody for a condition on a deleted field', async () => {
    await addPeople()
    const { no } = (await call('POST', '/email/contact-fields', { key: 'city' })).body as { no: number }
    const segment = await create('Elsewhere', { any: [{ field: no, op: 'is_not', value: 'Bonn' }, named('Ada')] })
    expect(await people(segment.id)).toHaveLength(3)
    await call('DELETE', `/email/contact-fields/${no}?force=true`)
    expect(await people(segment.id)).toEqual(['ada@example.org'])
  })

  it('SEGMENTS-29 counts nobody for a condition on a deleted list', async () => {
    await addPeople()
    const { id } = (await call('POST', '/email/lists', { name: 'News' })).body as { id: string }
    const segment = await create('Not readers', { any: [{ list: id, op: 'not_member_of' }, named('Ada')] })
    expect(await people(segment.id)).toHaveLength(3)
    await call('DELETE', `/email/lists/${id}`)
    expect(await people(segment.id)).toEqual(['ada@example.org'])
  })

  it('of another workspace answers 404', async () => {
    const { id } = await create('Adas', named('Ada'))
    const stranger = await createUser(server)
    const answer = await call('GET', `/email/segments/${id}`, undefined, stranger.token)
    expect([answer.status, answer.body.detail]).toEqual([404, errors.segment_not_found.sentence])
    const filtered = await call('GET', `/email/contacts?segment_id=${id}`, undefined, stranger.token)
    expect([filtered.status, filtered.body.detail]).toEqual([404, errors.segment_not_found.sentence])
  })
})

describe('the preview of a rule', () => {
  it('SEGMENTS-16 SEGMENTS-17 has the number of people, examples, and the people left after each row', async () => {
    await addPeople()
    const [exact] = await preview({ all: [{ field: 1, op: 'is_set' }, named('Bo')] })
    expect(exact).toMatchObject({ count: 1, is_estimate: false, steps: [2, 1] })
    expect(exact?.contacts.map(({ email, name }) => [email, name])).toEqual([['bo@example.org', 'Bo']])
  })

  it('SEGMENTS-17 counts the people left after the rows of groups too', async () => {
    await addPeople()
    const [exact] = await preview({ all: [{ field: 1, op: 'is_set' }, { any: [named('Bo'), named('Ada')] }] })
    expect(exact).toMatchObject({ count: 2, steps: [2, 1, 2] })
  })

  it('SEGMENTS-04 of a rule and of its negation together count all contacts', async () => {
    await addPeople()
    const [some, others] = [await preview(named('Ada')), await preview({ not: named('Ada') })]
    expect([some[0]?.count, others[0]?.count]).toEqual([1, 2])
  })

  it('SEGMENTS-14 uses the time zone of the workspace for days', async () => {
    await addPeople()
    const rule = { field: 'created_at', op: 'between', value: ['2026-03-02', '2026-03-02'] }
    const own = 'select m.workspace_id from members m join users u on u.id = m.user_id where u.email = $1'
    await server.sql(`update contacts set created_at = '2026-03-01T23:30:00Z' where workspace_id = (${own})`, [
      user.email,
    ])
    expect((await preview(rule))[0]?.count).toBe(0)
    await server.sql(`update workspaces set timezone = 'Europe/Berlin' where id = (${own})`, [user.email])
    expect((await preview(rule))[0]?.count).toBe(3)
  })

  it('SEGMENTS-13 ignores case for A to Z only', async () => {
    await call('POST', '/email/contacts/batch', {
      contacts: [
        { email: 'a@example.org', fields: { first_name: 'BERLIN' } },
        { email: 'b@example.org', fields: { first_name: 'KÖLN' } },
      ],
    })
    expect([(await preview(named('berlin')))[0]?.count, (await preview(named('köln')))[0]?.count]).toEqual([1, 0])
  })
})

describe('a live segment', () => {
  const wait = { interval: 100 }
  const live = (id: string) => call('PATCH', `/email/segments/${id}`, { is_live: true })
  const members = async (id: string) =>
    (
      await server.sql<{ email: string }>(
        `select c.email from segment_members m join contacts c on c.workspace_id = m.workspace_id and c.id = m.contact_id
         where m.segment_id = $1 order by c.email`,
        [id],
      )
    ).map(({ email }) => email)
  const counted = async (id: string) => ((await call('GET', `/email/segments/${id}`)).body as Segment).member_count
  const contactId = async (email: string) =>
    ((await call('GET', `/email/contacts?search=${email}`)).body as { id: string }[])[0]?.id ?? ''
  /** The segment counts and holds these people. */
  const untilMembers = async (id: string, emails: string[]) => {
    await expect.poll(() => members(id), wait).toEqual(emails)
    await expect.poll(() => counted(id), wait).toBe(emails.length)
  }

  it('SEGMENTS-31 has each contact that comes to match, and none that ceases to, without being opened', async () => {
    await addPeople()
    const { body: list } = await call('POST', '/email/lists', { name: 'Readers' })
    const adas = (await call('POST', '/email/segments', { name: 'Adas', rule: named('Ada'), is_live: true }))
      .body as Segment
    expect(adas.is_live).toBe(true)
    const readers = await create('Readers', { list: list.id, op: 'member_of' })
    const others = await create('No reader', { segment: readers.id, op: 'not_member_of' })
    for (const { id } of [readers, others]) expect((await live(id)).body).toMatchObject({ is_live: true })
    await untilMembers(adas.id, ['ada@example.org'])
    await untilMembers(others.id, ['ada@example.org', 'bo@example.org', 'cy@example.org'])

    await call('PATCH', `/email/contacts/${await contactId('bo@')}`, { fields: { first_name: 'Ada' } })
    await call('POST', '/email/contacts', {
      email: 'di@example.org',
      fields: { first_name: 'ada' },
      list_ids: [list.id],
    })
    await untilMembers(adas.id, ['ada@example.org', 'bo@example.org', 'di@example.org'])
    await untilMembers(readers.id, ['di@example.org'])

    await call('PATCH', `/email/contacts/${await contactId('ada@')}`, { fields: { first_name: null } })
    await call('DELETE', `/email/contacts/${await contactId('bo@')}`)
    await untilMembers(adas.id, ['di@example.org'])
    await untilMembers(others.id, ['ada@example.org', 'cy@example.org'])
  })

  it('follows a change of its rule, of a rule that it refers to, and the deletion of a list', async () => {
    await addPeople()
    const { body: list } = await call('POST', '/email/lists', { name: 'Readers' })
    const base = await create('Base', named('Ada'))
    const segment = await create('All but these', {
      all: [
        { segment: base.id, op: 'not_member_of' },
        { list: list.id, op: 'not_member_of' },
      ],
    })
    await live(segment.id)
    await untilMembers(segment.id, ['bo@example.org', 'cy@example.org'])
    await call('PATCH', `/email/segments/${base.id}`, { rule: named('Bo') })
    await untilMembers(segment.id, ['ada@example.org', 'cy@example.org'])
    await call('DELETE', `/email/lists/${list.id}`)
    await untilMembers(segment.id, [])
    await call('PATCH', `/email/segments/${segment.id}`, { rule: named('Bo') })
    await untilMembers(segment.id, ['bo@example.org'])
    await call('PATCH', `/email/segments/${segment.id}`, { is_live: false })
    expect(await members(segment.id)).toEqual([])
  })

  it('follows unsubscriptions', async () => {
    await addPeople()
    const segment = await create('Gone', { behaviour: 'unsubscribed' })
    await live(segment.id)
    await call('POST', '/email/suppressions', { emails: ['cy@example.org'], reason: 'unsubscribed' })
    await untilMembers(segment.id, ['cy@example.org'])
  })

  it('SEGMENTS-33 is refused beyond 50 in a workspace with a sentence that names the limit', async () => {
    const own = 'select m.workspace_id from members m join users u on u.id = m.user_id where u.email = $1'
    await server.sql(
      `insert into segments (workspace_id, name, rule, is_live, created_at, updated_at)
       select (${own}), 'Segment ' || no, '{"all":[]}', true, now(), now() from generate_series(1, 49) as no`,
      [user.email],
    )
    const last = await create('Last', named('Ada'))
    expect((await live(last.id)).status).toBe(200)
    expect((await live(last.id)).status).toBe(200)
    const beyond = await create('Beyond', named('Ada'))
    const answers = [
      await live(beyond.id),
      await call('POST', '/email/segments', { name: 'New', rule: named('Ada'), is_live: true }),
    ]
    expect(answers.map(({ status, body }) => [status, body.detail])).toEqual([
      [409, expect.stringContaining('50 segments')],
      [409, expect.stringContaining('50 segments')],
    ])
    expect(((await call('GET', `/email/segments/${beyond.id}`)).body as Segment).is_live).toBe(false)
  })
})

it('the segments of a contact are read in one call, by name', async () => {
  await addPeople()
  const [ada] = (await call('GET', '/email/contacts?search=ada')).body as { id: string }[]
  const path = `/email/contacts/${ada?.id}/segments`
  expect((await call('GET', path)).body).toEqual([])
  const adas = await create('Adas', named('Ada'))
  await create('Bos', named('Bo'))
  const others = await create('All but Bo', { not: named('Bo') })
  await create('Written to', { behaviour: 'was_sent' })
  await call('POST', '/email/lists', { name: 'Empty' })
  expect((await call('GET', path)).body).toEqual([
    { id: adas.id, name: 'Adas' },
    { id: others.id, name: 'All but Bo' },
  ])
  const stranger = await createUser(server)
  for (const [at, token] of [
    ['/email/contacts/999999/segments', user.token],
    [path, stranger.token],
  ] as const) {
    const answer = await call('GET', at, undefined, token)
    expect([answer.status, answer.body.detail]).toEqual([404, errors.contact_not_found.sentence])
  }
})
