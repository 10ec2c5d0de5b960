import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBackup } from '../../server/store/backup/backup.ts'
import { openDatabase, type Database } from '../../server/store/core/database.ts'
import { listApplied, listMigrations, migrate } from '../../server/store/core/migrate.ts'
import { createAuthority } from '../support/certificate.ts'
import { query } from '../support/embedded.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { makeHostedKey, openRealtime } from '../support/hosted.ts'
import { importCalls } from '../support/import-calls.ts'
import { createDatabase, startTcpPostgres, type OwnTestServer, type TestDatabase } from '../support/postgres-server.ts'
import { createUser, type TestUser } from '../support/accounts.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// What differs between a database on a socket and one that is reached by DATABASE_URL. All other tests send the same
// statements through the same pool on a socket; `npm run soak -- tcp` runs them over TCP.

const authority = createAuthority()
const password = 'p@ss:/?#[]%20&=+ "w"'
let postgres: OwnTestServer
let folder: { path: string } & AsyncDisposable
let shared: TestDatabase
let server: TestServer
let user: TestUser

beforeAll(async () => {
  folder = await temporaryFolder()
  await writeFile(join(folder.path, 'ca.crt'), authority.ca)
  await writeFile(join(folder.path, 'other.crt'), createAuthority().ca)
  const started = await startTcpPostgres({ tls: authority.issue('127.0.0.1') })
  const { user: role } = started.connection
  await query(started.connection, `alter role ${pg.escapeIdentifier(role)} password ${pg.escapeLiteral(password)}`)
  postgres = { ...started, connection: { ...started.connection, password } }
  shared = await createDatabase(postgres)
  server = await startTestServer({}, { database: shared })
  user = await createUser(server)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await postgres.stop()
  await folder[Symbol.asyncDispose]()
})

/** The database's address with other parts. */
function urlWith(parts: { password?: string; port?: number; options?: Record<string, string> }): string {
  const url = new URL(shared.url)
  if (parts.password !== undefined) url.password = parts.password
  if (parts.port !== undefined) url.port = String(parts.port)
  for (const [name, value] of Object.entries(parts.options ?? {})) url.searchParams.set(name, value)
  return url.href
}

async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase({ url }, () => undefined)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

const usesTls = ({ pool }: Database) =>
  pool
    .query<{ ssl: boolean; version: string | null }>(
      'select ssl, version from pg_stat_ssl where pid = pg_backend_pid()',
    )
    .then(({ rows }) => rows[0])

/** What a connection waits for. */
async function waitEventOf(pid: number): Promise<string | null | undefined> {
  const rows = await server.sql<{ wait_event: string | null }>(
    'select wait_event from pg_stat_activity where pid = $1',
    [pid],
  )
  return rows[0]?.wait_event
}

const importing = importCalls(
  () => server,
  () => user.token,
)

describe('DATABASE_URL', () => {
  it('holds a password of reserved characters, encoded, and a port', async () => {
    expect(decodeURIComponent(new URL(shared.url).password)).toBe(password)
    const { rows } = await withDatabase(shared.url, ({ pool }) =>
      pool.query('select current_user as user, inet_server_port() as port'),
    )
    expect(rows).toEqual([{ user: postgres.connection.user, port: postgres.connection.port }])
  })

  it('with a wrong password is refused, without the password in the message', async () => {
    const url = urlWith({ password: 'hunter2' })
    const started = startTestServer({}, { database: { ...shared, url, drop: () => Promise.resolve() } })
    await expect(started).rejects.toThrow(/^The database of DATABASE_URL cannot be used: the password is wrong\.$/)
  })

  it('with sslmode=disable connects without TLS, and without an sslmode too', async () => {
    const plain = { ssl: false, version: null }
    expect(await withDatabase(urlWith({ options: { sslmode: 'disable' } }), usesTls)).toEqual(plain)
    expect(await withDatabase(shared.url, usesTls)).toEqual(plain)
  })

  it('with sslmode=verify-full and the authority of the certificate runs a server over TLS', async () => {
    const url = urlWith({ options: { sslmode: 'verify-full', sslrootcert: join(folder.path, 'ca.crt') } })
    expect(await withDatabase(url, usesTls)).toEqual({ ssl: true, version: 'TLSv1.3' })
    await using secure = await startTestServer(
      { SECRET_KEY_FILE: join(server.folder, 'secret.key') },
      { database: { ...shared, url, drop: () => Promise.resolve() } },
    )
    const { token } = await createUser(secure)
    expect((await secure.call('GET', '/email/configs', { token })).body).toMatchObject([{ provider: 'other' }])
    const { rows } = await withDatabase(shared.url, ({ pool }) =>
      pool.query<{ count: number }>(
        `select count(*) from pg_stat_ssl join pg_stat_activity using (pid) where ssl and application_name = 'sendwright'`,
      ),
    )
    expect(rows[0]?.count).toBeGreaterThan(0)
  })

  it('with sslmode=verify-full refuses the certificate of another authority', async () => {
    const url = urlWith({ options: { sslmode: 'verify-full', sslrootcert: join(folder.path, 'other.crt') } })
    await expect(withDatabase(url, usesTls)).rejects.toThrow(/certificate/)
  })
})

