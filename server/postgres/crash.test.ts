import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, readdir, readFile, rename, stat, watch, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type Host,
  isAlive,
  copyInitializedFolder,
  query,
  startHost,
  startPostgres,
} from '../../tests/support/embedded.ts'
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'

/** A host whose PostgreSQL is ready. */
async function startedHost(dataDir: string): Promise<Host & { pid: number; adopted: boolean }> {
  const host = startHost({ dataDir })
  const answer = await host.read()
  if (!('pid' in answer)) throw new Error(`the host did not start: ${JSON.stringify(answer)}`)
  return Object.assign(host, answer)
}

describe('the embedded PostgreSQL after a crash', () => {
  it('survives a kill of its process, and is adopted by the next one', async () => {
    await using temporary = await copyInitializedFolder()
    await using host = await startedHost(temporary.path)
    await host.kill('SIGKILL')
    expect(await isAlive(host.pid)).toBe(true)

    const postgres = await startPostgres(temporary.path)
    expect(postgres).toMatchObject({ adopted: true, pid: host.pid })
    await query(postgres.connection, 'create table kept ()')
    await postgres[Symbol.asyncDispose]()
    expect(await isAlive(host.pid)).toBe(false)

    await using again = await startPostgres(temporary.path)
    expect(again.adopted).toBe(false)
    await query(again.connection, 'select from kept')
  })

  it.runIf(process.platform === 'linux')('is adopted also after its folder has been moved', async () => {
    await using temporary = await copyInitializedFolder()
    const [data, moved] = [join(temporary.path, 'data'), join(temporary.path, 'moved')]
    await mkdir(data)
    for (const name of ['postgres', 'postgres.password']) await rename(join(temporary.path, name), join(data, name))
    await using host = await startedHost(data)
    await host.kill('SIGKILL')
    await rename(data, moved)
    await using postgres = await startPostgres(moved)
    expect(postgres).toMatchObject({ adopted: true, pid: host.pid })
    expect(await query(postgres.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('is refused to a second process while the first runs', async () => {
    await using temporary = await copyInitializedFolder()
    await using postgres = await startPostgres(temporary.path)
    await using host = startHost({ dataDir: temporary.path })
    expect(await host.read()).toEqual({
      error: 'DataFolderError',
      message: `Another Sendwright (process ${process.pid}) already runs on the data folder ${postgres.folder.path} or a copy of it; stop that one, or set DATA_DIR to another folder.`,
    })
    expect(await query(postgres.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('recovers committed data after a kill of PostgreSQL itself', async () => {
    await using temporary = await copyInitializedFolder()
    const first = await startPostgres(temporary.path, { isForTests: false })
    await query(first.connection, 'create table kept (id int)', 'insert into kept select generate_series(1, 1000)')
    process.kill(first.pid, 'SIGKILL')
    await first.folder.release()

    await using postgres = await startPostgres(temporary.path, { isForTests: false })
    expect(postgres.adopted).toBe(false)
    expect(await query(postgres.connection, 'select count(*)::int as count from kept')).toEqual([{ count: 1000 }])
  })

  it('waits for a statement that outlives the killed server before it starts', async () => {
    await using temporary = await copyInitializedFolder()
    const first = await startPostgres(temporary.path)
    const busy = query(
      first.connection,
      `set application_name = 'busy'`,
      // Computes without a check for the server's exit.
      `select count(*)::int as count from generate_series(1, 8000000)`,
    )
    for (let at = ''; at !== 'active';) {
      const [row] = await query<{ state: string }>(
        first.connection,
        `select state from pg_stat_activity where application_name = 'busy' and query like '%generate_series%'`,
      )
      at = row?.state ?? ''
    }
    process.kill(first.pid, 'SIGKILL')
    await first.folder.release()

    await using postgres = await startPostgres(temporary.path)
    expect(await query(postgres.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await readFile(join(temporary.path, 'postgres.log'), 'utf8')).toContain('pre-existing shared memory block')
    expect(await busy).toEqual([{ count: 8_000_000 }])
  })

  it('ignores a postmaster.pid whose pid belongs to another program', async () => {
    await using temporary = await copyInitializedFolder()
    const first = await startPostgres(temporary.path)
    const pidFile = join(temporary.path, 'postgres', 'postmaster.pid')
    const left = await readFile(pidFile, 'utf8')
    await first[Symbol.asyncDispose]()

    const { uid, gid } = await stat(join(temporary.path, 'postgres'))
    const other = spawn('sleep', ['60'], { ...(process.geteuid?.() === 0 ? { uid, gid } : {}), stdio: 'ignore' })
    try {
      await writeFile(pidFile, left.replace(/^\d+/, String(other.pid)))
      await using postgres = await startPostgres(temporary.path)
      expect(postgres.adopted).toBe(false)
    } finally {
      other.kill()
      await once(other, 'exit')
    }
  })

  it('ignores an empty postmaster.pid, as after a power failure', async () => {
    await using temporary = await copyInitializedFolder()
    const pidFile = join(temporary.path, 'postgres', 'postmaster.pid')
    const { uid, gid } = await stat(join(temporary.path, 'postgres'))
    await writeFile(pidFile, '')
    await chown(pidFile, uid, gid)
    await using postgres = await startPostgres(temporary.path)
    expect(postgres.adopted).toBe(false)
  })

  it('completes a first start that was killed while it created the database', async () => {
    await using temporary = await temporaryFolder()
    const changes = watch(temporary.path)
    await using host = startHost({ dataDir: temporary.path })
    for await (const { filename } of changes) if (filename?.startsWith('postgres.new-') === true) break
    await host.kill('SIGKILL')
    const before = await readdir(temporary.path)
    expect(before).not.toContain('postgres')
    expect(before.some((name) => name.startsWith('postgres.new-'))).toBe(true)

    await using postgres = await startPostgres(temporary.path)
    expect(await query(postgres.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    expect((await readdir(temporary.path)).filter((name) => name.startsWith('postgres.new-'))).toEqual([])
  })

  it('survives Ctrl+C until its process has drained and stops it', async () => {
    await using temporary = await copyInitializedFolder()
    await using host = await startedHost(temporary.path)
    const exited = once(host.child, 'exit')
    // As a terminal does it: the signal goes to the whole process group.
    process.kill(-host.child.pid!, 'SIGINT')
    expect(await host.read()).toHaveProperty('drained')
    expect(await exited).toEqual([0, null])
    expect(await isAlive(host.pid)).toBe(false)
  })

  it('is restarted when the running server is unreachable', async () => {
    await using temporary = await copyInitializedFolder()
    await using host = await startedHost(temporary.path)
    await host.kill('SIGKILL')
    await writeFile(join(temporary.path, 'postgres.password'), '')
    await using postgres = await startPostgres(temporary.path)
    expect(postgres.adopted).toBe(false)
    expect(await isAlive(host.pid)).toBe(false)
  })
})
