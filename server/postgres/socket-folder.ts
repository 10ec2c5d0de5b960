import { chown, lstat, mkdir, realpath, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { geteuid, platform } from 'node:process'
import { EmbeddedPostgresError, messages } from './errors.ts'
import { canAccess, type OsUser } from './os-user.ts'

/** Names the socket’s file; no TCP port is opened. */
export const socketPort = 5432

const socketName = `.s.PGSQL.${socketPort}`
/** `sun_path` of unix(7) and of macOS, without its final zero. */
const pathMaxBytes = platform === 'linux' ? 107 : 103

/**
 * Makes the folder `name` for the socket in the first of `bases` that will do, for the runner alone, and clears away
 * what a killed server left there. Throws EmbeddedPostgresError where none will do.
 */
export async function makeSocketFolder(runner: OsUser, bases: readonly string[], name: string): Promise<string> {
  for (const base of new Set(bases)) {
    if (!(await isUsable(base, runner))) continue
    const folder = join(await realpath(base), name)
    if (Buffer.byteLength(join(folder, socketName)) > pathMaxBytes) continue
    try {
      await mkdir(folder, { mode: 0o700 })
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EACCES' || code === 'EROFS') continue
      if (code !== 'EEXIST') throw error
    }
    // One that root made and was killed before it gave it away is not another’s.
    const { uid } = await lstat(folder)
    if (runner.isOtherUser && uid === geteuid?.()) await chown(folder, runner.uid, runner.gid)
    await checkSocketFolder(runner, folder)
    for (const file of [socketName, `${socketName}.lock`]) await rm(join(folder, file), { force: true })
    return folder
  }
  throw new EmbeddedPostgresError(messages.noSocketFolder(bases))
}

/** Throws EmbeddedPostgresError unless the folder is the runner’s and closed to everybody else. */
export async function checkSocketFolder(runner: OsUser, folder: string): Promise<void> {
  const at = await lstat(folder)
  if (at.isDirectory() && at.uid === runner.uid && (at.mode & 0o077) === 0) return
  throw new EmbeddedPostgresError(messages.unsafeSocketFolder(folder))
}

/** Takes the folder away once the server has ended. */
export async function removeSocketFolder(folder: string): Promise<void> {
  try {
    await rmdir(folder)
  } catch {
    // Something else is in it or it has gone: the next start clears it or makes it anew.
  }
}

async function isUsable(base: string, runner: OsUser): Promise<boolean> {
  try {
    const real = await realpath(base)
    const { mode } = await stat(real)
    // Where everybody may write, only the sticky bit keeps others from putting a folder of theirs in its place.
    const isBendable = (mode & 0o002) !== 0 && (mode & 0o1000) === 0
    return !isBendable && (await canAccess(runner, real))
  } catch {
    // A missing folder is one that will not do.
    return false
  }
}
