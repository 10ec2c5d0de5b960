import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApi, type ApiServer } from '../support/api-server.ts'
import { makeHostedKey, openRealtime } from '../support/hosted.ts'
import { createUser } from '../support/accounts.ts'
import { startTestServer, type CallOptions, type TestServer } from '../support/server.ts'

/** Serves the hosted calls. */
let there: TestServer
let operator: string
/** Forwards them to `home`, as HOSTED_API_URL and HOSTED_API_KEY configure. */
let here: TestServer
let page: string

beforeAll(async () => {
  there = await startTestServer()
  operator = (await makeHostedKey(there, 'write')).key
  const { key } = await makeHostedKey(there, 'read', ['news'])
  here = await startTestServer({ HOSTED_API_URL: there.url, HOSTED_API_KEY: key })
  page = await pageKeyOf(here)
})
afterAll(async () => {
  await here[Symbol.asyncDispose]()
  await there[Symbol.asyncDispose]()
})
beforeEach(() => there.sql('delete from hosted_documents'))

async function pageKeyOf(server: TestServer): Promise<string> {
  const { text } = await server.call('GET', '/', { headers: { accept: 'text/html' } })
  return /<meta name="sendwright-hosted-key" content="(hr_[\w-]{43})"/.exec(text)?.[1] ?? ''
}
const by = (key: string, options: CallOptions = {}): CallOptions => ({
  ...options,
  headers: { 'x-api-key': key, ...options.headers },
})
const create = (collection: string, data: object, id?: string) =>
  there.call('POST', `/collections/documents?collection=${collection}`, by(operator, { body: { data, id } }))

describe('a server that forwards the hosted calls', () => {
  it('GLOBAL-10 lists, filters and reads the upstream’s templates, and has none of its own', async () => {
    await create('templates', { subject: 'Welcome', category: 'start' }, 'global-welcome')
    await create('templates', { subject: 'Receipt & more', category: 'shop' }, 'global-receipt')
    const all = await here.call('GET', '/collections/templates/documents?limit=1', by(page))
    expect(all).toMatchObject({ status: 200, body: [{ id: 'global-welcome' }] })
    expect(all.headers.get('x-total-count')).toBe('2')
    const filter = `filter=${encodeURIComponent('subject=Receipt & more')}&filter=category=shop`
    const some = await here.call('GET', `/collections/templates/documents?${filter}`, by(page))
    expect(some.body).toMatchObject([{ id: 'global-receipt' }])
    const one = await here.call('GET', '/collections/templates/documents/global-receipt', by(page))
    const same = await there.call('GET', '/collections/templates/documents/global-receipt', by(operator))
    expect(one.body).toEqual(same.body)
    expect(await here.sql('select id from hosted_documents')).toEqual([])
  })

  it('GLOBAL-09 H47 changes nothing upstream, with any key', async () => {
    await create('templates', {}, 'global-welcome')
    const ownOperator = (await makeHostedKey(here, 'write')).key
    for (const key of [page, ownOperator, operator]) {
      const path = '/collections/templates/documents/global-welcome'
      const tries = [
        await here.call('POST', '/collections/documents?collection=templates', by(key, { body: { data: {} } })),
        await here.call('PATCH', path, by(key, { body: { data: { a: 1 } } })),
        await here.call('DELETE', path, by(key)),
      ]
      expect(tries.map(({ status }) => status)).toEqual(Array(3).fill(key === operator ? 401 : 403))
    }
    expect((await there.call('GET', '/collections/templates/documents', by(operator))).body).toMatchObject([
      { data: {} },
    ])
  })

  it('H47 grants a caller only the rights of their own key, even if its upstream key has more', async () => {
    await create('news', { title: 'Doors open' })
    expect((await here.call('GET', '/collections/news/documents', by(page))).status).toBe(403)
    const reader = (await makeHostedKey(here, 'read', ['news'])).key
    expect((await here.call('GET', '/collections/news/documents', by(reader))).body).toHaveLength(1)
    expect((await here.call('GET', '/collections/news/documents')).status).toBe(401)
  })

  it('forwards upstream errors with their messages', async () => {
    const missing = await here.call('GET', '/collections/templates/documents/none', by(page))
    expect(missing).toMatchObject({ status: 404, body: { detail: 'No document has this id in this collection.' } })
    expect((await here.call('GET', '/collections/templates/documents?limit=-1', by(page))).status).toBe(422)
    expect((await here.call('GET', '/collections/templates/documents?filter=x', by(page))).status).toBe(422)
  })

  it('signs hosted users up, in and out of their own collections upstream', async () => {
    const person = { email: 'ann@example.com', password: 'correct horse', data: { plan: 'free' } }
    const signedUp = await here.call('POST', '/auth-collections/signup', by(page, { body: person }))
    expect(signedUp.status).toBe(201)
    const wrong = { ...person, password: 'wrong horse' }
    expect((await here.call('POST', '/auth-collections/login', by(page, { body: wrong }))).status).toBe(401)
    const { body } = await here.call('POST', '/auth-collections/login', by(page, { body: person }))
    const token = body.access_token as string
    const changed = await here.call(
      'PATCH',
      '/auth-collections/user',
      by(page, { token, body: { data: { plan: 'paid' } } }),
    )
    expect(changed.body.data).toEqual({ plan: 'paid' })
    const own = `user-${body.user.id as string}`
    const made = await here.call(
      'POST',
      `/collections/documents?collection=${own}`,
      by(page, { token, body: { data: {} } }),
    )
    expect(made.status).toBe(201)
    expect((await here.call('GET', `/collections/${own}/documents`, by(page, { token }))).body).toHaveLength(1)
    const repeated = () =>
      here.call(
        'POST',
        `/collections/documents?collection=${own}`,
        by(page, { token, body: { data: { once: true } }, headers: { 'idempotency-key': 'one-call' } }),
      )
    const [first, second] = [await repeated(), await repeated()]
    expect([first.status, second.text, second.headers.get('idempotency-replayed')]).toEqual([201, first.text, 'true'])
    expect((await here.call('GET', `/collections/${own}/documents`, by(page))).status).toBe(403)
    expect((await here.call('GET', '/auth-collections/user', by(page))).status).toBe(401)
    expect(await here.sql('select id from hosted_users')).toEqual([])
    expect(await there.sql('select email from hosted_users')).toEqual([{ email: 'ann@example.com' }])
  })

  it('HOSTED-24 forwards the websocket: upstream changes arrive, and resume after the last one received', async () => {
    await using socket = await openRealtime(here.url, 'templates', { key: page })
    const [ready] = await socket.received(1)
    const { body: first } = await create('templates', { subject: 'One' })
    expect((await socket.received(2))[1]).toMatchObject({ type: 'created', document: first })
    const { body: second } = await create('templates', { subject: 'Two' })
    const lastId = (ready as { last_id: number }).last_id + 1
    await using later = await openRealtime(here.url, 'templates', { key: page, lastId })
    expect((await later.received(2))[1]).toMatchObject({ type: 'created', id: lastId + 1, document: second })
  })

  it('H47 opens no websocket without the right to one', async () => {
    await using wrong = await openRealtime(here.url, 'templates', { key: operator })
    expect(await wrong.closed).toBe(4401)
    await using confined = await openRealtime(here.url, 'news', { key: page })
    expect(await confined.closed).toBe(4403)
    await using foreign = await openRealtime(here.url, 'templates', { key: page, origin: 'https://evil.example' })
    expect(await foreign.closed).toBe(4401)
  })

  it('closes the upstream websocket when its own client disconnects', async () => {
    const listening = () => there.logged().split('websocket closed').length
    const before = listening()
    {
      await using socket = await openRealtime(here.url, 'templates', { key: page })
      await socket.received(1)
    }
    await expect.poll(listening).toBe(before + 1)
  })
})

