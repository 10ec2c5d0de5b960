import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Document } from '../../../contract/hosted/hosted.ts'
import { makeHostedKey } from '../../../tests/support/hosted.ts'
import { createUser } from '../../../tests/support/accounts.ts'
import { type CallOptions, useServer } from '../../../tests/support/server.ts'

let operator: string
let reader: string

const server = await useServer()
beforeAll(async () => {
  operator = (await makeHostedKey(server, 'write')).key
  reader = (await makeHostedKey(server, 'read', ['news'])).key
})
beforeEach(() => server.sql('delete from hosted_documents'))

const by = (key: string | null, options: CallOptions = {}): CallOptions => ({
  ...options,
  headers: { ...(key !== null && { 'x-api-key': key }), ...options.headers },
})
const create = (collection: string, data: unknown, more: { id?: string; key?: string } = {}) =>
  server.call('POST', `/collections/documents?collection=${collection}`, {
    ...by(more.key ?? operator, { body: { data, ...(more.id !== undefined && { id: more.id }) } }),
  })
const list = async (collection: string, query = '', key = operator) =>
  server.call('GET', `/collections/${collection}/documents${query}`, by(key))
const namesIn = (body: unknown) => (body as Document[]).map(({ data }) => data['name'])

describe('a document', () => {
  it('HOSTED-06 HOSTED-03 is created in a collection from the data object of the body', async () => {
    const { status, body } = await create('news', { title: 'Doors open', tags: ['a'], deep: { x: [1, null, true] } })
    expect(status).toBe(201)
    expect(body.data).toEqual({ title: 'Doors open', tags: ['a'], deep: { x: [1, null, true] } })
    expect(body.created_at).toBe(body.updated_at)
    expect(await server.sql('select collection, id, data from hosted_documents')).toEqual([
      { collection: 'news', id: body.id, data: body.data },
    ])
  })

  it('HOSTED-05 HOSTED-19 is read by its collection and id: an id plus a data object', async () => {
    const { body: created } = await create('news', { title: 'Doors open' })
    const { status, body } = await server.call('GET', `/collections/news/documents/${created.id}`, by(operator))
    expect(status).toBe(200)
    expect(body).toEqual(created)
    expect(Object.keys(body as object)).toEqual(['id', 'data', 'created_at', 'updated_at'])
  })

  it('HOSTED-07 is changed: fields merge, null removes one, missing ones stay', async () => {
    const { body: created } = await create('news', { title: 'Doors open', place: { city: 'Ulm', hall: 1 }, old: true })
    const patch = { title: 'Doors closed', place: { hall: 2 }, old: null }
    const { status, body } = await server.call('PATCH', `/collections/news/documents/${created.id}`, {
      ...by(operator, { body: { data: patch } }),
    })
    expect(status).toBe(200)
    expect(body.data).toEqual({ title: 'Doors closed', place: { city: 'Ulm', hall: 2 } })
    expect(body.created_at).toBe(created.created_at)
    expect(Date.parse(body.updated_at as string)).toBeGreaterThan(Date.parse(created.updated_at as string))
  })

  it('HOSTED-08 is deleted, and returns 404 then', async () => {
    const { body } = await create('news', {})
    const path = `/collections/news/documents/${body.id}`
    expect((await server.call('DELETE', path, by(operator))).status).toBe(204)
    for (const method of ['GET', 'DELETE']) expect((await server.call(method, path, by(operator))).status).toBe(404)
    const patched = await server.call('PATCH', path, by(operator, { body: { data: {} } }))
    expect([patched.status, patched.body.detail]).toEqual([404, 'No document has this id in this collection.'])
  })

  it('GLOBAL-11 GLOBAL-12 accepts an id chosen by its operator, such as global-welcome, once', async () => {
    const { body } = await create('templates', { subject: 'Welcome' }, { id: 'global-welcome' })
    expect(body).toMatchObject({ id: 'global-welcome', data: { subject: 'Welcome' } })
    expect(await create('templates', { subject: 'Other' }, { id: 'global-welcome' })).toMatchObject({ status: 409 })
    const { body: kept } = await server.call('GET', '/collections/templates/documents/global-welcome', by(reader))
    expect(kept.data).toEqual({ subject: 'Welcome' })
  })

  it('has the same result after two concurrent changes as after sequential ones', async () => {
    const { body } = await create('news', { count: 0 })
    const fields = Array.from({ length: 20 }, (_, at) => `field${at}`)
    await Promise.all(
      fields.map((field) =>
        server.call(
          'PATCH',
          `/collections/news/documents/${body.id}`,
          by(operator, { body: { data: { [field]: 1 } } }),
        ),
      ),
    )
    const { body: changed } = await server.call('GET', `/collections/news/documents/${body.id}`, by(operator))
    expect(Object.keys(changed.data as object).sort()).toEqual(['count', ...fields].sort())
  })

  it.each([
    ['a field named __proto__', '{"__proto__":{"isAdmin":true}}'],
    ['an emoji and a line separator', '{"text":"\u{1F600}\\u2028"}'],
    ['an empty name', '{"":1}'],
    ['a number of many digits', '{"n":1e300}'],
  ])('stores %s unchanged', async (_what, data) => {
    const { status, body } = await server.call('POST', '/collections/documents?collection=news', {
      ...by(operator, { raw: `{"data":${data}}` }),
    })
    expect(status).toBe(201)
    const { text } = await server.call('GET', `/collections/news/documents/${body.id}`, by(operator))
    expect(JSON.stringify((JSON.parse(text) as Document).data)).toBe(JSON.stringify(JSON.parse(data)))
  })

  it('over 256 kB returns 413, at its creation and after a change', async () => {
    const almost = { text: 'x'.repeat(256 * 1024 - 50) }
    const { status, body } = await create('news', almost)
    expect(status).toBe(201)
    const tooLarge = await create('news', { text: 'x'.repeat(256 * 1024) })
    expect([tooLarge.status, tooLarge.body.detail]).toEqual([
      413,
      'The document is larger than 256 kB. Store less in it.',
    ])
    const grown = await server.call('PATCH', `/collections/news/documents/${body.id}`, {
      ...by(operator, { body: { data: { more: 'x'.repeat(100) } } }),
    })
    expect(grown.status).toBe(413)
    const { body: kept } = await server.call('GET', `/collections/news/documents/${body.id}`, by(operator))
    expect(kept.data).toEqual(almost)
  })

  it.each([
    ['no data', {}],
    ['data that is a text', { data: 'x' }],
    ['data that is a list', { data: [] }],
    ['data that is null', { data: null }],
    ['an id with a slash', { data: {}, id: '../x' }],
    ['an id of 129 characters', { data: {}, id: 'x'.repeat(129) }],
    ['an empty id', { data: {}, id: '' }],
    ['a NUL in a text', { data: { text: 'a\0b' } }],
  ])('with %s returns 422', async (_what, body) => {
    const answer = await server.call('POST', '/collections/documents?collection=news', by(operator, { body }))
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0].loc[0]).toBe('body')
  })

  it.each(['', '?collection=', '?collection=a/b', '?collection=.hidden', `?collection=${'x'.repeat(101)}`])(
    'created in the collection of “%s” returns 422',
    async (query) => {
      const answer = await server.call('POST', `/collections/documents${query}`, by(operator, { body: { data: {} } }))
      expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['query', 'collection']])
    },
  )

  it.each(['..%2f..', '%2e%2e', '1%20OR%201=1', 'x'.repeat(500), '__proto__', '%00', "'", '9'.repeat(10_000)])(
    'H21 with the id or collection %s returns 404',
    async (name) => {
      // A client resolves `%2e%2e` itself, to a path without a route: one that accepts HTML is redirected to /.
      const json = by(operator, { headers: { accept: 'application/json' } })
      for (const path of [`/collections/news/documents/${name}`, `/collections/${name}/documents/x`]) {
        expect((await server.call('GET', path, json)).status).toBe(404)
        expect((await server.call('DELETE', path, json)).status).toBe(404)
      }
    },
  )
})

