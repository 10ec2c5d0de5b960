import type { Stats } from 'node:fs'
import { chmod, mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import type { DataFolder } from './data-folder-lock.ts'
import { writeFileDurably } from './durable-file.ts'
import { EmbeddedPostgresError, messages } from './errors.ts'
import { canAccess, findOsUser, type OsUser } from './os-user.ts'

/** The folder of the cluster and the user that runs it. */
export interface ClusterLocation {
  user: OsUser
  /** Contains the cluster and, if needed, a copy of the binaries. The data folder, if the user can access it. */
  path: string
  cluster: string
  hasClusterFolder: boolean
}

/**
 * Folders for clusters that root starts and whose data folder PostgreSQL’s user cannot access; the first usable one.
 * Not plain `sendwright`: that name is common for data folders and clones.
 */
const sharedFolders: readonly string[] = ['/var/lib/sendwright-postgres', '/opt/sendwright-postgres']

/**
 * Finds the location of a data folder’s cluster, or creates one. A location outside the data folder is recorded in the
 * file `postgres.location`, so that later starts find it.
 */
export async function findOrCreateLocation(folder: DataFolder, shared = sharedFolders): Promise<ClusterLocation> {
  const found = await findExistingLocation(folder.path)
  if (found !== null) return found
  const user = await findOsUser()
  if (await canAccess(user, folder.path)) return describe(user, folder.path)
  const created = await createShared(user, folder, shared)
  await writeFileDurably(pointerIn(folder.path), `${created}\n`)
  return describe(user, created)
}

/** The existing location of a data folder’s cluster; null if there is none. Creates nothing. */
export async function findExistingLocation(folder: string): Promise<ClusterLocation | null> {
  const user = await findOsUser()
  const pointer = pointerIn(folder)
  const path = await readPointer(pointer)
  if (path !== null) {
    if (!(await isSafe(path))) throw new EmbeddedPostgresError(messages.homeMissing(pointer, path))
    return describe(user, path)
  }
  const location = await describe(user, folder)
  return location.hasClusterFolder ? location : null
}

const pointerIn = (folder: string) => join(folder, 'postgres.location')

async function describe(user: OsUser, path: string): Promise<ClusterLocation> {
  const cluster = join(path, 'postgres')
  const at = await statIfThere(cluster)
  if (at === null) return { user, path, cluster, hasClusterFolder: false }
  if (!user.isOtherUser && at.uid !== user.uid) throw new EmbeddedPostgresError(messages.otherOwner(cluster, at.uid))
  if (at.uid === 0) throw new EmbeddedPostgresError(messages.rootOwned(cluster, user.name))
  // Root runs a cluster of another user as that user: only the owner may run it.
  const owner = at.uid === user.uid ? user : { uid: at.uid, gid: at.gid, name: String(at.uid), isOtherUser: true }
  if (!(await canAccess(owner, dirname(await realpath(cluster))))) {
    throw new EmbeddedPostgresError(messages.notReachable(cluster, at.uid))
  }
  // Archives and copies lose this mode, and PostgreSQL requires it.
  if ((at.mode & 0o777) !== 0o700) await chmod(cluster, 0o700)
  return { user: owner, path, cluster, hasClusterFolder: true }
}

async function readPointer(pointer: string): Promise<string | null> {
  try {
    const path = (await readFile(pointer, 'utf8')).trim()
    if (!isAbsolute(path)) throw new EmbeddedPostgresError(messages.homeMissing(pointer, path))
    return path
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function createShared(user: OsUser, folder: DataFolder, shared: readonly string[]): Promise<string> {
  for (const root of shared) {
    try {
      const path = join(root, folder.nameFor('home'))
      await createAccessible(root)
      await createAccessible(path)
      if ((await isSafe(root)) && (await isSafe(path)) && (await canAccess(user, await realpath(path)))) {
        return await realpath(path)
      }
    } catch (error) {
      // Try the next one; the error below names all of them.
      if (!unusable.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
  throw new EmbeddedPostgresError(messages.noHome(folder.path, shared))
}

const unusable = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'])

/** Creates a folder that every user can access, regardless of the umask; an existing one keeps its mode. */
async function createAccessible(path: string): Promise<void> {
  if ((await mkdir(path, { recursive: true })) !== undefined) await chmod(path, 0o755)
}

async function statIfThere(path: string): Promise<Stats | null> {
  try {
    return await stat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Whether only root can create or change files there. */
async function isSafe(path: string): Promise<boolean> {
  const at = await statIfThere(path)
  return at !== null && at.isDirectory() && at.uid === 0 && (at.mode & 0o022) === 0
}
