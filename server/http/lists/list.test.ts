import { beforeEach, describe, expect, it } from 'vitest'
import type { List } from '../../../contract/audience/list.ts'
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
const create = async (name: string) => (await call('POST', '/email/lists', { name })).body as List
const get = async (id: string) => (await call('GET', `/email/lists/${id}`)).body as List

describe('a list', () => {
  it('is created, read, changed and listed by name', async () => {
    const made = await create(' News ')
    expect(made).toMatchObject({ name: 'News', description: '', is_public: false, member_count: 0, growth_30_days: 0 })
    await create('events')
    const changes = { description: 'Monthly', is_public: true }
    expect((await call('PATCH', `/email/lists/${made.id}`, changes)).body).toMatchObject({ ...made, ...changes })
    const { body } = await call('GET', '/email/lists')
    expect((body as List[]).map(({ name }) => name)).toEqual(['events', 'News'])
  })

  it('LISTS-05 with the name of another one, letter case apart, answers 409', async () => {
    await create('News')
    const other = await create('Offers')
    for (const answer of [
      await call('POST', '/email/lists', { name: 'NEWS' }),
      await call('PATCH', `/email/lists/${other.id}`, { name: 'news' }),
    ])
      expect([answer.status, answer.body.detail]).toEqual([409, errors.list_exists.sentence])
  })

  it('LISTS-06 with an unknown id, or of another workspace, answers 404', async () => {
    const { id } = await create('News')
    const stranger = await createUser(server)
    for (const [path, token] of [
      ['/email/lists/99999999', user.token],
      ['/email/lists/x', user.token],
      [`/email/lists/${id}`, stranger.token],
    ] as const) {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const answer = await call(method, path, method === 'PATCH' ? { description: 'x' } : undefined, token)
        expect([answer.status, answer.body.detail], `${method} ${path}`).toEqual([404, errors.list_not_found.sentence])
      }
    }
    expect((await get(id)).description).toBe('')
  })

  it('LISTS-13 has a contact once, however often it is added', async () => {
    const { id } = await create('News')
    const contact = { email: 'ada@example.org', list_ids: [id] }
    await call('POST', '/email/contacts/batch', { contacts: [contact] })
    await call('POST', '/email/contacts/batch', { contacts: [contact] })
    expect((await get(id)).member_count).toBe(1)
    expect((await get(id)).growth_30_days).toBe(1)
  })

  it('LISTS-14 keeps members, segments and campaigns when it is renamed', async () => {
    const { id } = await create('News')
    await call('POST', '/email/contacts/batch', { contacts: [{ email: 'ada@example.org', list_ids: [id] }] })
    const rule = { list: id, op: 'member_of' }
    const { body: segment } = await call('POST', '/email/segments', { name: 'Readers', rule })
    const given = { name: 'May', subject: 'May', body: '<p>May</p>', config_id: user.mailboxId, list_ids: [id] }
    const { body: campaign } = await call('POST', '/email/campaign', given)
    await call('PATCH', `/email/lists/${id}`, { name: 'Newsletter' })
    expect(await get(id)).toMatchObject({ name: 'Newsletter', member_count: 1 })
    expect((await call('GET', `/email/campaign/${campaign.id}`)).body).toMatchObject({ list_ids: [id] })
    const { text: audience } = await call('GET', `/email/campaign/${campaign.id}/audience`)
    expect(audience).toContain('"count":1')
    expect((await call('GET', `/email/contacts?segment_id=${segment.id}`)).body).toHaveLength(1)
  })

  it('keeps its contacts when it is deleted, and its name is free again', async () => {
    const { id } = await create('News')
    await call('POST', '/email/contacts/batch', { contacts: [{ email: 'ada@example.org', list_ids: [id] }] })
    expect((await call('DELETE', `/email/lists/${id}`)).status).toBe(204)
    expect((await call('GET', `/email/lists/${id}`)).status).toBe(404)
    expect((await call('GET', '/email/contacts')).body).toHaveLength(1)
    expect((await call('POST', '/email/lists', { name: 'news' })).status).toBe(201)
  })

  it('LISTS-16 beyond 10,000 is refused with a sentence that names the limit', async () => {
    await server.sql(
      `insert into lists (workspace_id, name, created_at) select m.workspace_id, 'L' || n, now()
       from members m join users u on u.id = m.user_id cross join generate_series(1, 9999) n where u.email = $1`,
      [user.email],
    )
    await create('The last one')
    const answer = await call('POST', '/email/lists', { name: 'One more' })
    expect([answer.status, answer.body.detail]).toEqual([409, expect.stringContaining('10,000')])
  })
})
