import { beforeAll, describe, expect, it } from 'vitest'
import { createTestEmbed } from '../../../tests/support/embeds.ts'
import { makeHostedKey } from '../../../tests/support/hosted.ts'
import { createUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let token: string
const server = await useServer()
beforeAll(async () => {
  token = (await createUser(server)).token
  for (const subject of ['first', 'second', 'third'])
    await server.call('POST', '/email/template', { token, body: { subject, body: subject, context: [] } })
})

/** What distinguishes a row in its list. */
function identify(row: unknown): string {
  const { id, config_id: mailboxId, recipient, at } = row as Record<string, string | undefined>
  return id ?? mailboxId ?? recipient ?? at ?? ''
}

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

  it.each([
    '/email/campaign',
    '/email/configs',
    '/email/configs/usage',
    '/email/suppressions',
    '/embeds',
    '/email/messages',
    '/auth/sessions',
  ])('is accepted by %s', async (path) => {
    const answer = await server.call('GET', `${path}?cursor=nonsense`, { token })
    expect(answer.status).toBe(422)
  })

  describe('leads through every row, newest or oldest first as without it, in the list of', () => {
    let paths: Record<string, string>
    let headers: Record<string, string>

    beforeAll(async () => {
      const { user, embed, from, token: openSession } = await createTestEmbed(server)
      const call = (path: string, body: object, method = 'POST') =>
        server.call(method, path, { token: user.token, body })
      for (let count = 0; count < 3; count++) {
        const session = await openSession({}, user.token)
        await from(session, 'POST', '/email/template', { body: { subject: `${count}`, body: 'x', context: [] } })
        await server.call('POST', '/auth/login', { body: { email: user.email, password: user.password } })
      }
      const recipients = ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com', 'e@example.com']
      const campaign = await call('/email/campaign', { config_id: user.mailboxId, subject: 'x', body: 'x', recipients })
      const mail = { recipient_list: recipients, subject: 'x', content: 'x' }
      const message = await call(`/email/send-mail/${user.secretKey}`, mail)
      const { key } = await makeHostedKey(server, 'write')
      headers = { 'x-api-key': key }
      for (let count = 0; count < 5; count++) {
        await server.call('POST', '/collections/documents?collection=pages', {
          headers,
          body: { data: { count, kind: 'page' } },
        })
      }
      token = user.token
      paths = {
        'audit entries': `/embeds/${embed.id}/audit?`,
        'campaign recipients': `/email/campaign/${(campaign.body as { id: string }).id}/recipients?`,
        'deliveries of a message': `/email/messages/${(message.body as { id: string }).id}?`,
        'mailbox usage': '/email/configs/usage?',
        sessions: '/auth/sessions?',
        'hosted documents': '/collections/pages/documents?',
        'filtered hosted documents': '/collections/pages/documents?filter=kind%3Dpage&',
      }
    })

    it.each([
      ['audit entries', 3],
      ['campaign recipients', 5],
      ['deliveries of a message', 5],
      ['mailbox usage', 1],
      ['sessions', 4],
      ['hosted documents', 5],
      ['filtered hosted documents', 5],
    ])('%s', async (name, count) => {
      const read = async (query: string) => {
        const answer = await server.call('GET', `${paths[name]}${query}`, { token, headers })
        expect(answer.status).toBe(200)
        expect(answer.headers.get('x-total-count')).toBe(String(count))
        const body = answer.body as unknown[] | { deliveries: unknown[] }
        const rows = Array.isArray(body) ? body : body.deliveries
        return { rows: rows.map((row) => identify(row)), next: answer.headers.get('x-next-cursor') }
      }
      const found: string[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const { rows, next }: Awaited<ReturnType<typeof read>> = await read(`limit=2${cursor && `&cursor=${cursor}`}`)
        expect(rows.length).toBeLessThanOrEqual(2)
        found.push(...rows)
        cursor = next
      }
      expect(found).toHaveLength(count)
      expect(found).toEqual((await read('limit=100')).rows)
    })
  })
})
