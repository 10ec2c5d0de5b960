import type { Stats } from 'node:fs'
import { chmod, mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import type { DataFolder } from './data-folder-lock.ts'
import { writeFileDurably } from './durable-file.ts'
import { EmbeddedPostgresError, messages } from './errors.ts'
import { canAccess, findOsUser, type OsUser } from './os-user.ts'

/** Where the cluster stands and who runs it. */
export interface ClusterLocation {
  user: OsUser
  /** Holds the cluster and, where it is needed, a copy of the binaries. The data folder, if the user can enter it. */
  path: string
  cluster: string
  hasClusterFolder: boolean
}

/**
 * Where root keeps clusters whose data folder PostgreSQL’s user cannot enter; the first that can be used.
 * Not plain `sendwright`: people put data folders and clones there.
 */
const sharedFolders: readonly string[] = ['/var/lib/sendwright-postgres', '/opt/sendwright-postgres']

/**
 * Finds the home of a data folder’s cluster, or makes one.
 * A home elsewhere is noted in the file `postgres.location`, so that it is found again whatever changes around it.
 */
export async function findOrCreateLocation(folder: DataFolder, shared = sharedFolders): Promise<ClusterLocation> {
  const found = await findExistingLocation(folder.path)
  if (found !== null) return found
  const user = await findOsUser()
  if (await canAccess(user, folder.path)) return describe(user, folder.path)
  const made = await makeShared(user, folder, shared)
  await writeFileDurably(pointerIn(folder.path), `${made}\n`)
  return describe(user, made)
}

/** The home that a data folder’s cluster has already; null where there is none yet. Makes nothing. */
export async function findExistingLocation(folder: string): Promise<ClusterLocation | null> {
  const user = await findOsUser()
  const pointer = pointerIn(folder)
  const noted = await readPointer(pointer)
  if (noted !== null) {
    if (!(await isSafe(noted))) throw new EmbeddedPostgresError(messages.homeMissing(pointer, noted))
    return describe(user, noted)
  }
  const home = await describe(user, folder)
  return home.hasClusterFolder ? home : null
}

const pointerIn = (folder: string) => join(folder, 'postgres.location')

async function describe(user: OsUser, path: string): Promise<ClusterLocation> {
  const cluster = join(path, 'postgres')
  const at = await statIfThere(cluster)
  if (at === null) return { user, path, cluster, hasClusterFolder: false }
  if (!user.isOtherUser && at.uid !== user.uid) throw new EmbeddedPostgresError(messages.otherOwner(cluster, at.uid))
  if (at.uid === 0) throw new EmbeddedPostgresError(messages.rootOwned(cluster, user.name))
  // Root goes on with what an ordinary user began: only the cluster’s owner may run it.
  const owner = at.uid === user.uid ? user : { uid: at.uid, gid: at.gid, name: String(at.uid), isOtherUser: true }
  if (!(await canAccess(owner, dirname(await realpath(cluster))))) {
    throw new EmbeddedPostgresError(messages.notReachable(cluster, at.uid))
  }
  // Archives and copies lose it, and PostgreSQL refuses any other.
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

async function makeShared(user: OsUser, folder: DataFolder, shared: readonly string[]): Promise<string> {
  for (const root of shared) {
    try {
      const path = join(root, folder.nameFor('home'))
      await makeOpen(root)
      await makeOpen(path)
      if ((await isSafe(root)) && (await isSafe(path)) && (await canAccess(user, await realpath(path)))) {
        return await realpath(path)
      }
    } catch (error) {
      // The next one may do: what cannot be used is named in the sentence below.
      if (!unusable.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
  throw new EmbeddedPostgresError(messages.noHome(folder.path, shared))
}

const unusable = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'])

/** Makes a folder that every user can enter, whatever the umask is; one that is there keeps its mode. */
async function makeOpen(path: string): Promise<void> {
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

/** Whether nobody but root could have put or changed something there. */
async function isSafe(path: string): Promise<boolean> {
  const at = await statIfThere(path)
  return at !== null && at.isDirectory() && at.uid === 0 && (at.mode & 0o022) === 0
}
