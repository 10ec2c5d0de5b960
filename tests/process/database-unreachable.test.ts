import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errors } from '../../contract/core/errors.ts'
import { createDatabase, startTcpPostgres, type OwnTestServer } from '../support/postgres-server.ts'
import { createUser, type TestUser } from '../support/accounts.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

const away = [503, '2', { detail: errors.database_away.sentence }]

let postgres: OwnTestServer
let server: TestServer
let user: TestUser
/** A connection beside the server's, to another database. */
let beside: pg.Client

beforeAll(async () => {
  postgres = await startTcpPostgres()
  const database = await createDatabase(postgres)
  server = await startTestServer({}, { database: { ...database, drop: () => Promise.resolve() } })
  user = await createUser(server)
  beside = new pg.Client(postgres.connection)
  await beside.connect()
})
afterAll(async () => {
  await beside.end()
  await server[Symbol.asyncDispose]()
  await postgres.stop()
})

const list = async () => {
  const { status, headers, body } = await server.call('GET', '/email/configs', { token: user.token })
  return [status, headers.get('retry-after'), body]
}

/** Terminates the open connections of the server, which opens others. The autovacuum of the database is of another role. */
const cut = () =>
  beside.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
    [server.database.connection.database],
  )

const isAnswered = { interval: 50 }
const isThere = () => expect.poll(async () => (await list())[0], isAnswered).toBe(200)

describe('while the database', () => {
  it('refuses further connections, a call returns 503', async () => {
    const { database } = server.database.connection
    await beside.query(`alter database ${database} connection limit 0`)
    await cut()
    await expect.poll(list, isAnswered).toEqual(away)
    await beside.query(`alter database ${database} connection limit -1`)
    await isThere()
  })

  it('blocks all connections, a call that gets none in ten seconds returns 503', async () => {
    const holder = new pg.Client(server.database.connection)
    await holder.connect()
    await holder.query('begin')
    await holder.query('lock table email_configs')
    const calls = Array.from({ length: 40 }, list)
    const refused = await Promise.race(calls)
    await holder.query('commit')
    await holder.end()
    expect(refused).toEqual(away)
    const statuses = (await Promise.all(calls)).map(([status]) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
  })

  it('does not respond, a call returns 503 after ten seconds', async () => {
    const { rows } = await beside.query<{ pid: number }>('select pg_backend_pid() as pid')
    const [, afterName] = (await readFile(`/proc/${rows[0]!.pid}/stat`, 'utf8')).split(') ')
    const postmaster = Number(afterName!.split(' ')[1])
    process.kill(postmaster, 'SIGSTOP')
    try {
      await cut()
      expect(await list()).toEqual(away)
    } finally {
      process.kill(postmaster, 'SIGCONT')
    }
    await isThere()
  })
})
