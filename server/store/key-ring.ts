import { createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto'
import { mkdir, open, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Keys that secrets at rest are sealed with: the current one seals, each one opens what it sealed. */
export interface KeyRing {
  currentId: string
  keys: ReadonlyMap<string, KeyObject>
}

/** What a key is used for; each use has a key of its own, derived by HKDF (RFC 5869). */
export type KeyUse = 'seal' | 'lookup' | 'cookie' | 'link' | 'hosted-page'

/** A key file that the process must not start with; the message says what to do. */
export class KeyRingError extends Error {
  override readonly name = 'KeyRingError'
}

interface KeyFile {
  current: string
  keys: Record<string, string>
}

const keyBytes = 32

/** Reads the key file, or gives null where there is none. Refuses one that others may read. */
export async function readKeyRing(path: string): Promise<KeyRing | null> {
  let text: string
  try {
    const { mode } = await stat(path)
    if ((mode & 0o077) !== 0) {
      throw new KeyRingError(`The key file ${path} can be read by others; run: chmod 600 “${path}”`)
    }
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof KeyRingError) throw error
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new KeyRingError(`The key file ${path} cannot be read; check who owns it.`, { cause: error })
  }
  return parseKeyFile(text, path)
}

/** Makes a key file with one new key. Fails where a file stands already. */
export async function createKeyRing(path: string): Promise<KeyRing> {
  const id = `k${randomBytes(4).toString('hex')}`
  const file: KeyFile = { current: id, keys: { [id]: randomBytes(keyBytes).toString('base64') } }
  const text = `${JSON.stringify(file, null, 2)}\n`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const handle = await open(path, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw new KeyRingError(`The key file ${path} cannot be written; check the folder, or set SECRET_KEY_FILE.`, {
      cause: error,
    })
  }
  return parseKeyFile(text, path)
}

/** The key of one use, derived from a key of the ring. */
export function deriveKey(ring: KeyRing, id: string, use: KeyUse): KeyObject {
  const key = ring.keys.get(id)
  if (key === undefined) throw new KeyRingError(`The key ring has no key ${id}.`)
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `sendwright ${use}`, keyBytes)))
}

function parseKeyFile(text: string, path: string): KeyRing {
  const wrong = new KeyRingError(
    `The key file ${path} is not one of ours or is damaged; restore it from where you keep it.`,
  )
  let file: Partial<KeyFile> | null
  try {
    file = JSON.parse(text) as Partial<KeyFile> | null
  } catch (error) {
    throw new KeyRingError(wrong.message, { cause: error })
  }
  if (typeof file?.current !== 'string' || typeof file.keys !== 'object') throw wrong
  const keys = new Map<string, KeyObject>()
  for (const [id, value] of Object.entries(file.keys)) {
    const bytes = Buffer.from(value, 'base64')
    if (bytes.length !== keyBytes) throw wrong
    keys.set(id, createSecretKey(bytes))
  }
  if (!keys.has(file.current)) throw wrong
  return { currentId: file.current, keys }
}
