import { once } from 'node:events'
import { request } from 'node:http'
import pg from 'pg'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeHostedKey, openRealtime, type RealtimeSocket } from '../../../tests/support/hosted.ts'
import { useServer } from '../../../tests/support/server.ts'

let operator: string
let reader: string
/** A collection per test, so that tests receive only their own changes. */
const collections = Array.from({ length: 30 }, (_, at) => `news-${at}`)
let news: string
/** Opened at the very start, and never sends anything. */
let silent: RealtimeSocket

const server = await useServer()
beforeAll(async () => {
  operator = (await makeHostedKey(server, 'write')).key
  reader = (await makeHostedKey(server, 'read', collections)).key
  silent = await openRealtime(server.url, 'silent', {})
})
beforeEach(() => {
  news = collections.pop()!
})

const headers = () => ({ 'x-api-key': operator })
const create = async (data: object, collection = news) =>
  (await server.call('POST', `/collections/documents?collection=${collection}`, { headers: headers(), body: { data } }))
    .body
const fill = (count: number, data: string) =>
  server.sql(`insert into hosted_documents (collection, id, data)
    select '${news}', 'd' || lpad(n::text, 5, '0'), ${data} from generate_series(1, ${count}) as n`)
const follow = (options: { key?: string | null; lastId?: number; origin?: string } = {}, collection = news) =>
  openRealtime(server.url, collection, { key: reader, ...options })
const ids = (messages: readonly object[]) => messages.flatMap((message) => ('id' in message ? [message.id] : []))

describe('a websocket of a collection', () => {
  it('HOSTED-24 HOSTED-25 accepts the API key as its first message, then receives each document created, changed and deleted', async () => {
    await using socket = await follow()
    const [ready] = await socket.received(1)
    expect(ready).toEqual({ type: 'ready', last_id: expect.any(Number) })
    const from = (ready as { last_id: number }).last_id

    const created = await create({ title: 'Doors open' })
    const path = `/collections/${news}/documents/${created.id as string}`
    const { body: updated } = await server.call('PATCH', path, { headers: headers(), body: { data: { hall: 2 } } })
    await server.call('DELETE', path, { headers: headers() })
    await create({ title: 'of another collection' }, 'orders')
    const last = await create({ title: 'Doors closed' })

    expect((await socket.received(5)).slice(1)).toEqual([
      { type: 'created', id: from + 1, document: created },
      { type: 'updated', id: from + 2, document: updated },
      { type: 'deleted', id: from + 3, document: { id: created.id } },
      { type: 'created', id: from + 4, document: last },
    ])
  })

  it('receives changes in commit order, and nothing of a rollback', async () => {
    await using socket = await follow()
    await socket.received(1)
    const insert = 'insert into hosted_documents (collection, id, data) values ($1, $2, $3)'
    const client = new pg.Client({ connectionString: server.database.url })
    await client.connect()
    try {
      await client.query('begin')
      await client.query(insert, [news, 'undone', '{}'])
      await client.query('rollback')
      await client.query('begin')
      await client.query(insert, [news, 'first', '{}'])
      // Started later, and pending: it must not be sent before the first, nor get its number.
      const second = create({ title: 'second' })
      await client.query(insert, [news, 'first-too', '{}'])
      await client.query('commit')
      const { id } = await second
      const reported = (await socket.received(4)).slice(1) as { id: number; document: { id: string } }[]
      expect(reported.map(({ document }) => document.id)).toEqual(['first', 'first-too', id])
      expect(reported.map((change) => change.id - reported[0]!.id)).toEqual([0, 1, 2])
    } finally {
      await client.end()
    }
  })

  it('receives a hundred concurrent changes, each once, without a gap', async () => {
    await using socket = await follow()
    await socket.received(1)
    const made = await Promise.all(Array.from({ length: 100 }, (_, at) => create({ at })))
    const reported = (await socket.received(101)).slice(1) as { id: number; document: { id: string } }[]
    expect(reported.map(({ id }) => id)).toEqual(reported.map((_, at) => reported[0]!.id + at))
    expect(reported.map(({ document }) => document.id).sort()).toEqual(made.map(({ id }) => id as string).sort())
  })

  it('receives a change soon after the response, also one made by SQL', async () => {
    await using socket = await follow()
    await socket.received(1)
    await fill(3, `jsonb_build_object('n', n)`)
    const reported = (await socket.received(4)).slice(1)
    expect(reported).toMatchObject([1, 2, 3].map((n) => ({ type: 'created', document: { data: { n } } })))
    expect(reported.map((message) => Object.keys('document' in message ? message.document : {}))).toEqual(
      Array(3).fill(['id', 'data', 'created_at', 'updated_at']),
    )
  })
})

