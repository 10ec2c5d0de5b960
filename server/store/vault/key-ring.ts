import { createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { mkdir, open, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Keys that secrets at rest are sealed with: the current key seals, every key opens. */
export interface KeyRing {
  currentId: string
  /** The key that lookup HMACs derive from; it does not change when another key becomes current. */
  anchorId: string
  keys: ReadonlyMap<string, KeyObject>
}

/** Purpose of a derived key; each purpose has its own, derived by HKDF (RFC 5869). */
export type KeyUse = 'seal' | 'lookup' | 'cookie' | 'link' | 'mail' | 'hosted-page' | 'derived'

/** The process must not start with this key file; the message says what to do. */
export class KeyRingError extends Error {
  override readonly name = 'KeyRingError'
}

/** Content of a key file. */
export interface KeyFile {
  current: string
  /** Default: `current`, as in a ring that was never rotated. */
  anchor?: string
  /** A key prepared ahead, so that copies of the file have it before it becomes current. */
  next?: string
  /** The current key while not every secret is wrapped by it: an interrupted rotation resumes with it. */
  unfinished?: string
  keys: Record<string, string>
}

const keyBytes = 32

/** Reads the key file; null if there is none. Throws KeyRingError if other users may read it. */
export async function readKeyRing(path: string): Promise<KeyRing | null> {
  try {
    const { mode } = await stat(path)
    return parseRing(await readFile(path, 'utf8'), mode, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw explain(error, path)
  }
}

/** Synchronous variant, for a running server that finds an unknown key id. Throws if there is no file. */
export function readKeyRingSync(path: string): KeyRing {
  try {
    const { mode } = statSync(path)
    return parseRing(readFileSync(path, 'utf8'), mode, path)
  } catch (error) {
    throw explain(error, path)
  }
}

/** Parses a key file. Throws KeyRingError if it is invalid. */
export async function readKeyFile(path: string): Promise<KeyFile> {
  if ((await readKeyRing(path)) === null) throw new KeyRingError(`There is no key file ${path}; set SECRET_KEY_FILE.`)
  return JSON.parse(await readFile(path, 'utf8')) as KeyFile
}

/** A new key with a unique id. */
export function newKey(): { id: string; key: string } {
  return { id: `k${randomBytes(4).toString('hex')}`, key: randomBytes(keyBytes).toString('base64') }
}

/** A key file as text. */
export function formatKeyFile(file: KeyFile): string {
  return `${JSON.stringify(file, null, 2)}\n`
}

/** Creates a key file with one new key. Fails if the file exists. */
export async function createKeyRing(path: string): Promise<KeyRing> {
  const { id, key } = newKey()
  const text = formatKeyFile({ current: id, keys: { [id]: key } })
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

/** The key for a purpose, derived from a key of the ring. */
export function deriveKey(ring: KeyRing, id: string, use: KeyUse): KeyObject {
  const key = ring.keys.get(id)
  if (key === undefined) throw new KeyRingError(`The key ring has no key ${id}.`)
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `sendwright ${use}`, keyBytes)))
}

function explain(error: unknown, path: string): KeyRingError {
  if (error instanceof KeyRingError) return error
  return new KeyRingError(`The key file ${path} cannot be read; check who owns it.`, { cause: error })
}

function parseRing(text: string, mode: number, path: string): KeyRing {
  if ((mode & 0o077) === 0) return parseKeyFile(text, path)
  throw new KeyRingError(`The key file ${path} can be read by others; run: chmod 600 “${path}”`)
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
  const anchorId = file.anchor ?? file.current
  if (!keys.has(file.current) || !keys.has(anchorId)) throw wrong
  return { currentId: file.current, anchorId, keys }
}