describe('a forwarded call', () => {
  let api: ApiServer
  let passing: TestServer
  let key: string

  beforeAll(async () => {
    api = await startApi({ listDocuments: { json: [] } })
    passing = await startTestServer({ HOSTED_API_URL: `${api.url}/`, HOSTED_API_KEY: `hr_${'k'.repeat(43)}` })
    key = await pageKeyOf(passing)
  })
  afterAll(async () => {
    await passing[Symbol.asyncDispose]()
    await api.close()
  })
  const list = (options: CallOptions = {}) => passing.call('GET', '/collections/templates/documents', by(key, options))

  it('carries our key in place of the caller’s, and no cookie or token of a product account', async () => {
    const account = await createUser(passing)
    const headers = { cookie: 'sw_pending=1', 'user-agent': 'curl', 'x-forwarded-for': '203.0.113.1' }
    expect((await list({ token: account.token, headers })).status).toBe(200)
    expect(api.received.at(-1)!.headers).toEqual({
      host: new URL(api.url).host,
      connection: expect.any(String),
      'x-api-key': `hr_${'k'.repeat(43)}`,
      'x-sendwright-passed-on': '1',
    })
  })

  it('carries a hosted user’s token, which the upstream checks', async () => {
    const token = `hu_${'t'.repeat(43)}`
    await list({ token })
    expect(api.received.at(-1)!.headers.authorization).toBe(`Bearer ${token}`)
  })

  it.each([
    ['refuses our key', { status: 401, json: { detail: 'no' } }],
    ['redirects', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
    ['hangs up', { hangUp: true }],
  ])('answers 502 when the upstream %s', async (_what, reply) => {
    api.on('listDocuments', reply)
    expect(await list()).toMatchObject({
      status: 502,
      body: { detail: 'The hosted data backend cannot be reached. Try again in a moment.' },
    })
    expect(passing.logged()).not.toContain('k'.repeat(43))
  })

  it("keeps the upstream's Retry-After at 429, and drops headers that it must not set", async () => {
    api.on('listDocuments', {
      status: 429,
      json: { detail: 'Too many attempts.' },
      headers: { 'retry-after': '30', 'set-cookie': 'a=b', server: 'other' },
    })
    const { status, headers } = await list()
    expect([status, headers.get('retry-after')]).toEqual([429, '30'])
    expect([headers.get('set-cookie'), headers.get('server')]).toEqual([null, null])
  })

  it('is not forwarded twice, so that two servers that name each other do not loop', async () => {
    const requested = api.received.length
    expect((await list({ headers: { 'x-sendwright-passed-on': '1' } })).status).toBe(502)
    await using socket = await openRealtime(passing.url, 'templates', {
      key,
      headers: { 'x-sendwright-passed-on': '1' },
    })
    expect(await socket.closed).toBe(1013)
    expect(api.received).toHaveLength(requested)
  })

  it('H21 reaches no other path by a malformed collection name', async () => {
    const requested = api.received.length
    const open = (await makeHostedKey(passing, 'read')).key
    for (const path of ['/collections/%2e%2e/documents/x', '/collections/templates/documents/%2e%2e']) {
      // Verbatim: fetch would resolve the dots itself.
      const { port } = new URL(passing.url)
      const sent = request({ port, host: '127.0.0.1', path, headers: { 'x-api-key': open } }).end()
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      answer.resume()
      expect(answer.statusCode).toBe(404)
    }
    expect(api.received).toHaveLength(requested)
  })

  it('closes a websocket with “try again later” when none can be opened upstream', async () => {
    await using socket = await openRealtime(passing.url, 'templates', { key })
    expect(await socket.closed).toBe(1013)
  })
})