describe('a reconnected websocket', () => {
  it('resumes after the last change it has received', async () => {
    await fill(3, `'{}'`)
    const [{ lastId }] = (await server.sql(
      `select last_change as "lastId" from hosted_collections where name = '${news}'`,
    )) as [{ lastId: number }]
    const seen = lastId - 2
    await using socket = await follow({ lastId: seen })
    expect(ids(await socket.received(3))).toEqual([seen + 1, seen + 2])
    await create({})
    expect(ids(await socket.received(4))).toEqual([seen + 1, seen + 2, seen + 3])
  })

  it('resumes while changes continue, each once', async () => {
    await fill(500, `'{}'`)
    const changing = Promise.all(Array.from({ length: 50 }, (_, at) => create({ at })))
    await using socket = await follow({ lastId: 0 })
    await changing
    const [{ lastId }] = (await server.sql(
      `select last_change as "lastId" from hosted_collections where name = '${news}'`,
    )) as [{ lastId: number }]
    const reported = ids(await socket.received(1 + lastId))
    expect(reported).toEqual(Array.from({ length: lastId }, (_, at) => at + 1))
  })

  it('must list again when the missed changes are deleted', async () => {
    await fill(5, `'{}'`)
    await server.sql(`delete from hosted_changes where collection = '${news}' and id < 5`)
    await using socket = await follow({ lastId: 0 })
    const [ready, reload] = await socket.received(2)
    expect(ready).toEqual({ type: 'ready', last_id: 0 })
    expect(reload).toMatchObject({ type: 'reload', last_id: expect.any(Number) })
    await create({})
    expect(ids(await socket.received(3))).toEqual([(reload as { last_id: number }).last_id + 1])
  })

  it('must list again when its last change belongs to another database', async () => {
    await fill(1, `'{}'`)
    await using socket = await follow({ lastId: 987_654_321 })
    expect((await socket.received(2))[1]).toMatchObject({ type: 'reload' })
    await create({})
    expect((await socket.received(3))[2]).toMatchObject({ type: 'created' })
  })
})

describe('an unauthorized websocket', () => {
  it('H47 with a wrong key is closed with 4401', async () => {
    for (const key of ['x', `hr_${'x'.repeat(43)}`, '', '{"key":1}']) {
      await using socket = await follow({ key })
      expect(await socket.closed).toBe(4401)
      expect(socket.messages).toEqual([])
    }
  })

  it('H47 with a key of another collection is closed with 4403, whether the collection exists or not', async () => {
    await create({}, 'orders')
    for (const collection of ['orders', 'none', 'user-1', 'a%2Fb', 'a%00b', '.hidden']) {
      await using socket = await follow({}, collection)
      expect(await socket.closed).toBe(4403)
      expect(socket.messages).toEqual([])
    }
  })

  it('H47 from a page of another origin is closed with 4401, whatever key it has', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://localhost:1', `${server.url}.evil.example`]) {
      await using socket = await follow({ origin })
      expect(await socket.closed).toBe(4401)
    }
    await using own = await follow({ origin: server.url })
    expect(await own.received(1)).toMatchObject([{ type: 'ready' }])
  })

  it('with the key of our own pages reads templates, and nothing else', async () => {
    const page = await server.call('GET', '/', { headers: { accept: 'text/html' } })
    const key = /<meta name="sendwright-hosted-key" content="(hr_[\w-]{43})"/.exec(page.text)?.[1] ?? ''
    await using templates = await follow({ key }, 'templates')
    expect(await templates.received(1)).toMatchObject([{ type: 'ready' }])
    await using news = await follow({ key })
    expect(await news.closed).toBe(4403)
  })

  it('is closed when it sends more than its key, or a kilobyte', async () => {
    await using talkative = await follow()
    await talkative.received(1)
    talkative.socket.send('subscribe')
    expect(await talkative.closed).toBe(1008)
    await using long = await follow({ key: 'h'.repeat(2000) })
    expect(await long.closed).toBe(1009)
  })

  it('rejects a plain request, and another protocol', async () => {
    expect(await server.call('GET', '/realtime/collections/news')).toMatchObject({
      status: 426,
      body: { detail: 'Open this address as a websocket.' },
    })
    for (const [path, upgrade] of [
      ['/realtime/collections/news', 'h2c'],
      ['/health', 'websocket'],
    ] as const) {
      const asked = request(server.url + path, { headers: { connection: 'upgrade', upgrade } }).end()
      const [answer] = (await once(asked, 'response')) as [{ statusCode: number; resume: () => void }]
      answer.resume()
      expect(answer.statusCode).toBe(path === '/health' ? 200 : 426)
    }
  })

  it('leaves no key in the log', async () => {
    await using socket = await follow()
    await socket.received(1)
    expect(server.logged()).not.toContain(reader.slice(3))
  })
})

describe('a websocket that reads too slowly', () => {
  it('is closed, while others receive everything', async () => {
    await using slow = await follow()
    await using quick = await follow()
    await Promise.all([slow.received(1), quick.received(1)])
    slow.socket.pause()
    // 40 MB, more than any socket's own buffers hold, as fast as the quick one reads them.
    for (let count = 5; count <= 200; count += 5) {
      await server.sql(
        `insert into hosted_documents (collection, id, data)
         select $2, 'd' || n, jsonb_build_object('text', repeat('x', 200000), 'n', n)
         from generate_series($1::int - 4, $1::int) as n`,
        [count, news],
      )
      await quick.received(1 + count)
    }
    expect(quick.socket.readyState).toBe(quick.socket.OPEN)
    slow.socket.resume()
    expect([1006, 4408]).toContain(await slow.closed)
    expect(slow.messages.length).toBeLessThan(201)
  })
})

it('H47 a websocket that sends no key is closed with 4401 after five seconds', async () => {
  expect(await silent.closed).toBe(4401)
})
