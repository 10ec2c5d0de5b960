import { realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canAccess, type OsUser } from '../../server/postgres/os-user.ts'

export const isRoot = process.geteuid?.() === 0

/** A user without rights, for tests that run as root. */
export const nobody: OsUser = { uid: 65534, gid: 65534, name: 'nobody', isOtherUser: true }

/** Whether that user can execute our files: root's clone may be closed to all others. */
export const canNobodyAccessFiles = isRoot && (await canNobodyEnter(fileURLToPath(new URL('.', import.meta.url))))

async function canNobodyEnter(folder: string): Promise<boolean> {
  const folders = [folder, dirname(process.execPath)]
  return (await Promise.all(folders.map(async (path) => canAccess(nobody, await realpath(path))))).every(Boolean)
}
