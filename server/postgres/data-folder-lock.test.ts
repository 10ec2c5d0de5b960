import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'
import { canNobodyAccessFiles, nobody } from '../../tests/support/users.ts'
import { DataFolderError, lockDataFolder } from './data-folder-lock.ts'

const script = fileURLToPath(new URL('data-folder-lock.ts', import.meta.url))

/** Locks the folder in another process, which then waits; returns its first output, and that process. */
async function takeElsewhere(folder: string, user: { uid?: number; gid?: number } = {}) {
  const source = `
    const { lockDataFolder } = await import(${JSON.stringify(script)})
    try { await lockDataFolder(${JSON.stringify(folder)}); console.log('held'); setInterval(() => {}, 60_000) }
    catch (error) { console.log(error.name + ': ' + error.message) }`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    ...user,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return { output: output.trim(), pid: child.pid!, end, [Symbol.asyncDispose]: end }
}

describe('the lock of a data folder', () => {
  it('creates the folder without access for others, and keeps its secret name readable by its owner only', async () => {
    await using temporary = await temporaryFolder()
    const path = join(temporary.path, 'a', 'data')
    const folder = await lockDataFolder(path)
    expect((await stat(path)).mode & 0o066).toBe(0)
    expect((await stat(join(path, 'instance'))).mode & 0o777).toBe(0o600)
    expect(folder.nameFor('x')).toMatch(/^[0-9a-f]{16}$/)
    expect(folder.nameFor('x')).not.toBe(folder.nameFor('y'))
    expect(await readFile(join(path, 'instance'), 'utf8')).not.toContain(folder.nameFor('x'))
    await folder.release()
  })

  it('refuses a second process with one sentence that names the first and the remedy, until it is released', async () => {
    await using temporary = await temporaryFolder()
    const first = await lockDataFolder(temporary.path)
    await expect(lockDataFolder(temporary.path)).rejects.toThrow(
      new DataFolderError(
        `Another Sendwright (process ${process.pid}) already runs on the data folder ${first.path} or a copy of it; stop that one, or set DATA_DIR to another folder.`,
      ),
    )
    await first.release()
    const second = await lockDataFolder(temporary.path)
    expect(second.nameFor('x')).toBe(first.nameFor('x'))
    await second.release()
  })

  it('is released by the exit of its process, in any way', async () => {
    await using temporary = await temporaryFolder()
    await using other = await takeElsewhere(temporary.path)
    expect(other.output).toBe('held')
    await expect(lockDataFolder(temporary.path)).rejects.toThrow(`process ${other.pid}`)
    await other.end()
    await (await lockDataFolder(temporary.path)).release()
  })

  it.runIf(process.platform === 'linux')(
    'waits for a lock without an answering process: a killed start leaves it to its child for a moment',
    async () => {
      await using temporary = await temporaryFolder()
      const folder = await lockDataFolder(temporary.path)
      const name = `\0sendwright-${folder.nameFor('lock')}`
      await folder.release()
      const remains = createServer((socket) => {
        socket.destroy()
        remains.close()
      })
      await once(remains.listen(name), 'listening')
      await (await lockDataFolder(temporary.path)).release()
    },
  )

  it('gives one of many concurrent processes the folder, also a new one', async () => {
    await using temporary = await temporaryFolder()
    const path = join(temporary.path, 'data')
    const processes = await Promise.all(Array.from({ length: 6 }, () => takeElsewhere(path)))
    try {
      expect(processes.filter(({ output }) => output === 'held')).toHaveLength(1)
      expect(processes.filter(({ output }) => output.startsWith('DataFolderError: Another Sendwright'))).toHaveLength(5)
    } finally {
      await Promise.all(processes.map(({ end }) => end()))
    }
  })

  it('treats a copy of the folder as the same one, so that a queue is not sent twice', async () => {
    await using temporary = await temporaryFolder()
    const [original, copy] = [join(temporary.path, 'original'), join(temporary.path, 'copy')]
    const folder = await lockDataFolder(original)
    await cp(original, copy, { recursive: true })
    await expect(lockDataFolder(copy)).rejects.toThrow('or a copy of it')
    await folder.release()
  })

  it('explains the remedy for a damaged name, a file in the place of the folder, and a folder below a file', async () => {
    await using temporary = await temporaryFolder()
    const file = join(temporary.path, 'file')
    await writeFile(file, '')
    await expect(lockDataFolder(file)).rejects.toThrow(
      `The data folder ${file} is not a folder; move the file, or set DATA_DIR to another folder.`,
    )
    await expect(lockDataFolder(join(file, 'data'))).rejects.toThrow('is not a folder')
    const damaged = join(temporary.path, 'damaged')
    await mkdir(damaged)
    await writeFile(join(damaged, 'instance'), 'x')
    await expect(lockDataFolder(damaged)).rejects.toThrow(/^The file .*instance is damaged; delete it/)
  })

  it.runIf(canNobodyAccessFiles)('explains the remedy for a folder that its user cannot use', async () => {
    await using temporary = await temporaryFolder()
    const path = join(temporary.path, 'private')
    await mkdir(path, { mode: 0o700 })
    await using other = await takeElsewhere(path, { uid: nobody.uid, gid: nobody.gid })
    expect(other.output).toBe(
      `DataFolderError: The data folder ${path} cannot be read and written by this user; give it to this user, or set DATA_DIR to another folder.`,
    )
  })
})
