import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AudienceCount, AudiencePerson } from '../../../contract/audience/campaign-audience.ts'
import { errors } from '../../../contract/core/errors.ts'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let user: TestUser
let other: TestUser

const server = await useServer()
beforeAll(async () => {
  other = await createUser(server)
})
beforeEach(async () => {
  user = await createUser(server)
})

const call = (method: string, path: string, body?: object, token = user.token) =>
  server.call(method, path, { token, ...(body && { body }) })
const texts = { subject: 'News', body: '<p>Dear {{first_name}}</p>' }
const create = (changes: object = {}) =>
  call('POST', '/email/campaign', { ...texts, config_id: user.mailboxId, ...changes })
const idOf = async (answer: ReturnType<typeof call>) => String((await answer).body.id)
const addList = (name: string, token = user.token) => idOf(call('POST', '/email/lists', { name }, token))
const addSegment = (name: string, rule: object, token = user.token) =>
  idOf(call('POST', '/email/segments', { name, rule }, token))
const addContacts = (contacts: object[]) => call('POST', '/email/contacts/batch', { contacts })
const eventsOf = (text: string) =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as AudienceCount)
const count = async (body: object) => eventsOf((await call('POST', '/email/campaign/audience', body)).text)
const named = (name: string) => ({ field: 1, op: 'is', value: name })
/** Lists A (ada, bo) and B (bo, cy), and a segment of everyone called Ada. */
async function addPeople() {
  const [a, b] = [await addList('A'), await addList('B')]
  await addContacts([
    { email: 'ada@example.org', fields: { first_name: 'Ada' }, list_ids: [a] },
    { email: 'bo@example.org', fields: { first_name: 'Bo' }, list_ids: [a, b] },
    { email: 'cy@example.org', list_ids: [b] },
  ])
  return { a, b, adas: await addSegment('Adas', named('Ada')) }
}

describe('the audience of a campaign', () => {
  it('AUDIENCE-18 is given by lists, segments and exclusions, or by one segment, and is returned with the campaign', async () => {
    const { a, b, adas } = await addPeople()
    const others = await addSegment('Others', { not: named('Ada') })
    const audience = { list_ids: [a], segment_ids: [adas], exclude_list_ids: [b], exclude_segment_ids: [others] }
    const made = await create(audience)
    expect([made.status, made.body]).toMatchObject([201, audience])
    expect((await call('GET', `/email/campaign/${made.body.id}`)).body).toMatchObject(audience)
    expect(((await call('GET', '/email/campaign')).body as Campaign[])[0]).toMatchObject(audience)
    expect((await create({ segment: adas })).body).toMatchObject({ segment_ids: [adas], list_ids: [] })
    expect((await create({ segment: adas, segment_ids: [others, adas] })).body.segment_ids.toSorted()).toEqual(
      [adas, others].toSorted(),
    )
  })

  it('is named by its segments as a place where they are used', async () => {
    const { adas } = await addPeople()
    const { id } = (await create({ segment: adas, name: 'Spring' })).body as Campaign
    const { body } = await call('GET', `/email/segments/${adas}`)
    expect(body.used_by).toEqual([{ kind: 'campaign', id, name: 'Spring' }])
  })

  it('is changed part by part', async () => {
    const { a, b, adas } = await addPeople()
    const { id } = (await create({ list_ids: [a], exclude_list_ids: [b] })).body as Campaign
    const changed = await call('PATCH', `/email/campaign/${id}`, { list_ids: [], segment_ids: [adas] })
    expect(changed.body).toMatchObject({ list_ids: [], segment_ids: [adas], exclude_list_ids: [b] })
    const emptied = await call('PATCH', `/email/campaign/${id}`, { segment_ids: [], exclude_list_ids: [] })
    expect(emptied.body).toMatchObject({ list_ids: [], segment_ids: [], exclude_list_ids: [] })
  })

  it('AUDIENCE-19 with an unknown list or segment, or those of another workspace, answers 404', async () => {
    const foreignList = await addList('Theirs', other.token)
    const foreignSegment = await addSegment('Theirs', named('Ada'), other.token)
    for (const id of ['999999999', 'x', '', foreignList]) {
      for (const part of ['list_ids', 'exclude_list_ids']) {
        const answer = await create({ [part]: [id] })
        expect([answer.status, answer.body.detail], `${part} ${id}`).toEqual([404, errors.list_not_found.sentence])
      }
    }
    for (const id of ['999999999', 'x', foreignSegment]) {
      for (const body of [{ segment_ids: [id] }, { exclude_segment_ids: [id] }, { segment: id }]) {
        const answer = await create(body)
        expect([answer.status, answer.body.detail], JSON.stringify(body)).toEqual([
          404,
          errors.segment_not_found.sentence,
        ])
      }
    }
    const { id } = (await create()).body as Campaign
    expect((await call('PATCH', `/email/campaign/${id}`, { list_ids: [foreignList] })).status).toBe(404)
  })
})