describe('a list of documents', () => {
  const products = [
    { name: 'Chair', price: 80, status: 'active', tags: ['wood', 'new'], maker: { country: 'DE', year: '2019-05-01' } },
    { name: 'Table', price: 300, status: 'active', tags: ['wood'], maker: { country: 'FR', year: '2024-01-31' } },
    { name: 'Lamp', price: '80', status: 'draft', isSold: true, maker: { country: 'DE', year: '2024-02-01' } },
    { name: 'Armchair', price: -5.5, status: null, isSold: false, tags: [7] },
  ]
  const stock = () =>
    products.reduce(async (before, product) => {
      await before
      await create('products', product)
    }, Promise.resolve())

  it('HOSTED-09 contains the collection’s documents, the oldest first, with their count', async () => {
    await stock()
    await create('news', { name: 'of another collection' })
    const { status, body, headers } = await list('products')
    expect(status).toBe(200)
    expect(namesIn(body)).toEqual(['Chair', 'Table', 'Lamp', 'Armchair'])
    expect(headers.get('x-total-count')).toBe('4')
    expect(headers.get('x-total-count-relation')).toBeNull()
  })

  it('HOSTED-10 HOSTED-11 accepts limit and offset', async () => {
    await stock()
    expect(namesIn((await list('products', '?limit=2')).body)).toEqual(['Chair', 'Table'])
    const { body, headers } = await list('products', '?limit=2&offset=3')
    expect(namesIn(body)).toEqual(['Armchair'])
    expect(headers.get('x-total-count')).toBe('4')
    expect(namesIn((await list('products', '?offset=2147483647')).body)).toEqual([])
  })

  it('LIMITS-06 LIMITS-07 contains 100 documents without a limit, and starts with the first', async () => {
    await server.sql(
      `insert into hosted_documents (collection, id, data) select 'many', 'd' || n, jsonb_build_object('name', n)
       from generate_series(1, 120) as n`,
    )
    expect((await list('many')).body).toHaveLength(100)
    expect((await list('many')).headers.get('x-total-count')).toBe('120')
  })

  it.each([
    ['status=active', ['Chair', 'Table']],
    ['price=80', ['Chair', 'Lamp']],
    ['price=-5.5', ['Armchair']],
    ['isSold=true', ['Lamp']],
    ['status=null', ['Armchair']],
    ['maker.country=DE', ['Chair', 'Lamp']],
    ['maker.country=DE&filter=status=draft', ['Lamp']],
    ['tags=wood', []],
    ['price__gt=80', ['Table']],
    ['price__lt=80', ['Armchair']],
    ['price__gt=-6&filter=price__lt=100', ['Chair', 'Armchair']],
    ['maker.year__gt=2024-01-31', ['Lamp']],
    ['maker.year__lt=2024', ['Chair']],
    ['name__contains=chair', ['Chair', 'Armchair']],
    ['name__contains=a.*', []],
    ['name__contains=', ['Chair', 'Table', 'Lamp', 'Armchair']],
    ['tags__contains=wood', ['Chair', 'Table']],
    ['tags__contains=7', ['Armchair']],
    ['status__gt=', ['Chair', 'Table', 'Lamp']],
    ['isSold__gt=0', []],
    ['maker=DE', []],
  ])('HOSTED-12 with filter=%s contains %j', async (filter, names) => {
    await stock()
    const { status, body, headers } = await list('products', `?filter=${filter}`)
    expect(status).toBe(200)
    expect(namesIn(body)).toEqual(names)
    expect(headers.get('x-total-count')).toBe(String(names.length))
  })

  it.each([
    'nothing=1',
    'maker.nothing.here__gt=1',
    'maker.country.more=1',
    'name__contains__gt=1',
    'a__b__contains=1',
  ])('with filter=%s, on a path that does not exist, is empty', async (filter) => {
    await stock()
    const { status, body, headers } = await list('products', `?filter=${filter}`)
    expect([status, body, headers.get('x-total-count')]).toEqual([200, [], '0'])
  })

  it('of an unused collection is empty', async () => {
    const { status, body, headers } = await list('nothing')
    expect([status, body, headers.get('x-total-count')]).toEqual([200, [], '0'])
  })

  it('counts a filtered list up to five hundred, and reports that there are more', async () => {
    await server.sql(
      `insert into hosted_documents (collection, id, data) select 'many', 'd' || n, jsonb_build_object('even', n % 2 = 0)
       from generate_series(1, 2400) as n`,
    )
    const { headers } = await list('many', '?filter=even=true&limit=5')
    expect([headers.get('x-total-count'), headers.get('x-total-count-relation')]).toEqual(['500', 'at-least'])
    const later = await list('many', '?filter=even=true&limit=100&offset=1150')
    expect(later.body).toHaveLength(50)
    expect(later.headers.get('x-total-count')).toBe('1200')
    const exact = await list('many', '?filter=even=true&filter=even__contains=x&limit=5')
    expect(exact.headers.get('x-total-count')).toBe('0')
  })

  it.each([
    'limit=-1',
    'limit=0',
    'limit=501',
    'limit=1e9',
    'limit=1000000000',
    'limit=x',
    'offset=NaN',
    'offset=-1',
    'offset=1e99',
    'limit=1&limit=2',
    'filter=status',
    'filter==x',
    'filter=a..b=1',
    `filter=${'x'.repeat(1001)}=1`,
    Array(9).fill('filter=a=1').join('&'),
    'filter=a=%00',
  ])('H47 with ?%s returns 422', async (query) => {
    const answer = await list('products', `?${query}`)
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0].loc[0]).toBe('query')
  })

  it.each([
    "x'); drop table hosted_documents; --=1",
    "status') or true or ('a=1",
    "status=active' or '1'='1",
    'a" ? (true) || $."b=1',
    'a" ? (true) || $."b__gt=1',
    'a__gt=1) || (true',
    'a__gt=1" || @ != "2',
    'name__contains=" flag "" || @ == "Chair',
    '$.*=1',
    '$**__gt=0',
    '*__contains=a',
    '__proto__=1',
    'constructor.prototype=1',
    '{status}=active',
    'data.status=active',
    '\\u0024=1',
    'a\\"b__gt=1',
  ])('H47 treats the filter %s as a name and a value, and matches nothing', async (filter) => {
    await stock()
    const { status, body } = await list('products', `?filter=${encodeURIComponent(filter)}`)
    expect([status, body]).toEqual([200, []])
    expect((await list('products')).body).toHaveLength(4)
  })
})

