import { beforeEach, describe, expect, it } from 'vitest'
import type { Draft, SavedDraft } from '../../../contract/mail/draft.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let user: TestUser

const server = await useServer()
beforeEach(async () => {
  user = await createUser(server)
})

const get = (kind = 'compose', token = user.token) => server.call('GET', `/drafts/${kind}`, { token })
const put = (content: unknown, base_revision = 0, kind = 'compose') =>
  server.call('PUT', `/drafts/${kind}`, { token: user.token, body: { content, base_revision } })
const saved = async (content: unknown, base_revision = 0) => (await put(content, base_revision)).body as SavedDraft
const forget = (query = '') => server.call('DELETE', `/drafts/compose${query}`, { token: user.token })
const found = async () => (await get()).body as Draft

describe('a draft', () => {
  it('is returned as it was saved, with any JSON', async () => {
    for (const [at, content] of [{ z: 1, a: [null, 'Grüße'] }, [], 'text', 7, null].entries()) {
      const { status, body } = await put(content, at)
      expect(status).toBe(200)
      expect(Object.keys(body as object)).toEqual(['revision', 'updated_at', 'replaced'])
      const draft = await found()
      expect(JSON.stringify(draft.content)).toBe(JSON.stringify(content))
      expect(draft.revision).toBe(at + 1)
    }
  })

  it('is one per kind and user', async () => {
    const other = await createUser(server)
    await put({ text: 'mine' })
    await put({ text: 'designer' }, 0, 'designer')
    expect((await found()).content).toEqual({ text: 'mine' })
    expect((await get('designer')).body.content).toEqual({ text: 'designer' })
    expect((await get('compose', other.token)).status).toBe(204)
  })

  it('does not exist before it is saved, nor after it is deleted', async () => {
    expect(await get()).toMatchObject({ status: 204, text: '' })
    await put('text')
    expect((await forget()).status).toBe(204)
    expect((await get()).status).toBe(204)
    expect((await forget()).status).toBe(204)
  })

  it('requires a sign-in', async () => {
    expect((await server.call('GET', '/drafts/compose')).status).toBe(401)
  })

  it.each([
    ['no content', { base_revision: 0 }, ['body', 'content']],
    ['no base_revision', { content: {} }, ['body', 'base_revision']],
    ['a revision below 0', { content: {}, base_revision: -1 }, ['body', 'base_revision']],
    ['a revision beyond numbers', { content: {}, base_revision: 1e300 }, ['body', 'base_revision']],
    ['a NUL', { content: 'nul \0', base_revision: 0 }, ['body', 'content']],
  ])('with %s is rejected, and the field is named', async (_title, body, loc) => {
    const answer = await server.call('PUT', '/drafts/compose', { token: user.token, body })
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, loc])
    expect((await get()).status).toBe(204)
  })

  it('of more than 1 MB is rejected, and the previous one stays', async () => {
    await put('short')
    expect((await put('x'.repeat(1024 * 1024), 1)).status).toBe(413)
    expect((await found()).content).toBe('short')
  })

  it('of an invalid kind is rejected', async () => {
    expect((await put('text', 0, '__proto__')).status).toBe(422)
    expect((await put('text', 0, 'x'.repeat(81))).status).toBe(422)
  })

  it('is rejected once there are 200 of other kinds', async () => {
    await put('first')
    await server.sql(
      `insert into drafts (workspace_id, user_id, kind, revision, content)
       select workspace_id, user_id, 'k' || n, 1, '1' from drafts, generate_series(1, 199) n
       where user_id = (select id from users where email = $1)`,
      [user.email],
    )
    expect((await put('again', 1)).status).toBe(200)
    expect((await put('one more', 0, 'more')).body.detail).toMatch('There are 200 drafts already.')
  })
})

describe('a draft that is saved on two machines', () => {
  it('is that of the last save; the response contains the other version, which is kept', async () => {
    const first = await saved('here')
    const second = await saved('here, more', first.revision)
    expect(second.replaced).toBeNull()
    const elsewhere = await saved('elsewhere', first.revision)
    expect(elsewhere.replaced).toMatchObject({ content: 'here, more', revision: second.revision })
    expect(elsewhere.revision).toBeGreaterThan(second.revision)
    const draft = await found()
    expect(draft.content).toBe('elsewhere')
    expect(draft.replaced).toMatchObject([{ content: 'here, more', updated_at: second.updated_at }])
    expect((await saved('elsewhere, more', elsewhere.revision)).replaced).toBeNull()
    expect((await found()).replaced).toHaveLength(1)
  })

  it('loses no version in concurrent saves', async () => {
    const texts = ['one', 'two', 'three', 'four']
    await Promise.all(texts.map((text) => put(text, 0)))
    const draft = await found()
    expect([draft, ...draft.replaced].map(({ content }) => content).toSorted()).toEqual(texts.toSorted())
  })

  it('is not deleted by a caller with an older version', async () => {
    const { revision } = await saved('here')
    const newer = await saved('elsewhere', revision)
    await forget(`?revision=${revision}`)
    expect((await found()).content).toBe('elsewhere')
    await forget(`?revision=${newer.revision}`)
    expect((await get()).status).toBe(204)
  })
})
