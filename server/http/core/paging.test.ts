import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUpUser, startTestServer, type TestServer } from '../../../tests/support/server.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  token = (await signUpUser(server)).token
  for (const subject of ['first', 'second', 'third'])
    await server.call('POST', '/email/template', { token, body: { subject, body: subject, context: [] } })
})
afterAll(() => server[Symbol.asyncDispose]())

const encode = (text: string) => Buffer.from(text).toString('base64url')

describe('the cursor of a list', () => {
  it('leads from page to page, and the last page has none', async () => {
    const subjects: string[] = []
    let path = '/email/templates?limit=2'
    for (let cursor: string | null = ''; cursor !== null;) {
      const answer = await server.call('GET', path, { token })
      const rows = answer.body as { subject: string }[]
      subjects.push(...rows.map(({ subject }) => subject))
      expect(answer.headers.get('x-total-count')).toBe('3')
      cursor = answer.headers.get('x-next-cursor')
      path = `/email/templates?limit=2&cursor=${cursor}`
    }
    expect(subjects).toEqual(['third', 'second', 'first'])
  })

  it.each([
    ['a text that is no cursor', 'nonsense'],
    ['nothing', ''],
    ['a time that does not exist', encode('2026-02-30T00:00:00.000000Z 00000000-0000-4000-8000-000000000001')],
    ['an id of another kind', encode('2026-02-03T00:00:00.000000Z 1')],
  ])('is rejected with its field for %s', async (_, cursor) => {
    const answer = await server.call('GET', `/email/templates?cursor=${cursor}`, { token })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ detail: [{ loc: ['query', 'cursor'] }] })
  })

  it.each(['/email/campaign', '/email/configs', '/email/suppressions', '/embeds', '/email/messages'])(
    'is accepted by %s',
    async (path) => {
      const answer = await server.call('GET', `${path}?cursor=nonsense`, { token })
      expect(answer.status).toBe(422)
    },
  )
})
