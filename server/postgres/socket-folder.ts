import { chown, lstat, mkdir, realpath, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { geteuid, platform } from 'node:process'
import { EmbeddedPostgresError, messages } from './errors.ts'
import { canAccess, type OsUser } from './os-user.ts'

/** Part of the socket’s file name; no TCP port is opened. */
export const socketPort = 5432

const socketName = `.s.PGSQL.${socketPort}`
/** `sun_path` of unix(7) and of macOS, without its final zero. */
const pathMaxBytes = platform === 'linux' ? 107 : 103

/**
 * Creates the folder `name` for the socket in the first usable one of `bases`, accessible to the user alone, and removes
 * files of a killed server. Throws EmbeddedPostgresError if none is usable.
 */
export async function createSocketFolder(user: OsUser, bases: readonly string[], name: string): Promise<string> {
  for (const base of new Set(bases)) {
    if (!(await isUsable(base, user))) continue
    const folder = join(await realpath(base), name)
    if (Buffer.byteLength(join(folder, socketName)) > pathMaxBytes) continue
    try {
      await mkdir(folder, { mode: 0o700 })
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EACCES' || code === 'EROFS') continue
      if (code !== 'EEXIST') throw error
    }
    // Left by root, which was killed before it changed the owner.
    const { uid } = await lstat(folder)
    if (user.isOtherUser && uid === geteuid?.()) await chown(folder, user.uid, user.gid)
    await checkSocketFolder(user, folder)
    for (const file of [socketName, `${socketName}.lock`]) await rm(join(folder, file), { force: true })
    return folder
  }
  throw new EmbeddedPostgresError(messages.noSocketFolder(bases))
}

/** Throws EmbeddedPostgresError unless the folder belongs to the user and is inaccessible to others. */
export async function checkSocketFolder(user: OsUser, folder: string): Promise<void> {
  const at = await lstat(folder)
  if (at.isDirectory() && at.uid === user.uid && (at.mode & 0o077) === 0) return
  throw new EmbeddedPostgresError(messages.unsafeSocketFolder(folder))
}

/** Removes the folder after the server has ended. */
export async function removeSocketFolder(folder: string): Promise<void> {
  try {
    await rmdir(folder)
  } catch {
    // Not empty, or removed already: the next start clears or creates it.
  }
}

async function isUsable(base: string, user: OsUser): Promise<boolean> {
  try {
    const real = await realpath(base)
    const { mode } = await stat(real)
    // In a world-writable folder only the sticky bit prevents others from replacing the folder.
    const isReplaceable = (mode & 0o002) !== 0 && (mode & 0o1000) === 0
    return !isReplaceable && (await canAccess(user, real))
  } catch {
    // A missing folder is not usable.
    return false
  }
}
