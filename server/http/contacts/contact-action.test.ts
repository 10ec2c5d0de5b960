import { beforeEach, describe, expect, it } from 'vitest'
import type { ContactAction } from '../../../contract/audience/contact-action.ts'
import type { Contact } from '../../../contract/audience/contact.ts'
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
const contacts = async (query = '') =>
  (await call('GET', `/email/contacts?sort=email&limit=500${query}`)).body as Contact[]
const emails = async (query = '') => (await contacts(query)).map(({ email }) => email)
const createList = async (name: string) => ((await call('POST', '/email/lists', { name })).body as { id: string }).id
const start = (body: object) => call('POST', '/email/contacts/actions', body)

async function settle(id: string): Promise<ContactAction> {
  for (;;) {
    const action = (await call('GET', `/email/contacts/actions/${id}`)).body as ContactAction
    if (action.state !== 'running' && action.state !== 'undoing') return action
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
async function act(body: object): Promise<ContactAction> {
  const answer = await start(body)
  expect(answer.status, answer.text).toBe(202)
  return settle((answer.body as ContactAction).id)
}
async function undo(id: string): Promise<ContactAction> {
  expect((await call('POST', `/email/contacts/actions/${id}/undo`)).status).toBe(200)
  return settle(id)
}
const add = (count: number, given: (at: number) => object = () => ({})) =>
  call('POST', '/email/contacts/batch', {
    contacts: Array.from({ length: count }, (_, at) => ({ email: `c${at}@example.org`, ...given(at) })),
  })

describe('an action on many contacts', () => {
  it('LISTS-10 adds them to a list, and Undo removes those that it added and no others', async () => {
    const list = await createList('News')
    await add(5, (at) => (at === 0 ? { list_ids: [list] } : {}))
    const done = await act({ kind: 'add_to_list', list_id: list, filter: { search: 'c' } })
    expect([done.state, done.done, done.total]).toEqual(['done', 5, 5])
    expect(await emails(`&list_id=${list}`)).toHaveLength(5)
    expect((await undo(done.id)).state).toBe('undone')
    expect(await emails(`&list_id=${list}`)).toEqual(['c0@example.org'])
  })

  it('LISTS-11 removes them from a list, and Undo restores each with its state', async () => {
    const list = await createList('News')
    await add(3, () => ({ list_ids: [list] }))
    await server.sql(
      `update list_members m set state = 'unsubscribed' from contacts c
       where c.id = m.contact_id and c.email = 'c1@example.org' and m.list_id = $1`,
      [list],
    )
    const states = () =>
      server.sql('select contact_id, state, at from list_members where list_id = $1 order by 1', [list])
    const before = await states()
    const done = await act({ kind: 'remove_from_list', list_id: list })
    expect(await states()).toEqual([])
    await undo(done.id)
    expect(await states()).toEqual(before)
  })

  it('LISTS-12 moves them from one list to another, and one Undo restores both', async () => {
    const [from, to] = [await createList('Old'), await createList('New')]
    await add(4, (at) => ({ list_ids: at === 3 ? [from, to] : [from] }))
    const done = await act({ kind: 'move_to_list', from_list_id: from, list_id: to, filter: { list_id: from } })
    expect([await emails(`&list_id=${from}`), (await emails(`&list_id=${to}`)).length]).toEqual([[], 4])
    await undo(done.id)
    expect([(await emails(`&list_id=${from}`)).length, await emails(`&list_id=${to}`)]).toEqual([4, ['c3@example.org']])
  })

  it('CONTACTS-12 sets a field, and Undo gives every contact its old value back', async () => {
    await add(3, (at) => (at === 0 ? {} : { fields: { first_name: `N${at}` } }))
    const before = (await contacts()).map(({ fields }) => fields)
    const ids = (await contacts()).slice(0, 2).map(({ id }) => id)
    const done = await act({ kind: 'set_field', field: 'first_name', value: ' Ada ', ids })
    expect((await contacts()).map(({ fields }) => fields['first_name'])).toEqual(['Ada', 'Ada', 'N2'])
    await undo(done.id)
    expect((await contacts()).map(({ fields }) => fields)).toEqual(before)
  })

  it('deletes them in batches, and offers no Undo', async () => {
    for (const from of [0, 1000, 2000])
      await call('POST', '/email/contacts/batch', {
        contacts: Array.from({ length: 1000 }, (_, at) => ({ email: `d${from + at}@example.org` })),
      })
    await add(1)
    const done = await act({ kind: 'delete', filter: { search: 'd' } })
    expect([done.state, done.done, done.undo_until]).toEqual(['done', 3000, null])
    expect(await emails()).toEqual(['c0@example.org'])
    const undone = await call('POST', `/email/contacts/actions/${done.id}/undo`)
    expect([undone.status, undone.body.detail]).toEqual([409, errors.undo_too_late.sentence])
  })

  it('CONTACTS-13 cannot be undone after 24 hours, and nothing changes', async () => {
    const list = await createList('News')
    await add(1)
    const done = await act({ kind: 'add_to_list', list_id: list })
    await server.sql(`update bulk_actions set created_at = now() - interval '24 hours 1 second' where id = $1`, [
      done.id,
    ])
    const answer = await call('POST', `/email/contacts/actions/${done.id}/undo`)
    expect([answer.status, answer.body.detail]).toEqual([409, errors.undo_too_late.sentence])
    expect(await emails(`&list_id=${list}`)).toHaveLength(1)
  })

  it('CONTACTS-15 is refused while another one runs', async () => {
    const list = await createList('News')
    await add(1)
    await server.sql(
      `insert into bulk_actions (workspace_id, kind, filter, state, total, created_at, lease_until)
       select m.workspace_id, 'delete', '{}', 'running', 1, now(), now() + interval '1 hour'
       from members m join users u on u.id = m.user_id where u.email = $1`,
      [user.email],
    )
    const answer = await start({ kind: 'add_to_list', list_id: list })
    expect([answer.status, answer.body.detail]).toEqual([409, errors.actions_running.sentence])
    await server.sql(`update bulk_actions set state = 'failed' where state = 'running'`)
  })

  it.each([
    [{ kind: 'add_to_list' }, 422],
    [{ kind: 'add_to_list', list_id: '99999' }, 404],
    [{ kind: 'set_field', field: 'citty', value: 'x' }, 422],
    [{ kind: 'set_field', field: 'first_name', value: 5 }, 422],
    [{ kind: 'delete', filter: { rule: '{' } }, 422],
    [{ kind: 'explode' }, 422],
  ])('%j is refused and changes nothing', async (body, status) => {
    await add(1)
    expect((await start(body)).status).toBe(status)
    expect(await emails()).toHaveLength(1)
  })
})
