import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { KeyRingError, readKeyRing } from '../../server/store/vault/key-ring.ts'
import { warn, fail, ok, type Finding } from './finding.ts'

const gigabyte = 2 ** 30
const lowBytes = gigabyte
const fullBytes = gigabyte / 5

/** Checks that the data folder exists, is writable and has free disk space. */
export async function checkDataFolder(path: string): Promise<Finding[]> {
  const folder = await nearest(path)
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return [fail('data', `${folder} cannot be written by this user: give it to this user, or set DATA_DIR.`)]
  }
  const { bavail, bsize } = await statfs(folder)
  return [
    folder === path ? ok('data', path) : warn('data', `${path} is created at the first start.`),
    assessDiskSpace(bavail * bsize),
  ]
}

/** Assesses free disk space. */
export function assessDiskSpace(bytes: number): Finding {
  const free = `${(bytes / gigabyte).toFixed(1)} GB`
  if (bytes < fullBytes)
    return fail('disk', `${free} are free: the database stops when the disk is full. Free some space.`)
  if (bytes < lowBytes) return warn('disk', `Only ${free} are free.`)
  return ok('disk', `${free} are free.`)
}

/** The key file. */
export async function checkKeyFile(path: string): Promise<Finding> {
  try {
    const ring = await readKeyRing(path)
    if (ring === null) return warn('keys', `${path} is created at the first start.`)
    return ok(
      'keys',
      `${path} holds ${ring.keys.size === 1 ? '1 key' : `${ring.keys.size} keys`}. Keep a copy of it in a separate place.`,
    )
  } catch (error) {
    if (!(error instanceof KeyRingError)) throw error
    return fail('keys', error.message)
  }
}

/** The folder itself, or its nearest existing ancestor. */
async function nearest(path: string): Promise<string> {
  const exists = (await stat(path).catch(() => null)) !== null
  return exists || dirname(path) === path ? path : nearest(dirname(path))
}