describe('over TCP', () => {
  it('processes that migrate an empty database together apply each migration once: the lock is of the connection', async () => {
    await query(postgres.connection, 'create database empty')
    const url = shared.url.replace(/\/test_\w+/, '/empty')
    await Promise.all(Array.from({ length: 3 }, () => withDatabase(url, ({ pool }) => migrate(pool))))
    const applied = await withDatabase(url, ({ pool }) => listApplied(pool))
    expect(applied).toEqual((await listMigrations()).map(({ when }) => when))
    await query(postgres.connection, 'drop database empty')
  })

  it('a change arrives at a websocket by LISTEN, also one that was made while the listening connection was broken', async () => {
    const { key } = await makeHostedKey(server, 'write')
    const create = (title: string) =>
      server.call('POST', '/collections/documents?collection=news', {
        headers: { 'x-api-key': key },
        body: { data: { title } },
      })
    await using socket = await openRealtime(server.url, 'news', { key })
    await socket.received(1)
    await create('first')
    await socket.received(2)
    const cut = await server.sql(
      `select pg_terminate_backend(pid) as ended from pg_stat_activity where application_name = 'sendwright realtime'`,
    )
    expect(cut).toEqual([{ ended: true }])
    await create('second')
    const titles = (await socket.received(3)).slice(1).map((message) => 'document' in message && message.document)
    expect(titles).toMatchObject([{ data: { title: 'first' } }, { data: { title: 'second' } }])
  })

  it('an import of 3,000 people is written by COPY, and an export reads them by a cursor', async () => {
    const people = Array.from({ length: 3000 }, (_, at) => `p${at}@example.org,Zoë ${at}`)
    const { state, counts } = await importing.importText(`email,first_name\n${people.join('\n')}\n`)
    expect([state, counts?.added]).toEqual(['done', 3000])
    const exported = await server.call('GET', '/email/contacts/export', { token: user.token })
    const [, ...lines] = exported.text.trimEnd().split('\r\n')
    const read = lines.map((line) =>
      line
        .split(',', 3)
        .filter((_, at) => at !== 1)
        .join(),
    )
    expect(read.sort()).toEqual(people.sort())
  })

  it('a backup reads every table by COPY', async () => {
    const backup = await withDatabase(shared.url, ({ pool }) => text(readBackup(pool, new Date())))
    const footer = JSON.parse(backup.trimEnd().split('\n').at(-1)!) as { rowCounts: Record<string, number> }
    expect(footer.rowCounts).toMatchObject({ contacts: 3000 })
    expect(backup).toContain(user.email)
  })

  it('a value of 18 MB arrives whole', async () => {
    const bytes = Buffer.alloc(18_000_000, 'Sendwright ')
    const { rows } = await withDatabase(shared.url, ({ pool }) =>
      pool.query<{ back: Buffer; same: boolean }>('select $1::bytea as back, length($1::bytea) = 18000000 as same', [
        bytes,
      ]),
    )
    expect([rows[0]?.same, rows[0]?.back.equals(bytes)]).toEqual([true, true])
  })

  it('a cancelled statement fails alone: its connection answers the next one', async () => {
    await withDatabase(shared.url, async ({ pool }) => {
      const client = await pool.connect()
      try {
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
        const cancelled = client.query('select pg_sleep(60)')
        const failed = expect(cancelled).rejects.toMatchObject({ code: '57014' })
        await expect.poll(() => waitEventOf(rows[0]!.pid)).toBe('PgSleep')
        await pool.query('select pg_cancel_backend($1)', [rows[0]!.pid])
        await failed
        expect((await client.query('select pg_backend_pid() as pid')).rows).toEqual(rows)
      } finally {
        client.release()
      }
    })
  })

  it('calls are answered again after every connection was ended', async () => {
    const list = async () => (await server.call('GET', '/email/configs', { token: user.token })).status
    expect(await list()).toBe(200)
    await query(
      postgres.connection,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${shared.connection.database}' and backend_type = 'client backend'`,
    )
    await expect.poll(list).toBe(200)
  })

  it('a connection that the network resets fails its statement, and the pool opens another', async () => {
    await using proxy = await startFaultProxy(shared.connection.port, (nth) =>
      nth === 0 ? { after: { clientBytes: 5000, how: 'reset' } } : {},
    )
    await withDatabase(urlWith({ port: proxy.port }), async ({ pool }) => {
      await pool.query('select 1')
      await expect(pool.query('select length($1)', ['x'.repeat(10_000)])).rejects.toMatchObject({ code: 'ECONNRESET' })
      expect((await pool.query('select length($1)', ['x'.repeat(10_000)])).rows).toEqual([{ length: 10_000 }])
    })
  })

  it('beside a pooler, migrations and LISTEN use DATABASE_DIRECT_URL', async () => {
    // A proxy takes the place of the pooler.
    let pooled = ''
    await using pooler = await startFaultProxy(shared.connection.port, () => ({
      onClientData: (chunk) => (pooled += chunk.toString('latin1')),
    }))
    const own = await createDatabase(postgres)
    const url = new URL(own.url)
    url.port = String(pooler.port)
    const database = { ...own, url: url.href, drop: () => Promise.resolve() }
    {
      await using _ = await startTestServer({ DATABASE_DIRECT_URL: own.url }, { database })
      const listeners = `select client_port as port from pg_stat_activity
        where datname = $1 and application_name = 'sendwright realtime'`
      await expect.poll(() => server.sql(listeners, [own.connection.database])).toHaveLength(1)
    }
    expect(pooled).toContain('insert into ')
    expect(pooled).not.toMatch(/pg_advisory_lock|\blisten /)
    await own.drop()
  })
})
