import pg from 'pg'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ValidationItem } from '../../../contract/core/errors.ts'
import type { Template } from '../../../contract/mail/template.ts'
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

const texts = { subject: 'Doors open, {{first_name}}', body: '<p>Dear {{first_name}}</p>', context: ['first_name'] }
const create = async (changes: object = {}, token = user.token) =>
  server.call('POST', '/email/template', { token, body: { ...texts, ...changes } })
const created = async (changes: object = {}, token = user.token) => (await create(changes, token)).body as Template
/** As lists and restored templates show it: without its files. */
const listed = ({ attachments: _attachments, ...template }: Template) => template
const list = (token = user.token, query = '') => server.call('GET', `/email/templates${query}`, { token })
const one = (method: string, id: string, body?: object, token = user.token) =>
  server.call(method, `/email/template/${id}`, { token, body })
const nowhere = '5f0c1d3e-0000-4000-8000-000000000000'

describe('saving a template', () => {
  it('API-EMAIL-10 API-EMAIL-11 accepts subject, body and context, and returns the template', async () => {
    const { status, body } = await create()
    expect(status).toBe(201)
    expect(body).toMatchObject({ ...texts, status: 'ready' })
    expect(Object.keys(body as object)).toEqual([
      'id',
      'key',
      'name',
      'subject',
      'body',
      'mode',
      'preheader',
      'revision',
      'context',
      'status',
      'created_at',
      'updated_at',
      'design',
      'is_public',
      'attachments',
    ])
    expect(new Date(body.created_at as string).getTime()).toBeCloseTo(Date.now(), -5)
  })

  it('assigns each a unique key that is readable and safe in a URL', async () => {
    const keys = [await created(), await created(), await created({ subject: 'Grüße, {{name}}! 50 % off' })].map(
      ({ key }) => key,
    )
    expect(keys[0]).toMatch(/^doors-open-[0-9a-f]{8}$/)
    expect(keys[2]).toMatch(/^gru-e-50-off-[0-9a-f]{8}$/)
    expect(new Set(keys).size).toBe(3)
    expect((await created({ subject: '展覧会' })).key).toMatch(/^template-[0-9a-f]{8}$/)
  })

  it('stores each tag once, trimmed', async () => {
    expect((await created({ context: [' first_name', 'city', 'city ', ' '] })).context).toEqual(['first_name', 'city'])
  })

  it('is a draft until each of its merge variables has a tag', async () => {
    expect((await created({ context: [] })).status).toBe('draft')
    expect((await created({ context: ['first_name', 'more'] })).status).toBe('ready')
  })

  it.each([
    [{ subject: undefined }, 'subject'],
    [{ subject: '' }, 'subject'],
    [{ subject: '   ' }, 'subject'],
    [{ subject: 'two\nlines' }, 'subject'],
    [{ body: undefined }, 'body'],
    [{ body: ' \n ' }, 'body'],
    [{ body: 'Dear {{first_name' }, 'body'],
    [{ body: { path: '/etc/passwd' } }, 'body'],
    [{ body: 'half \ud800' }, 'body'],
    [{ name: 7 }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ context: 'first_name' }, 'context'],
    [{ context: [7] }, 'context'],
    [{ context: ['nul \0'] }, 'context'],
    [{ context: Array.from({ length: 101 }, (_, at) => `tag${at}`) }, 'context'],
  ])('rejects %o and names the field', async (changes, field) => {
    const { status, body } = await create(changes)
    expect(status).toBe(422)
    expect(body.detail[0].loc.slice(0, 2)).toEqual(['body', field])
    expect((await list()).body).toEqual([])
  })
})

