import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { isAlive, query } from './embedded.ts'
import { createDatabase, startTcpPostgres } from './postgres-server.ts'
import { createTestDatabase } from './postgres.ts'

const script = fileURLToPath(new URL('postgres-server.ts', import.meta.url))

describe('the test databases', () => {
  it('are one for each file, with the schema, and can be opened by options and by URL', async () => {
    const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()])
    expect(one.connection.database).not.toBe(two.connection.database)
    await query(one.connection, `insert into workspaces (id, name) values (gen_random_uuid(), 'mine')`)
    const client = new pg.Client(one.url)
    await client.connect()
    expect((await client.query('select name from workspaces')).rows).toEqual([{ name: 'mine' }])
    await client.end()
    expect(await query(two.connection, 'select name from workspaces')).toEqual([])
    await Promise.all([one.drop(), two.drop()])
    await expect(query(one.connection, 'select 1')).rejects.toMatchObject({ code: '3D000' })
  })

  it('report a connection that a test has left open', async () => {
    const database = await createTestDatabase()
    const leak = new pg.Client(database.connection)
    await leak.connect()
    await expect(database.drop()).rejects.toThrow('1 connection to the test database is still open')
    await leak.end()
    await database.drop()
  })

  it('also work on a server that is reached by TCP and has no socket', async () => {
    const server = await startTcpPostgres()
    try {
      const database = await createDatabase(server)
      expect(new URL(database.url)).toMatchObject({ hostname: '127.0.0.1', port: String(server.connection.port) })
      const rows = await query(database.connection, 'select inet_server_addr()::text as address')
      expect(rows).toEqual([{ address: '127.0.0.1/32' }])
      expect(await isThere(`/tmp/.s.PGSQL.${server.connection.port}`)).toBe(false)
      await expect(query({ ...database.connection, password: 'wrong' }, 'select 1')).rejects.toMatchObject({
        code: '28P01',
      })
      await database.drop()
    } finally {
      await server.stop()
    }
    await expect(query(server.connection, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('leave no process and no folder when the run is killed', async () => {
    const source = `
      const { startSocketPostgres } = await import(${JSON.stringify(script)})
      const { default: pg } = await import('pg')
      const { connection } = await startSocketPostgres()
      const client = new pg.Client(connection)
      await client.connect()
      const { rows } = await client.query('select pid from pg_stat_activity order by pid <> pg_backend_pid()')
      console.log(JSON.stringify({ pids: rows.map(({ pid }) => pid), host: connection.host }))`
    const run = spawn(process.execPath, ['--input-type=module', '--eval', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(run, 'exit')
    try {
      const [line] = (await once(run.stdout.setEncoding('utf8'), 'data')) as [string]
      const { pids, host } = JSON.parse(line) as { pids: number[]; host: string }
      // The connection of this query; others come and go.
      expect(await isAlive(pids[0]!)).toBe(true)
      run.kill('SIGKILL')
      for (const pid of pids) while (await isAlive(pid)) await wait(10)
      while (await isThere(host)) await wait(10)
    } finally {
      run.kill('SIGKILL')
      await exited
    }
  })
})

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch {
    return false
  }
}
