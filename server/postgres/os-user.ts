import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { getegid, geteuid } from 'node:process'
import { EmbeddedPostgresError, messages } from './errors.ts'

/** The user that PostgreSQL runs as. */
export interface OsUser {
  uid: number
  gid: number
  /** For messages; the number if the name is unknown. */
  name: string
  /** Whether it differs from this process’s user: then this process runs as root. */
  isOtherUser: boolean
}

// PostgreSQL’s own user if a package created it (macOS: _postgres), else the user with the fewest rights.
const candidates = ['postgres', '_postgres', 'nobody']

/** This process’s user; for root, which may not run PostgreSQL, another user of the system. */
export async function findOsUser(): Promise<OsUser> {
  const uid = geteuid?.() ?? -1
  const gid = getegid?.() ?? -1
  if (uid !== 0) return { uid, gid, name: String(uid), isOtherUser: false }
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const name of candidates) {
    const entry = lines.find((fields) => fields[0] === name)
    const found = { uid: Number(entry?.[2]), gid: Number(entry?.[3]) }
    if (found.uid > 0 && found.gid > 0) return { ...found, name, isOtherUser: true }
  }
  throw new EmbeddedPostgresError(messages.noUser())
}

/** Options for `child_process` to run as the user; empty for this process’s own user. */
export function spawnIdentity(user: OsUser): { uid?: number; gid?: number } {
  return user.isOtherUser ? { uid: user.uid, gid: user.gid } : {}
}

/** Whether the user may access a folder, by its mode and those of its ancestors; `path` without symbolic links. */
export async function canAccess(user: OsUser, path: string): Promise<boolean> {
  if (!user.isOtherUser) return true
  for (let folder = path; ; folder = dirname(folder)) {
    if (!(await hasRights(user, folder, 0o1))) return false
    if (folder === dirname(folder)) return true
  }
}

/** Whether a file’s or folder’s mode gives the user these rights (4 read, 1 execute or search). */
export async function hasRights(user: OsUser, path: string, rights: number): Promise<boolean> {
  const { mode, uid, gid } = await stat(path)
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0
  return ((mode >> shift) & rights) === rights
}