describe('the templates of a workspace', () => {
  it('API-EMAIL-12 are listed newest first, by pages, with their count', async () => {
    const ids: string[] = []
    for (const subject of ['first', 'second', 'third']) ids.unshift((await created({ subject })).id)
    const { status, body, headers } = await list()
    expect(status).toBe(200)
    expect((body as Template[]).map(({ id }) => id)).toEqual(ids)
    expect(headers.get('x-total-count')).toBe('3')
    const page = await list(user.token, '?limit=1&offset=1')
    expect((page.body as Template[]).map(({ id }) => id)).toEqual([ids[1]])
    expect(page.headers.get('x-total-count')).toBe('3')
  })

  it('API-EMAIL-13 are found by id', async () => {
    const template = await created()
    expect(await one('GET', template.id)).toMatchObject({ status: 200, body: template })
  })

  it('API-EMAIL-14 are updated in the given fields, and keep their key', async () => {
    const template = await created()
    const { status, body } = await one('PATCH', template.id, {
      subject: 'Doors closed',
      context: ['first_name', 'city'],
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...template,
      revision: 2,
      subject: 'Doors closed',
      context: ['first_name', 'city'],
      updated_at: expect.any(String),
    })
    expect(new Date(body.updated_at as string) > new Date(template.updated_at)).toBe(true)
    expect((await one('GET', template.id)).body).toEqual(body)
  })

  it('are searched by words in name, subject, key and tags, and in the text of the body where that is asked for', async () => {
    await created({
      name: 'Spring',
      subject: 'Doors 100% open_now',
      body: '<style>.crimson{}</style><p class="violet">A rare <b>Örchid</b> of R&amp;D</p>',
      context: ['Gallery'],
    })
    await created({ subject: 'Invoice' })
    const find = async (search: string, more = '') => {
      const { body, headers } = await list(user.token, `?search=${encodeURIComponent(search)}${more}`)
      expect(headers.get('x-total-count')).toBe(String((body as Template[]).length))
      return (body as Template[]).map(({ subject }) => subject)
    }
    const doors = ['Doors 100% open_now']
    for (const search of ['doors', 'OPEN spring', '  gallery  doors ', '100%', 'open_'])
      expect([search, await find(search)]).toEqual([search, doors])
    for (const search of ['open gone', 'öRCHID', 'doo%open', 'open~now', '\\'])
      expect([search, await find(search)]).toEqual([search, []])
    for (const search of ['öRCHID', 'rare doors', 'R&D'])
      expect([search, await find(search, '&with_content=true')]).toEqual([search, doors])
    for (const search of ['violet', 'crimson', 'class']) expect(await find(search, '&with_content=true')).toEqual([])
  })

  it('are 10,000 at most', async () => {
    await server.sql(
      `insert into templates (workspace_id, id, key, subject, body, tags)
       select m.workspace_id, gen_random_uuid(), 'letter-' || n, 'Letter', '<p>A rose</p>', '{}'
       from members m join users u on u.id = m.user_id, generate_series(1, 9999) n where u.email = $1`,
      [user.email],
    )
    expect((await create()).status).toBe(201)
    const beyond = await create()
    expect([beyond.status, beyond.body.detail]).toEqual([409, expect.stringContaining('10,000 templates')])
  })

  it('are searched beyond a cursor, among more than 500', async () => {
    const client = new pg.Client({ connectionString: server.database.url })
    await client.connect()
    await client.query(
      `insert into templates (workspace_id, id, key, subject, body, tags, created_at)
       select m.workspace_id, gen_random_uuid(), 'letter-' || n, 'Letter ' || n,
         case when n % 100 = 0 then '<p>A rare orchid</p>' else '<p>A rose</p>' end, '{}',
         now() - make_interval(secs => n)
       from members m join users u on u.id = m.user_id, generate_series(1, 1200) n where u.email = $1`,
      [user.email],
    )
    await client.end()
    const first = await list(user.token, '?limit=500')
    const cursor = first.headers.get('x-next-cursor')!
    const found = await list(user.token, `?limit=5&search=orchid&with_content=true&cursor=${cursor}`)
    expect((found.body as Template[]).map(({ key }) => key)).toEqual(
      [600, 700, 800, 900, 1000].map((n) => `letter-${n}`),
    )
    expect(found.headers.get('x-total-count')).toBe('12')
    const next = found.headers.get('x-next-cursor')!
    const last = await list(user.token, `?limit=5&search=orchid&with_content=true&cursor=${next}`)
    expect((last.body as Template[]).map(({ key }) => key)).toEqual(['letter-1100', 'letter-1200'])
  })

  it('have a name of their own that is changed without their texts, and is searchable', async () => {
    const named = await created({ name: ' Autumn 100% ' })
    const plain = await created({ subject: 'Summer, {{first_name}}' })
    expect([named.name, plain.name]).toEqual(['Autumn 100%', ''])
    const { body: renamed } = await one('PATCH', plain.id, { name: 'Season start' })
    expect(renamed).toMatchObject({ ...plain, revision: 2, name: 'Season start', updated_at: expect.any(String) })
    const found = async (text: string) => {
      const { body, headers } = await list(user.token, `?search=${encodeURIComponent(text)}`)
      return [(body as Template[]).map(({ id }) => id), headers.get('x-total-count')]
    }
    expect(await found(' SEASON')).toEqual([[plain.id], '1'])
    expect(await found('summer')).toEqual([[plain.id], '1'])
    expect(await found(named.key)).toEqual([[named.id], '1'])
    expect(await found('autumn_100')).toEqual([[], '0'])
    expect(await found(' ')).toEqual([[plain.id, named.id], '2'])
    expect((await one('PATCH', named.id, { subject: 'Other' })).body).toMatchObject({ name: 'Autumn 100%' })
  })

  it('H46 reject a change with other fields as a whole', async () => {
    const template = await created()
    const others = { id: nowhere, key: 'mine', owner_id: 'me', workspace_id: nowhere, created_at: '1999-01-01' }
    const { status, body } = await one('PATCH', template.id, { ...others, subject: 'New' })
    expect(status).toBe(422)
    expect((body.detail as ValidationItem[]).map(({ loc }) => loc[1])).toEqual(Object.keys(others))
    expect((await one('GET', template.id)).body).toEqual(template)
  })

  it('API-EMAIL-15 are deleted by id, and restored', async () => {
    const template = await created()
    expect((await one('DELETE', template.id)).status).toBe(204)
    expect((await one('GET', template.id)).status).toBe(404)
    expect((await one('DELETE', template.id)).status).toBe(404)
    expect((await list()).body).toEqual([])
    const restored = await server.call('POST', `/email/template/${template.id}/restore`, { token: user.token })
    expect(restored).toMatchObject({ status: 200, body: listed(template) })
    expect((await list()).body).toEqual([listed(template)])
  })

  it('API-EMAIL-16 are all deleted at once', async () => {
    await created()
    await created()
    expect((await server.call('DELETE', '/email/templates', { token: user.token })).status).toBe(204)
    expect((await list()).body).toEqual([])
  })

  it('H45 deleting all twice beside a save deletes only one’s own, and each can be restored for 30 days', async () => {
    const kept = await created({}, other.token)
    const gone = await created()
    const removeAll = () => server.call('DELETE', '/email/templates', { token: user.token })
    const answers = await Promise.all([removeAll(), create(), removeAll()])
    expect(answers.map(({ status }) => status)).toEqual([204, 201, 204])
    expect((await list(other.token)).body).toContainEqual(listed(kept))

    const restore = (id: string) => server.call('POST', `/email/template/${id}/restore`, { token: user.token })
    await server.sql(
      "update templates set deleted_at = now() - interval '30 days' + interval '1 minute' where id = $1",
      [gone.id],
    )
    await removeAll()
    expect((await restore(gone.id)).status).toBe(200)
    await server.sql("update templates set deleted_at = now() - interval '30 days 1 second' where id = $1", [gone.id])
    await removeAll()
    expect((await restore(gone.id)).status).toBe(404)
  })

  it('API-EMAIL-24 H18 of another workspace return 404, and do not change', async () => {
    const theirs = await created({}, other.token)
    for (const [method, body] of [['GET'], ['PATCH', { subject: 'mine' }], ['DELETE']] as [string, object?][]) {
      const answer = await one(method, theirs.id, body)
      expect(answer).toMatchObject({ status: 404, body: (await one(method, nowhere, body)).body })
    }
    const restore = await server.call('POST', `/email/template/${theirs.id}/restore`, { token: user.token })
    expect(restore.status).toBe(404)
    expect((await one('GET', theirs.id, undefined, other.token)).body).toEqual(theirs)
    expect((await list()).body).toEqual([])
  })

  it('return 404 for an invalid id', async () => {
    expect((await one('GET', "1' or '1'='1")).status).toBe(404)
    expect((await one('PATCH', 'nonsense', { subject: 'x' })).status).toBe(404)
  })
})

