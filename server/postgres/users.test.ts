import { chmod, chown, mkdir, readdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { copyInitializedFolder, query, startHost, startPostgres } from '../../tests/support/embedded.ts'
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'
import { canNobodyAccessFiles, isRoot, nobody } from '../../tests/support/users.ts'

/** The user of a process (proc(5)). */
async function userOf(pid: number): Promise<number> {
  return Number(/^Uid:\t(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1])
}

describe.runIf(isRoot && process.platform === 'linux')('the embedded PostgreSQL of root', () => {
  it('runs as an unprivileged user, who owns the cluster and nothing else', async () => {
    await using temporary = await temporaryFolder()
    await using postgres = await startPostgres(temporary.path)
    const uid = await userOf(postgres.pid)
    expect(uid).toBeGreaterThan(0)
    for (const name of await readdir(temporary.path)) {
      expect([name, (await stat(join(temporary.path, name))).uid]).toEqual([name, name === 'postgres' ? uid : 0])
    }
  })

  it('uses a folder of its own when its user cannot enter the data folder, and finds it again', async () => {
    await using temporary = await temporaryFolder()
    const location = join(temporary.path, 'root')
    await mkdir(location, { mode: 0o700 })
    const [data, shared] = [join(location, 'data'), [join(temporary.path, 'shared')]]
    {
      await using postgres = await startPostgres(data, { shared })
      expect(await userOf(postgres.pid)).toBeGreaterThan(0)
      await query(postgres.connection, 'create table kept ()')
    }
    expect((await stat(location)).mode & 0o777).toBe(0o700)
    expect(await readdir(data)).not.toContain('postgres')
    const at = (await readFile(join(data, 'postgres.location'), 'utf8')).trim()
    expect(at.startsWith(join(temporary.path, 'shared'))).toBe(true)
    expect(await readdir(at)).toContain('postgres')
    expect(await stat(at)).toMatchObject({ uid: 0, mode: 0o40755 })

    await chmod(location, 0o755)
    await using postgres = await startPostgres(data, { shared })
    await query(postgres.connection, 'select from kept')
  })

  it('explains the remedy when that folder is missing, or none can be created', async () => {
    await using temporary = await temporaryFolder()
    const location = join(temporary.path, 'root')
    await mkdir(location, { mode: 0o700 })
    const data = join(location, 'data')
    const closed = [join(location, 'shared')]
    await expect(startPostgres(data, { shared: closed })).rejects.toThrow(
      `PostgreSQL’s user cannot enter the data folder ${data}, and ${closed[0]!} cannot be used; set DATA_DIR to a folder that every user can enter, or set DATABASE_URL to a PostgreSQL server of your own.`,
    )
    const shared = [...closed, join(temporary.path, 'shared')]
    await (await startPostgres(data, { shared }))[Symbol.asyncDispose]()
    await rename(shared[1]!, join(temporary.path, 'elsewhere'))
    await expect(startPostgres(data, { shared })).rejects.toThrow(
      /is missing or not safe to use; restore it, or delete /,
    )
  })

  it('rejects a folder that another user could change', async () => {
    await using temporary = await temporaryFolder()
    const data = join(temporary.path, 'root', 'data')
    await mkdir(join(temporary.path, 'root'), { mode: 0o700 })
    const shared = join(temporary.path, 'shared')
    await mkdir(shared)
    await chown(shared, nobody.uid, nobody.gid)
    await expect(startPostgres(data, { shared: [shared] })).rejects.toThrow(`${shared} cannot be used`)
  })

  it.runIf(canNobodyAccessFiles)('continues with the cluster of an ordinary user, as that user', async () => {
    await using temporary = await temporaryFolder()
    const data = join(temporary.path, 'data')
    await mkdir(data)
    await chown(data, nobody.uid, nobody.gid)
    {
      await using host = startHost({ dataDir: data }, { uid: nobody.uid, gid: nobody.gid })
      expect(await host.read()).toHaveProperty('pid')
      await host.kill('SIGINT')
    }
    await using postgres = await startPostgres(data)
    expect(await userOf(postgres.pid)).toBe(nobody.uid)
  })

  it('asks the operator to change the owner of a cluster that a copy gave to root', async () => {
    await using temporary = await copyInitializedFolder()
    await (await startPostgres(temporary.path))[Symbol.asyncDispose]()
    const cluster = join(temporary.path, 'postgres')
    await chown(cluster, 0, 0)
    await expect(startPostgres(temporary.path)).rejects.toThrow(
      /^The database .* belongs to root, as which PostgreSQL refuses to run; run: chown -R \w+ "/,
    )
  })
})

describe.runIf(canNobodyAccessFiles)('the embedded PostgreSQL of an ordinary user', () => {
  it('runs as that user, in a data folder that is closed to all others', async () => {
    await using temporary = await temporaryFolder()
    const data = join(temporary.path, 'data')
    await mkdir(data, { mode: 0o700 })
    await chown(data, nobody.uid, nobody.gid)
    await using host = startHost({ dataDir: data }, { uid: nobody.uid, gid: nobody.gid })
    const answer = await host.read()
    if (!('pid' in answer)) throw new Error(JSON.stringify(answer))
    expect(await userOf(answer.pid)).toBe(nobody.uid)
    expect(await readdir(data)).toEqual(['instance', 'postgres', 'postgres.log', 'postgres.password'])
    await host.kill('SIGINT')
  })

  it('refuses a cluster owned by root with one sentence', async () => {
    await using temporary = await temporaryFolder()
    const data = join(temporary.path, 'data')
    await (await startPostgres(data))[Symbol.asyncDispose]()
    const { uid } = await stat(join(data, 'postgres'))
    await chown(data, nobody.uid, nobody.gid)
    await chown(join(data, 'instance'), nobody.uid, nobody.gid)
    await using host = startHost({ dataDir: data }, { uid: nobody.uid, gid: nobody.gid })
    expect(await host.read()).toEqual({
      error: 'EmbeddedPostgresError',
      message: `The database ${data}/postgres belongs to user ${uid}; start Sendwright as that user or as root, or set DATA_DIR to another folder.`,
    })
  })
})
