import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { copyInitializedFolder, startPostgres } from '../../tests/support/embedded.ts'
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'
import { isRoot, nobody } from '../../tests/support/users.ts'
import { EmbeddedPostgresError, messages } from './errors.ts'
import { createSocketFolder } from './socket-folder.ts'

const run = promisify(execFile)
const canFillDisk = isRoot && (await canMount())

describe('a failed start of the embedded PostgreSQL', () => {
  it('names the version that created the database, and changes nothing', async () => {
    await using temporary = await copyInitializedFolder()
    await (await startPostgres(temporary.path))[Symbol.asyncDispose]()
    const cluster = join(temporary.path, 'postgres')
    await writeFile(join(cluster, 'PG_VERSION'), '15\n')
    await expect(startPostgres(temporary.path)).rejects.toThrow(
      new EmbeddedPostgresError(
        `The database ${cluster} was created by PostgreSQL 15, and this Sendwright contains 18; start the Sendwright that created it, or set DATA_DIR to another folder.`,
      ),
    )
    await writeFile(join(cluster, 'PG_VERSION'), '18\n')
    await (await startPostgres(temporary.path))[Symbol.asyncDispose]()
  })

  it('never creates a new database over the remains of one', async () => {
    await using temporary = await copyInitializedFolder()
    await (await startPostgres(temporary.path))[Symbol.asyncDispose]()
    const cluster = join(temporary.path, 'postgres')
    await run('rm', [join(cluster, 'PG_VERSION')])
    await expect(startPostgres(temporary.path)).rejects.toThrow(messages.incomplete(cluster))
    expect(await readdir(cluster)).toContain('base')
  })

  it('names the log with the cause for a damaged database, and leaves no process', async () => {
    await using temporary = await copyInitializedFolder()
    await (await startPostgres(temporary.path))[Symbol.asyncDispose]()
    await run('rm', [join(temporary.path, 'postgres', 'global', 'pg_control')])
    const log = join(temporary.path, 'postgres.log')
    await expect(startPostgres(temporary.path)).rejects.toThrow(
      `PostgreSQL stopped during its start; see the end of ${log}.`,
    )
    expect(await readdir(join(temporary.path, 'postgres'))).not.toContain('postmaster.pid')
  })

  it('rejects a socket folder that is open to others', async () => {
    await using temporary = await copyInitializedFolder()
    const [data, runtimeDir] = [join(temporary.path, 'data'), join(temporary.path, 'run')]
    await mkdir(runtimeDir)
    const first = await startPostgres(data, { runtimeDir })
    const { host } = first.connection
    await first[Symbol.asyncDispose]()
    const { uid, gid } = await stat(join(data, 'postgres'))
    await mkdir(host)
    await chown(host, uid, gid)
    await chmod(host, 0o755)
    await expect(startPostgres(data, { runtimeDir })).rejects.toThrow(messages.unsafeSocketFolder(host))
    await chmod(host, 0o700)
    await (await startPostgres(data, { runtimeDir }))[Symbol.asyncDispose]()
  })

  it.runIf(isRoot)('rejects a socket folder that another user has created', async () => {
    await using temporary = await temporaryFolder()
    const folder = join(temporary.path, 'sendwright-x')
    await mkdir(folder, { mode: 0o700 })
    await chown(folder, 1234, 1234)
    await expect(createSocketFolder(nobody, [temporary.path], 'sendwright-x')).rejects.toThrow(
      messages.unsafeSocketFolder(folder),
    )
  })

  it('names the folders that it tried when none can contain a socket', async () => {
    await using temporary = await temporaryFolder()
    const user = { uid: process.getuid!(), gid: process.getgid!(), name: '', isOtherUser: false }
    const long = join(temporary.path, 'x'.repeat(100))
    const open = join(temporary.path, 'open')
    const missing = join(temporary.path, 'missing')
    await mkdir(long)
    await mkdir(open)
    await chmod(open, 0o777)
    await expect(createSocketFolder(user, [long, open, missing], 'sendwright-x')).rejects.toThrow(
      messages.noSocketFolder([long, open, missing]),
    )
    expect(await readdir(open)).toEqual([])
  })

  it.runIf(canFillDisk)('reports a full disk, and starts once there is space', async () => {
    await using temporary = await temporaryFolder()
    const data = join(temporary.path, 'disk')
    await mkdir(data)
    await run('mount', ['-t', 'tmpfs', '-o', 'size=16m,mode=711', 'tmpfs', data])
    try {
      await expect(startPostgres(data)).rejects.toThrow(messages.noSpace(data))
      expect((await readdir(data)).filter((name) => name.startsWith('postgres.new-'))).toEqual([])
      await run('mount', ['-o', 'remount,size=200m', data])
      await (await startPostgres(data))[Symbol.asyncDispose]()
    } finally {
      await run('umount', [data])
    }
  })
})

/** Containers rarely permit it, even for root. */
async function canMount(): Promise<boolean> {
  await using temporary = await temporaryFolder()
  try {
    await run('mount', ['-t', 'tmpfs', 'tmpfs', temporary.path])
    await run('umount', [temporary.path])
    return true
  } catch {
    return false
  }
}