describe('a count of people', () => {
  it('counts each person once, with sources, overlaps and reasons', async () => {
    const { a, b, adas } = await addPeople()
    await call('POST', '/email/suppressions', { emails: ['cy@example.org', 'stranger@example.org'] })
    const recipients = ['ADA@example.org', 'stranger@example.org', 'new@example.org', 'new@example.org', 'no address']
    const [exact, ...more] = await count({ list_ids: [a, b], segment_ids: [adas], recipients })
    expect(more).toEqual([])
    expect(exact).toEqual({
      status: 'exact',
      count: 3,
      sources: [
        { kind: 'list', id: a, count: 2 },
        { kind: 'list', id: b, count: 2 },
        { kind: 'segment', id: adas, count: 1 },
        { kind: 'recipients', id: null, count: 3 },
      ],
      overlaps: 3,
      left_out: [{ reason: 'suppressed', count: 2 }],
    })
  })

  it('of an unknown list answers 404, and of 50,001 addresses 422', async () => {
    expect((await call('POST', '/email/campaign/audience', { list_ids: ['999999999'] })).status).toBe(404)
    const recipients = Array.from({ length: 50_001 }, (_, at) => `person-with-a-long-name-${at}@example.com`)
    expect((await call('POST', '/email/campaign/audience', { recipients })).status).toBe(422)
    expect(await count({ recipients: recipients.slice(1) })).toMatchObject([{ count: 50_000 }])
  })

  it('has a body of up to 4 MiB', async () => {
    const statusOf = async (bytes: number) => {
      const body = { token: user.token, raw: '{"recipients":["ada@example.org"]}'.padEnd(bytes) }
      return (await server.call('POST', '/email/campaign/audience', body)).status
    }
    expect([await statusOf(4_194_304), await statusOf(4_194_305)]).toEqual([200, 413])
  })

  it('counts the people of a draft with its own recipients', async () => {
    const { a, b } = await addPeople()
    const recipients = ['bo@example.org', 'new@example.org']
    const { id } = (await create({ list_ids: [a], exclude_list_ids: [b], recipients })).body as Campaign
    const { text } = await call('GET', `/email/campaign/${id}/audience`)
    expect(eventsOf(text)).toMatchObject([{ count: 2, overlaps: 1, left_out: [{ reason: 'excluded', count: 1 }] }])
    expect((await call('GET', `/email/campaign/${id}/audience`, undefined, other.token)).status).toBe(404)
  })
})

describe('people of an audience', () => {
  const people = async (body: object, query = '') => {
    const answer = await call('POST', `/email/campaign/audience/people${query}`, body)
    return { people: answer.body as AudiencePerson[], next: answer.headers.get('x-next-cursor') }
  }

  it('are listed one after the other, with their fields, without those who are left out', async () => {
    const { a, b } = await addPeople()
    const body = { list_ids: [a, b], exclude_segment_ids: [await addSegment('Bos', named('Bo'))] }
    const first = await people(body)
    expect(first.people).toMatchObject([{ email: 'ada@example.org', context: { first_name: 'Ada' } }])
    const second = await people(body, `?cursor=${first.next}`)
    expect([second.people, second.next]).toMatchObject([[{ email: 'cy@example.org', context: {} }], null])
    expect((await people({ ...body, query: 'CY@' }, '?limit=50')).people).toMatchObject([{ email: 'cy@example.org' }])
  })
})
