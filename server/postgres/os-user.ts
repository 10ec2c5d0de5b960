import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { getegid, geteuid } from 'node:process'
import { EmbeddedPostgresError, messages } from './errors.ts'

/** The user that PostgreSQL runs as. */
export interface OsUser {
  uid: number
  gid: number
  /** For sentences; the number where the name is not known. */
  name: string
  /** Whether that is another user than this process’s: then this process is root’s. */
  isOtherUser: boolean
}

// PostgreSQL’s own user where its package is installed (macOS: _postgres), else the one with the fewest rights.
const candidates = ['postgres', '_postgres', 'nobody']

/** This process’s user; for root, who may not run PostgreSQL, one that the system has. */
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

/** How `child_process` starts something as the runner: an ordinary user must not name an id. */
export function spawnIdentity(runner: OsUser): { uid?: number; gid?: number } {
  return runner.isOtherUser ? { uid: runner.uid, gid: runner.gid } : {}
}

/** Whether the runner may enter a folder, by the mode of it and of each folder above; `path` free of symbolic links. */
export async function canAccess(runner: OsUser, path: string): Promise<boolean> {
  if (!runner.isOtherUser) return true
  for (let folder = path; ; folder = dirname(folder)) {
    if (!(await hasRights(runner, folder, 0o1))) return false
    if (folder === dirname(folder)) return true
  }
}

/** Whether a file’s or folder’s mode gives the runner these rights (4 read, 1 execute or enter). */
export async function hasRights(runner: OsUser, path: string, rights: number): Promise<boolean> {
  const { mode, uid, gid } = await stat(path)
  const shift = uid === runner.uid ? 6 : gid === runner.gid ? 3 : 0
  return ((mode >> shift) & rights) === rights
}
