import { beforeEach, describe, expect, it } from 'vitest'
import type { ContactField } from '../../../contract/audience/contact-field.ts'
import { errors } from '../../../contract/core/errors.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let user: TestUser

const server = await useServer()
beforeEach(async () => {
  user = await createUser(server)
})

const call = (method: string, path: string, body?: object) =>
  server.call(method, path, { token: user.token, ...(body && { body }) })
const list = async () => (await call('GET', '/email/contact-fields')).body as ContactField[]
const create = (body: object) => call('POST', '/email/contact-fields', body)
const write = (fields: object) =>
  call('POST', '/email/contacts/batch', { contacts: [{ email: 'ada@example.org', fields }] })
const values = async () => (await call('GET', '/email/contacts')).body[0].fields as Record<string, unknown>

describe('the fields of contacts', () => {
  it('FIELDS-02 begin with first_name and last_name', async () => {
    expect((await list()).map(({ no, key, type }) => [no, key, type])).toEqual([
      [1, 'first_name', 'text'],
      [2, 'last_name', 'text'],
    ])
  })

  it('FIELDS-03 are made with each of the five types', async () => {
    for (const type of ['text', 'number', 'date', 'boolean', 'choice']) {
      const answer = await create({ key: `a_${type}`, label: ` A ${type} `, type, choices: ['red', ' red', 'blue'] })
      expect([answer.status, answer.body.label, answer.body.type]).toEqual([201, `A ${type}`, type])
      expect(answer.body.choices).toEqual(type === 'choice' ? ['red', 'blue'] : [])
    }
    const given = { a_text: 'x', a_number: 1.5, a_date: '2028-02-29', a_boolean: false, a_choice: 'red' }
    expect((await write(given)).status).toBe(200)
    expect(await values()).toEqual(given)
  })

  it('SEGMENTS-18 name their most frequent values, and those of the columns', async () => {
    const { no } = (await create({ key: 'city' })).body as ContactField
    const cities = ['Bonn', 'Berlin', 'Berlin', '']
    const contacts = cities.map((city, at) => ({ email: `p${at}@example.org`, locale: 'de', fields: { city } }))
    expect((await call('POST', '/email/contacts/batch', { contacts })).status).toBe(200)
    expect((await call('GET', `/email/contact-fields/${no}/values`)).body).toEqual([
      { value: 'Berlin', count: 2 },
      { value: 'Bonn', count: 1 },
    ])
    expect((await call('GET', '/email/contact-fields/locale/values')).body).toEqual([{ value: 'de', count: 4 }])
    const stranger = await createUser(server)
    const answer = await server.call('GET', '/email/contact-fields/locale/values', { token: stranger.token })
    expect(answer.body).toEqual([])
    expect((await call('GET', '/email/contact-fields/email/values')).status).toBe(422)
  })

  it.each(['Name', 'a b', 'größe', '1st', 'a-b', ''])(
    'FIELDS-04 refuse the key %j and say which characters a key may have',
    async (key) => {
      const answer = await create({ key })
      expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', 'key']])
      expect(answer.body.detail[0].msg).toContain('lower case letters a to z, digits and _')
    },
  )

  it('FIELDS-05 refuse the key of an existing field', async () => {
    const answer = await create({ key: 'first_name' })
    expect([answer.status, answer.body.detail]).toEqual([409, errors.field_exists.sentence])
    const { no } = (await create({ key: 'city' })).body as ContactField
    const renamed = await call('PATCH', `/email/contact-fields/${no}`, { key: 'last_name' })
    expect([renamed.status, renamed.body.detail]).toEqual([409, errors.field_exists.sentence])
  })

  it('FIELDS-06 refuse a 501st', async () => {
    await server.sql(
      `insert into contact_fields (workspace_id, no, key, label, type, created_at)
       select m.workspace_id, n, 'f' || n, 'F', 'text', now()
       from members m join users u on u.id = m.user_id cross join generate_series(3, 500) n where u.email = $1`,
      [user.email],
    )
    const answer = await create({ key: 'one_more' })
    expect([answer.status, answer.body.detail]).toEqual([409, errors.field_limit_reached.sentence])
    expect(await list()).toHaveLength(500)
  })

  it('FIELDS-07 keep values and segments when renamed', async () => {
    const { no } = (await create({ key: 'city' })).body as ContactField
    await write({ city: 'Berlin' })
    const rule = { field: no, op: 'is', value: 'Berlin' }
    const { body: segment } = await call('POST', '/email/segments', { name: 'Berliners', rule })
    expect((await call('PATCH', `/email/contact-fields/${no}`, { key: 'town', label: 'Town' })).body.key).toBe('town')
    expect(await values()).toEqual({ town: 'Berlin' })
    expect((await call('GET', `/email/contacts?segment_id=${segment.id}`)).body).toHaveLength(1)
  })

  it.each([
    ['FIELDS-08 a number', 'number', '12', 'takes a finite number'],
    ['FIELDS-09 a date', 'date', '2026-02-31', 'takes a day of the calendar, written YYYY-MM-DD'],
    ['a date', 'date', '1.2.2026', 'takes a day of the calendar, written YYYY-MM-DD'],
    ['FIELDS-10 a choice', 'choice', 'green', 'takes one of its choices: red'],
  ])('refuse a value that is not %s, and name the field', async (_title, type, value, sentence) => {
    await create({ key: 'one', type, choices: ['red'] })
    const answer = await write({ one: value })
    expect([answer.status, answer.body.detail[0].loc.at(-1), answer.body.detail[0].msg]).toEqual([422, 'one', sentence])
  })

  it('FIELDS-15 refuse the deletion of one that a segment uses, unless it is forced', async () => {
    const { no } = (await create({ key: 'city' })).body as ContactField
    const rule = { all: [{ not: { field: no, op: 'is', value: 'x' } }] }
    await call('POST', '/email/segments', { name: 'Elsewhere', rule })
    const answer = await call('DELETE', `/email/contact-fields/${no}`)
    expect([answer.status, answer.body.detail]).toEqual([409, expect.stringContaining('“Elsewhere”')])
    expect((await call('DELETE', `/email/contact-fields/${no}?force=true`)).status).toBe(204)
    expect((await call('DELETE', `/email/contact-fields/${no}`)).status).toBe(404)
  })

  it('FIELDS-16 give the key of a deleted one to a new field without its values', async () => {
    const { no } = (await create({ key: 'city' })).body as ContactField
    await write({ city: 'Berlin' })
    await call('DELETE', `/email/contact-fields/${no}`)
    expect(await values()).toEqual({})
    expect((await create({ key: 'city' })).body.no).toBe(no + 1)
    expect(await values()).toEqual({})
  })
})
