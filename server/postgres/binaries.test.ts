import { execFile } from 'node:child_process'
import { chown, cp, lstat, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'
import { canNobodyAccessFiles, isRoot, nobody } from '../../tests/support/users.ts'
import { findPackage, prepareBinaries, type Package } from './binaries.ts'
import { runProgram } from './run-program.ts'
import { messages } from './errors.ts'
import { findOsUser } from './os-user.ts'

const script = fileURLToPath(new URL('binaries.ts', import.meta.url))

/** The installed package after an install without scripts. */
async function installWithoutScripts(to: string): Promise<Package> {
  const installed = await findPackage()
  const root = join(to, 'native')
  await cp(installed.root, root, {
    recursive: true,
    filter: async (path) => !(await lstat(path)).isSymbolicLink(),
  })
  return { ...installed, root }
}

async function listLinks(root: string): Promise<string[]> {
  const list = JSON.parse(await readFile(join(root, 'pg-symlinks.json'), 'utf8')) as { target: string }[]
  expect(list.length).toBeGreaterThan(0)
  return list.map(({ target }) => basename(target)).toSorted()
}

async function findLinks(root: string): Promise<string[]> {
  const entries = await readdir(join(root, 'lib'), { withFileTypes: true })
  return entries
    .filter((entry) => entry.isSymbolicLink())
    .map(({ name }) => name)
    .toSorted()
}

describe('the binaries', () => {
  it('get the library links that an install without scripts leaves out', async () => {
    await using temporary = await temporaryFolder()
    const installed = await installWithoutScripts(temporary.path)
    expect(await findLinks(installed.root)).toEqual([])

    const user = await findOsUser()
    const { postgres } = await prepareBinaries(installed, user, temporary.path)
    expect(postgres).toBe(join(installed.root, 'bin/postgres'))
    expect(await findLinks(installed.root)).toEqual(await listLinks(installed.root))
    expect(await runProgram(user, postgres, ['--version'])).toEqual({
      status: 0,
      output: 'postgres (PostgreSQL) 18.4\n',
    })
  })

  it('are rejected in a folder whose name PostgreSQL’s shell commands would split', async () => {
    await using temporary = await temporaryFolder()
    const folder = join(temporary.path, '$(touch it)')
    const installed = { ...(await findPackage()), root: join(folder, 'native') }
    await expect(prepareBinaries(installed, await findOsUser(), temporary.path)).rejects.toThrow(
      messages.unquotable(installed.root),
    )
  })

  it.runIf(canNobodyAccessFiles)('are copied, with their links, when the packages are read-only', async () => {
    await using temporary = await temporaryFolder()
    const installed = await installWithoutScripts(temporary.path)
    const location = join(temporary.path, 'home')
    await mkdir(location)
    await chown(location, nobody.uid, nobody.gid)
    const user = { ...nobody, isOther: false }
    const source = `const { prepareBinaries } = await import(${JSON.stringify(script)})
      const { postgres } = await prepareBinaries(${JSON.stringify(installed)}, ${JSON.stringify(user)}, '${location}')
      console.log(postgres)`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', source], {
      uid: nobody.uid,
      gid: nobody.gid,
    })
    expect(stdout.trim()).toBe(join(location, `postgresql-${installed.version}`, 'bin/postgres'))
    expect(await runProgram(nobody, stdout.trim(), ['--version'])).toMatchObject({ status: 0 })
    expect(await findLinks(installed.root)).toEqual([])
  })

  it.runIf(isRoot)('are copied once when PostgreSQL’s user cannot access the packages', async () => {
    await using temporary = await temporaryFolder()
    const closed = join(temporary.path, 'root')
    await mkdir(closed, { mode: 0o700 })
    const installed = await installWithoutScripts(closed)
    const { initdb, postgres } = await prepareBinaries(installed, nobody, temporary.path)
    const copy = join(temporary.path, `postgresql-${installed.version}`)
    expect([initdb, postgres]).toEqual([join(copy, 'bin/initdb'), join(copy, 'bin/postgres')])
    expect(await findLinks(copy)).toEqual(await listLinks(copy))
    for (const program of [initdb, postgres]) {
      expect(await runProgram(nobody, program, ['--version'])).toMatchObject({ status: 0 })
      expect(await stat(program)).toMatchObject({ uid: 0, mode: 0o100755 })
    }
    const before = await stat(postgres)
    await prepareBinaries(installed, nobody, temporary.path)
    expect((await stat(postgres)).ino).toBe(before.ino)
    expect((await readdir(temporary.path)).toSorted()).toEqual([basename(copy), 'root'])
  })
})
