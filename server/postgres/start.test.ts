import { chmod, mkdir, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isAlive, copyInitializedFolder, query, startPostgres } from '../../tests/support/embedded.ts'
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'

describe('the embedded PostgreSQL', () => {
  it('creates its database on the first start and keeps its data until the next', async () => {
    await using temporary = await temporaryFolder()
    {
      await using postgres = await startPostgres(temporary.path, { isForTests: false })
      expect(postgres.adopted).toBe(false)
      await query(postgres.connection, 'create table words (word text)', `insert into words values ('Grüße')`)
    }
    await using postgres = await startPostgres(temporary.path, { isForTests: false })
    expect(await query(postgres.connection, 'select word from words')).toEqual([{ word: 'Grüße' }])
  })

  it('uses fsync, checksums and a collation that is the same on every system', async () => {
    await using temporary = await temporaryFolder()
    await using postgres = await startPostgres(temporary.path, { isForTests: false })
    const names = [
      'fsync',
      'synchronous_commit',
      'full_page_writes',
      'data_checksums',
      'autovacuum_naptime',
      'TimeZone',
    ]
    const rows = await query<{ name: string; setting: string }>(
      postgres.connection,
      `select name, setting from pg_settings where name = any('{${names.join(',')}}') order by name collate "C"`,
    )
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      TimeZone: 'UTC',
      autovacuum_naptime: '5',
      data_checksums: 'on',
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
    })
    const [database] = await query(
      postgres.connection,
      `select pg_encoding_to_char(encoding) as encoding, datlocprovider as provider, datlocale as locale,
              upper('é') as upper, datname as name
         from pg_database where datname = current_database()`,
    )
    expect(database).toEqual({ encoding: 'UTF8', provider: 'b', locale: 'C.UTF-8', upper: 'É', name: 'sendwright' })
  })

  it('accepts its own role only, with the generated password, without superuser rights', async () => {
    await using temporary = await temporaryFolder()
    await using postgres = await startPostgres(temporary.path, { isForTests: false })
    const { connection } = postgres
    const file = join(temporary.path, 'postgres.password')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(connection.password).toMatch(/^[\w-]{43}$/)
    expect(await readFile(file, 'utf8')).toBe(`${connection.password}\n`)

    await expect(query({ ...connection, password: 'wrong' }, 'select 1')).rejects.toMatchObject({ code: '28P01' })
    await expect(query({ ...connection, user: 'postgres' }, 'select 1')).rejects.toMatchObject({ code: '28000' })
    await expect(query(connection, `copy (select 1) to program 'true'`)).rejects.toMatchObject({ code: '42501' })
    await expect(query(connection, 'create role other')).rejects.toMatchObject({ code: '42501' })
    await expect(query(connection, 'create database other')).rejects.toMatchObject({ code: '42501' })
  })

  it('listens on a socket in a folder of its user only, and on no TCP port', async () => {
    await using temporary = await copyInitializedFolder()
    await using postgres = await startPostgres(temporary.path)
    const { host } = postgres.connection
    const folder = await stat(host)
    expect(folder.mode & 0o777).toBe(0o700)
    expect(folder.uid).toBe((await stat(join(temporary.path, 'postgres'))).uid)
    expect(await query(postgres.connection, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
    if (process.platform === 'linux') expect(await countTcpSockets(postgres.pid)).toBe(0)
  })

  it('leaves no process and no socket after stop, also when stopped twice', async () => {
    await using temporary = await copyInitializedFolder()
    const postgres = await startPostgres(temporary.path)
    const { host } = postgres.connection
    const workers = await query<{ pid: number }>(postgres.connection, 'select pid from pg_stat_activity')
    expect(workers.length).toBeGreaterThan(2)
    await Promise.all([postgres.stop(), postgres.stop()])
    for (const { pid } of [...workers, postgres]) expect(await isAlive(pid)).toBe(false)
    await expect(stat(host)).rejects.toMatchObject({ code: 'ENOENT' })
    await postgres.folder.release()
  })

  it('writes no secret to its log, its command line or the caller’s log', async () => {
    await using temporary = await copyInitializedFolder()
    await using postgres = await startPostgres(temporary.path)
    const { password } = postgres.connection
    await expect(query(postgres.connection, `select 'canary@example.com'::uuid`)).rejects.toThrow('canary')
    const log = await readFile(join(temporary.path, 'postgres.log'), 'utf8')
    expect(log).toContain('database system is ready to accept connections')
    expect(log).not.toContain(password)
    expect(log).not.toContain('canary')
    expect(postgres.logged()).not.toContain(password)
    if (process.platform !== 'linux') return
    expect(await readFile(`/proc/${postgres.pid}/cmdline`, 'utf8')).not.toContain(password)
    expect(await readFile(`/proc/${postgres.pid}/environ`, 'latin1')).not.toContain(password)
  })

  it('sets another password when the file was lost or changed', async () => {
    await using temporary = await copyInitializedFolder()
    const file = join(temporary.path, 'postgres.password')
    const first = await startPostgres(temporary.path)
    await query(first.connection, 'create table kept ()')
    await first[Symbol.asyncDispose]()

    for (const text of ['', `${'x'.repeat(43)}\n`]) {
      await writeFile(file, text)
      await chmod(file, 0o644)
      await using postgres = await startPostgres(temporary.path)
      expect(postgres.connection.password).not.toBe(first.connection.password)
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      await query(postgres.connection, 'select from kept')
    }
  })

  it('works below a long path with spaces and commas, and with a TMPDIR too long for a socket', async () => {
    await using temporary = await temporaryFolder()
    const data = join(temporary.path, 'with a space, quotes ”“ and ü', 'x'.repeat(120), 'data')
    const runtimeDir = join(temporary.path, 'y'.repeat(90))
    await mkdir(runtimeDir)
    await using postgres = await startPostgres(data, { runtimeDir })
    expect(postgres.connection.host).toMatch(/^(\/private)?\/tmp\/sendwright-/)
    expect(await readdir(data)).toContain('postgres')
  })

  it('creates its socket in a TMPDIR with a space and a comma', async () => {
    await using temporary = await copyInitializedFolder()
    const runtimeDir = join(temporary.path, 'a, b')
    await mkdir(runtimeDir)
    await using postgres = await startPostgres(join(temporary.path, 'data'), { runtimeDir })
    expect(postgres.connection.host.startsWith(runtimeDir)).toBe(true)
    expect(await query(postgres.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

/** Counts the open TCP sockets of a process (proc(5): /proc/net/tcp lists their inodes). */
async function countTcpSockets(pid: number): Promise<number> {
  const descriptors = await readdir(`/proc/${pid}/fd`)
  const targets = await Promise.all(descriptors.map((name) => readlink(`/proc/${pid}/fd/${name}`)))
  const inodes = targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [])
  expect(inodes.length).toBeGreaterThan(0)
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')))
  const open = new Set(tables.flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)[9])))
  return inodes.filter((inode) => open.has(inode)).length
}
