import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Import } from '../../../contract/audience/imports/import.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let user: TestUser

const server = await useServer()
beforeEach(async () => {
  user = await createUser(server)
})

const call = (method: string, path: string, body?: object) =>
  server.call(method, path, { token: user.token, ...(body && { body }) })
const exported = async (query: Record<string, string> = {}) => {
  const response = await fetch(`${server.url}/email/contacts/export?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${user.token}` },
  })
  return Buffer.from(await response.arrayBuffer()).toString()
}
const addPeople = () =>
  call('POST', '/email/contacts/batch', {
    contacts: [
      { email: 'ada@example.org', fields: { first_name: '=1+1', last_name: 'Lovelace, "A"' } },
      { email: 'bo@example.com', fields: { first_name: '-Bo', last_name: '\tTab' }, locale: 'de' },
    ],
  })
const header = 'email,status,first_name,last_name,timezone,locale,source,created_at'

describe('an export of contacts', () => {
  it('EXPORT-01 EXPORT-04 as CSV has a byte order mark, CRLF, a header, and an apostrophe before formulas', async () => {
    await addPeople()
    const response = await fetch(`${server.url}/email/contacts/export`, {
      headers: { authorization: `Bearer ${user.token}` },
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const lines = bytes.subarray(3).toString().split('\r\n')
    expect([lines[0], lines.length, lines[3]]).toEqual([header, 4, ''])
    expect(lines[1]).toMatch(/^ada@example\.org,active,'=1\+1,"Lovelace, ""A""",,,api,\d{4}-/)
    expect(lines[2]).toMatch(/^bo@example\.com,active,'-Bo,Tab,,de,api,/)
  })

  it('EXPORT-04 has an apostrophe before each beginning that a spreadsheet computes, and before no other', async () => {
    const beginnings = ['=', '+', '-', '@', '\t', '\r', "'", '1', ' =']
    await call('POST', '/email/contacts/batch', {
      contacts: beginnings.map((_, at) => ({ email: `c${at}@example.org` })),
    })
    // Values are trimmed when they are written: those of a database of before may begin with a tab all the same.
    for (const [at, beginning] of beginnings.entries())
      await server.sql('update contacts set fields = $2 where email = $1', [
        `c${at}@example.org`,
        { 1: `${beginning}x` },
      ])
    const names = (await exported()).split('\r\n').map((line) => line.split(',')[2])
    expect(names.slice(1, -1)).toEqual(["'=x", "'+x", "'-x", "'@x", "'\tx", `"'\rx"`, "'x", '1x', ' =x'])
    await server.sql('delete from contacts')
  })

  it('EXPORT-05 with raw=true has no apostrophe', async () => {
    await addPeople()
    expect(await exported({ raw: 'true' })).toContain(',active,=1+1,')
  })

  it('has each contact once, oldest first, over several pages of the database', async () => {
    await server.sql(
      `insert into contacts (workspace_id, email, email_key, source, created_at, updated_at)
       select m.workspace_id, n || '@example.org', n || '@example.org', 'api', now(), now()
       from members m join users u on u.id = m.user_id, generate_series(1, 4001) as n where u.email = $1 order by n`,
      [user.email],
    )
    const [, ...lines] = (await exported()).trimEnd().split('\r\n')
    expect(lines.map((line) => Number.parseInt(line))).toEqual(Array.from({ length: 4001 }, (_, at) => at + 1))
  })

  it('EXPORT-02 as NDJSON has one object per contact and line', async () => {
    await addPeople()
    const lines = (await exported({ format: 'ndjson' })).trim().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { email: string }).email)).toEqual([
      'ada@example.org',
      'bo@example.com',
    ])
  })

  it('EXPORT-03 by search, list, segment or rule has the contacts that match and no others', async () => {
    await addPeople()
    const { id: listId } = (await call('POST', '/email/lists', { name: 'News' })).body as { id: string }
    await call('POST', '/email/contacts/batch', { contacts: [{ email: 'bo@example.com', list_ids: [listId] }] })
    const rule = { field: 1, op: 'is', value: '-bo' }
    const { id: segmentId } = (await call('POST', '/email/segments', { name: 'Bos', rule })).body as { id: string }
    for (const query of [
      { search: '@example.com' },
      { list_id: listId },
      { segment_id: segmentId },
      { rule: JSON.stringify(rule) },
    ]) {
      const emails = (await exported(query))
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[0])
      expect(emails, JSON.stringify(query)).toEqual(['bo@example.com'])
    }
  })

  it('EXPORT-07 without a matching contact has the header only', async () => {
    expect(await exported({ search: 'nobody' })).toBe(`\uFEFF${header}\r\n`)
  })

  it('EXPORT-06 with raw=true that is imported again changes no row', async () => {
    await addPeople()
    const bytes = Buffer.from(await exported({ raw: 'true', status: 'active' }))
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const file = { file_name: 'contacts.csv', size_bytes: bytes.length, sha256 }
    const { id } = (await call('POST', '/email/imports', file)).body as Import
    await server.call('PUT', `/email/imports/${id}/file`, {
      token: user.token,
      raw: bytes,
      headers: {
        'content-type': 'application/octet-stream',
        'content-range': `bytes 0-${bytes.length - 1}/${bytes.length}`,
      },
    })
    await call('POST', `/email/imports/${id}/check`)
    await call('GET', `/email/imports/${id}/events`)
    const { counts } = (await call('GET', `/email/imports/${id}`)).body as Import
    expect(counts).toMatchObject({ added: 0, updated: 0, unchanged: 2, refused: 0 })
  })

  it('EXPORT-09 of one contact is a JSON file with its data, consents, memberships and deliveries', async () => {
    const { id: listId } = (await call('POST', '/email/lists', { name: 'News' })).body as { id: string }
    const contact = { email: 'ada@example.org', fields: { first_name: 'Ada' }, list_ids: [listId] }
    const { id } = (await call('POST', '/email/contacts', contact)).body as { id: string }
    const mail = { recipient_list: ['ada@example.org'], subject: 'Hello', content: 'Hi', is_html: false }
    expect((await server.call('POST', `/api/send-mail/${user.secretKey}`, { body: mail })).status).toBe(200)
    await server.mailsTo('ada@example.org')
    const { headers, body } = await call('GET', `/email/contacts/${id}/export`)
    expect(headers.get('content-disposition')).toContain('attachment')
    expect(body).toMatchObject({
      contact: { email: 'ada@example.org', fields: { first_name: 'Ada' } },
      lists: [{ name: 'News', state: 'subscribed' }],
      consents: [],
      deliveries: [{ subject: 'Hello' }],
    })
  })
})

it('EXPORT-08 an export of suppressions has those of the workspace and none of another one', async () => {
  await call('POST', '/email/suppressions', { emails: ['own@example.org'] })
  const other = await createUser(server)
  await server.call('POST', '/email/suppressions', { token: other.token, body: { emails: ['other@example.org'] } })
  const { text } = await call('GET', '/email/suppressions/export')
  expect(
    text
      .trim()
      .split('\r\n')
      .map((line) => line.split(',')[0]),
  ).toEqual(['email', 'own@example.org'])
})