describe('sending by template_key', () => {
  const send = (key: string, body: object = {}) =>
    server.call('POST', `/api/send-mail/${user.secretKey}?template_key=${key}`, {
      body: { recipient_list: [recipient], subject: 'Hello {{first_name}}', context: { first_name: '<Ann>' }, ...body },
    })
  let recipient: string
  beforeEach(() => {
    recipient = `reader-${user.mailboxId}@example.com`
  })

  it('sends the template’s body as HTML with the subject of the call', async () => {
    const { key } = await created()
    expect(await send(key)).toMatchObject({ status: 200, body: { accepted: 1 } })
    const [mail] = await server.mailsTo(recipient)
    expect(mail).toMatchObject({ subject: 'Hello <Ann>', html: expect.stringContaining('<p>Dear &lt;Ann&gt;</p>') })
  })

  it('overrides content in the same call', async () => {
    const { key } = await created()
    await send(key, { content: 'not this', is_html: false })
    const [mail] = await server.mailsTo(recipient)
    expect(mail?.html).toContain('Dear')
    expect(mail?.raw).not.toContain('not this')
  })

  it('works with the dashboard’s send call too', async () => {
    const { key } = await created()
    const answer = await server.call('POST', `/email/send-mail/${user.secretKey}?template_key=${key}`, {
      token: user.token,
      body: { recipient_list: [recipient], subject: 'Hi', context: { first_name: 'Ben' } },
    })
    expect(answer.status).toBe(200)
    expect((await server.mailsTo(recipient))[0]?.html).toContain('Dear Ben')
  })

  it('H19 a key of another workspace, or of a deleted template, is unknown', async () => {
    const theirs = await created({}, other.token)
    const deleted = await created()
    await one('DELETE', deleted.id)
    for (const key of [theirs.key, deleted.key]) {
      const answer = await send(key)
      expect(answer).toMatchObject({ status: 404, body: { detail: expect.stringContaining('template_key') } })
      expect(answer.text).not.toContain('Dear')
    }
  })
})
