import { randomBytes } from 'node:crypto'
import { chmod, readFile, stat } from 'node:fs/promises'
import { writeFileDurably } from './durable-file.ts'

/** Reads the role’s password (256 random bits in base64url) from its file; creates the file if it is missing. */
export async function readOrCreatePassword(path: string): Promise<{ password: string; isNew: boolean }> {
  try {
    const password = (await readFile(path, 'utf8')).trim()
    // The password is inserted into SQL, so any other format is replaced.
    if (/^[\w-]{43}$/.test(password)) {
      if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600)
      return { password, isNew: false }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const password = randomBytes(32).toString('base64url')
  await writeFileDurably(path, `${password}\n`)
  return { password, isNew: true }
}
