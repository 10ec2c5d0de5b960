import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeHostedKey, openRealtime } from '../support/hosted.ts'
import { createTestDatabase } from '../support/postgres.ts'
import type { TestDatabase } from '../support/postgres-server.ts'
import { startServerProcess, type ServerProcess } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Two servers in processes of their own, on one database. */
let servers: [ServerProcess, ServerProcess]
let folder: { path: string } & AsyncDisposable
let database: TestDatabase
let pool: pg.Pool
let operator: string
/** A collection per test, so that tests receive only their own changes. */
let news: string

const sql = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
  (await pool.query<Row>(text, values)).rows

beforeAll(async () => {
  folder = await temporaryFolder()
  database = await createTestDatabase()
  pool = new pg.Pool({ connectionString: database.url, max: 4 })
  await mkdir(join(folder.path, 'keys'), { mode: 0o700 })
  const first = await start('first')
  servers = [first, await start('second')]
  operator = (await makeHostedKey({ sql }, 'write')).key
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.end('SIGTERM')))
  await pool.end()
  await database.drop()
  await folder[Symbol.asyncDispose]()
})
beforeEach(() => {
  news = randomUUID()
})

const start = (name: string) =>
  startServerProcess({
    environment: {
      PORT: '0',
      WORKERS: '0',
      SANDBOX: 'on',
      DATABASE_URL: database.url,
      DATA_DIR: join(folder.path, name),
      SECRET_KEY_FILE: join(folder.path, 'keys', 'secret.key'),
    },
  })

async function create(server: ServerProcess, data: object): Promise<string> {
  const response = await fetch(`${server.url}/collections/documents?collection=${news}`, {
    method: 'POST',
    headers: { 'x-api-key': operator, 'content-type': 'application/json' },
    body: JSON.stringify({ data }),
  })
  return ((await response.json()) as { id: string }).id
}

describe('several server processes on one database', () => {
  it('notify each other’s clients of every change, in the same order for all', async () => {
    const [first, second] = servers
    await using one = await openRealtime(first.url, news, { key: operator })
    await using other = await openRealtime(second.url, news, { key: operator })
    await Promise.all([one.received(1), other.received(1)])
    const made = await Promise.all(Array.from({ length: 60 }, (_, at) => create(servers[at % 2]!, { at })))
    const [toldHere, toldThere] = await Promise.all([one.received(61), other.received(61)])
    expect(toldThere.slice(1)).toEqual(toldHere.slice(1))
    const changes = toldHere.slice(1) as { id: number; document: { id: string } }[]
    expect(changes.map(({ id }) => id)).toEqual(changes.map((_, at) => changes[0]!.id + at))
    expect(changes.map(({ document }) => document.id).sort()).toEqual(made.sort())
  })

  it('resume a client of another process from the last change it has received', async () => {
    const [first, second] = servers
    let lastId: number
    {
      await using socket = await openRealtime(first.url, news, { key: operator })
      await socket.received(1)
      await create(second, {})
      lastId = ((await socket.received(2))[1] as { id: number }).id
    }
    const missed = await create(first, {})
    await using socket = await openRealtime(second.url, news, { key: operator, lastId })
    expect((await socket.received(2))[1]).toMatchObject({ id: lastId + 1, document: { id: missed } })
  })

  it('send the changes made while their listening connection was broken', async () => {
    const [first] = servers
    await using socket = await openRealtime(first.url, news, { key: operator })
    await socket.received(1)
    const cut = await sql<{ ended: boolean }>(
      `select pg_terminate_backend(pid) as ended from pg_stat_activity
       where application_name = 'sendwright realtime' and datname = current_database()`,
    )
    expect(cut).toEqual([{ ended: true }, { ended: true }])
    const id = await create(servers[1], {})
    expect((await socket.received(2))[1]).toMatchObject({ type: 'created', document: { id } })
  })

  it('serve the same key to their pages', async () => {
    const keys = await Promise.all(
      servers.map(async ({ url }) => {
        const text = await (await fetch(url, { headers: { accept: 'text/html' } })).text()
        return /<meta name="sendwright-hosted-key" content="(hr_[\w-]{43})"/.exec(text)?.[1]
      }),
    )
    expect(keys[0]).toBeTruthy()
    expect(keys[1]).toBe(keys[0])
  })

  it('close their websockets when one of them stops, so that clients reconnect to another', async () => {
    await using stopping = await start('third')
    await using socket = await openRealtime(stopping.url, news, { key: operator })
    await socket.received(1)
    const ended = stopping.end('SIGTERM')
    expect(await socket.closed).toBe(1001)
    expect(await ended).toBe(0)
  })
})