describe('an API key', () => {
  it.each([
    ['none', null],
    ['an unknown one', `hr_${'x'.repeat(43)}`],
    ['one that is no key', 'x'],
    ['ten thousand characters', 'h'.repeat(10_000)],
  ])('H47 with %s returns 401', async (_what, key) => {
    for (const [method, path] of [
      ['GET', '/collections/templates/documents'],
      ['GET', '/collections/templates/documents/x'],
      ['POST', '/collections/documents?collection=news'],
      ['POST', '/auth-collections/login'],
      ['GET', '/auth-collections/user'],
    ] as const) {
      const answer = await server.call(method, path, by(key))
      expect([answer.status, answer.body.detail]).toEqual([
        401,
        'The API key is missing, unknown or revoked. Send one in the x-api-key header.',
      ])
    }
  })

  it('is rejected at once after its revocation', async () => {
    const { id, key } = await makeHostedKey(server, 'write')
    expect((await list('news', '', key)).status).toBe(200)
    await server.sql('update hosted_keys set revoked_at = now() where id = $1', [id])
    expect((await list('news', '', key)).status).toBe(401)
  })

  it('is not in the database or the log', async () => {
    await list('news', '', operator)
    const rows = await server.sql("select encode(key_hash, 'escape') as hash, name from hosted_keys")
    expect(JSON.stringify(rows)).not.toContain(operator.slice(3))
    expect(server.logged()).not.toContain(operator.slice(3))
  })

  it('GLOBAL-09 GLOBAL-10 H47 of every kind can read templates, and only an operator’s write key can change them', async () => {
    await create('templates', { subject: 'Welcome' }, { id: 'global-welcome' })
    const confined = (await makeHostedKey(server, 'write', ['news'])).key
    const user = await createUser(server)
    for (const key of [reader, confined]) {
      expect((await list('templates', '', key)).body).toMatchObject([{ id: 'global-welcome' }])
      const path = '/collections/templates/documents/global-welcome'
      const tries = [
        await create('templates', { subject: 'Mine' }, { key }),
        await server.call('PATCH', path, by(key, { body: { data: { subject: 'Mine' } } })),
        await server.call('DELETE', path, by(key)),
        await server.call('DELETE', path, by(key, { token: user.token })),
      ]
      expect(tries.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    }
    expect((await list('templates')).body).toMatchObject([{ data: { subject: 'Welcome' } }])
  })

  it('H47 can read only its own collections, whether another one exists or not', async () => {
    await create('orders', { secret: true }, { id: 'one' })
    for (const path of [
      '/collections/orders/documents',
      '/collections/none/documents',
      '/collections/orders/documents/one',
    ]) {
      const answer = await server.call('GET', path, by(reader))
      expect([answer.status, answer.text]).toEqual([
        403,
        JSON.stringify({ detail: 'This API key is not allowed to do this in this collection.' }),
      ])
    }
    expect((await list('news', '', reader)).status).toBe(200)
  })

  it('of our own pages can read templates, and is in the page', async () => {
    const page = await server.call('GET', '/', { headers: { accept: 'text/html' } })
    const key = /<meta name="sendwright-hosted-key" content="(hr_[\w-]{43})"/.exec(page.text)?.[1] ?? ''
    expect((await list('templates', '', key)).status).toBe(200)
    expect((await list('news', '', key)).status).toBe(403)
    expect((await create('news', {}, { key })).status).toBe(403)
  })
})
