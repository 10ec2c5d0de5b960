import { afterAll, beforeAll, expect, it } from 'vitest'
import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { readKeyRing } from '../../server/store/vault/key-ring.ts'
import { createVault } from '../../server/store/vault/vault.ts'
import { signLink } from '../../server/tracking/link.ts'
import { readToken, signToken } from '../../server/tracking/token.ts'
import { runCommand } from '../support/command.ts'
import { createDatabase, startTcpPostgres, type OwnTestServer, type TestDatabase } from '../support/postgres-server.ts'
import { createUser } from '../support/accounts.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { startServerProcess } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let postgres: OwnTestServer
let database: TestDatabase
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let keyFile: string
let click: string
let pixel: string

/** A tracked mail of a server that has ended; its links hold for every server with the same keys. */
async function prepare(server: TestServer): Promise<void> {
  const { token, mailboxId } = await createUser(server)
  await server.call('PATCH', '/workspace', { token, body: { postal_address: '1 Main Street', tracking: 'identified' } })
  const to = `${randomUUID()}@example.com`
  const body = '<a href="https://example.org/a">Read</a>'
  const given = { subject: 'News', body, config_id: mailboxId, recipients: [to] }
  const { id } = (await server.call('POST', '/email/campaign', { token, body: given })).body as { id: string }
  await server.call('POST', `/email/campaign/${id}/launch`, { token, body: {} })
  const [mail] = await server.mailsTo(to)
  const html = mail!.html ?? ''
  click = /href="http:\/\/[^/]*(\/c\/[^"]*)"/.exec(html)![1]!
  pixel = /src="http:\/\/[^/]*(\/o\/[^"]*)"/.exec(html)![1]!
}

beforeAll(async () => {
  postgres = await startTcpPostgres()
  database = await createDatabase(postgres)
  folder = await temporaryFolder()
  keyFile = join(folder.path, 'secret.key')
  const server = await startTestServer(
    { SECRET_KEY_FILE: keyFile },
    { database: { ...database, drop: () => Promise.resolve() } },
  )
  await prepare(server)
  await server[Symbol.asyncDispose]()
})
afterAll(async () => {
  await postgres.stop()
  await folder[Symbol.asyncDispose]()
})

/** Opens and clicks that the database has. */
async function countHits(): Promise<number> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    const { rows } = await client.query<{ count: number }>(
      `select (select count(*) from event_inbox where kind in (1, 2) and parked_error is null)::int
         + (select count(*) from events where kind in (1, 2))::int as count`,
    )
    return rows[0]!.count
  } finally {
    await client.end()
  }
}

it('TRACKING-24 A hit that was answered before a `kill -9` of the server stands in the report exactly once after the restart', async () => {
  const dataDir = join(folder.path, 'killed')
  await mkdir(dataDir)
  const start = () =>
    startServerProcess({
      environment: { PORT: '0', DATABASE_URL: database.url, DATA_DIR: dataDir, SECRET_KEY_FILE: keyFile, WORKERS: '0' },
    })
  const before = await countHits()
  let answered = 0
  for (let round = 0; round < 3; round++) {
    const server = await start()
    // Some are in the database already, some only in the journal when the process is killed.
    const hit = async () => {
      const { status } = await fetch(server.url + click, { redirect: 'manual' })
      if (status === 302) answered++
    }
    for (let count = 0; count < 10; count++) await Promise.all([hit(), hit(), hit(), hit()])
    await server.end('SIGKILL')
  }
  const server = await start()
  await expect.poll(async () => (await countHits()) - before).toBe(answered)
  expect(answered).toBe(120)
  await server.end('SIGTERM')
  expect((await countHits()) - before).toBe(answered)
})

it('TRACKING-23 While PostgreSQL is down, click links answer 302 and pixels 200; after its return each of these hits stands in the report exactly once', async () => {
  await using server = await startTestServer(
    { SECRET_KEY_FILE: keyFile, WORKERS: '0' },
    { database: { ...database, drop: () => Promise.resolve() } },
  )
  const admin = new pg.Client({ connectionString: database.url.replace(/\/[^/?]+(\?|$)/, '/postgres$1') })
  await admin.connect()
  const name = new URL(database.url).pathname.slice(1)
  const before = await countHits()
  await admin.query(`alter database "${name}" with allow_connections false`)
  await admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and backend_type = 'client backend'",
    [name],
  )
  expect((await server.call('GET', '/ready')).status).toBe(503)
  for (let count = 0; count < 20; count++) {
    expect((await server.call('GET', click)).status).toBe(302)
    expect((await server.call('GET', pixel)).status).toBe(200)
  }
  await admin.query(`alter database "${name}" with allow_connections true`)
  await admin.end()
  await expect.poll(async () => (await countHits()) - before).toBe(40)
}, 60_000)

it('TRACKING-14 click links of mails that left before a key rotation still answer 302 after it, and links of the new key at once', async () => {
  const start = () =>
    startTestServer(
      { SECRET_KEY_FILE: keyFile, WORKERS: '0' },
      { database: { ...database, drop: () => Promise.resolve() } },
    )
  const follow = async (server: TestServer, path: string) => {
    const { status, headers } = await server.call('GET', path)
    return [status, headers.get('location')]
  }
  const moved = [302, 'https://example.org/a']
  await using running = await start()
  expect(await follow(running, click)).toEqual(moved)
  const before = createVault((await readKeyRing(keyFile))!)
  const environment = { DATABASE_URL: database.url, SECRET_KEY_FILE: keyFile, DATA_DIR: folder.path }
  expect((await runCommand('keys-rotate', [], environment)).code).toBe(0)
  const after = createVault((await readKeyRing(keyFile))!)
  expect(after.mailKeyId()).not.toBe(before.mailKeyId())

  const mail = readToken(before.mailKeys(), click.split('/')[2]!)!
  const key = after.mailKey(after.mailKeyId())
  const link = signLink(key, { messageId: mail.messageId, no: 1, url: 'https://example.org/a' })
  const [oldPath, newPath] = [click, `/c/${signToken(key, mail)}${link}`]
  for (const path of [oldPath, newPath]) expect(await follow(running, path)).toEqual(moved)
  await using restarted = await start()
  for (const path of [oldPath, newPath]) expect(await follow(restarted, path)).toEqual(moved)
}, 60_000)
