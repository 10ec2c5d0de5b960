import { createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { mkdir, open, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Keys that secrets at rest are sealed with: the current one seals, each one opens what it sealed. */
export interface KeyRing {
  currentId: string
  /** The key that lookups derive from: rows are found by its HMACs, so it stays when another becomes current. */
  anchorId: string
  keys: ReadonlyMap<string, KeyObject>
}

/** What a key is used for; each use has a key of its own, derived by HKDF (RFC 5869). */
export type KeyUse = 'seal' | 'lookup' | 'cookie' | 'link' | 'hosted-page' | 'derived'

/** A key file that the process must not start with; the message says what to do. */
export class KeyRingError extends Error {
  override readonly name = 'KeyRingError'
}

/** What a key file holds. */
export interface KeyFile {
  current: string
  /** Default: `current`, as in a ring that was never rotated. */
  anchor?: string
  /** Made ahead, for copies of the file that must know it before it becomes current. */
  next?: string
  /** The current key, while it is not known to have wrapped every secret: a rotation that broke off goes on with it. */
  unfinished?: string
  keys: Record<string, string>
}

const keyBytes = 32

/** Reads the key file, or gives null where there is none. Refuses one that others may read. */
export async function readKeyRing(path: string): Promise<KeyRing | null> {
  try {
    const { mode } = await stat(path)
    return parseRing(await readFile(path, 'utf8'), mode, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw explain(error, path)
  }
}

/** The same at once, for a running server that meets a key it does not know. Throws where there is no file. */
export function readKeyRingSync(path: string): KeyRing {
  try {
    const { mode } = statSync(path)
    return parseRing(readFileSync(path, 'utf8'), mode, path)
  } catch (error) {
    throw explain(error, path)
  }
}

/** What a key file holds, to write another one from it. Throws KeyRingError where it is none of ours. */
export async function readKeyFile(path: string): Promise<KeyFile> {
  if ((await readKeyRing(path)) === null) throw new KeyRingError(`There is no key file ${path}; set SECRET_KEY_FILE.`)
  return JSON.parse(await readFile(path, 'utf8')) as KeyFile
}

/** A new key, with an id that no other has. */
export function newKey(): { id: string; key: string } {
  return { id: `k${randomBytes(4).toString('hex')}`, key: randomBytes(keyBytes).toString('base64') }
}

/** A key file as text. */
export function formatKeyFile(file: KeyFile): string {
  return `${JSON.stringify(file, null, 2)}\n`
}

/** Makes a key file with one new key. Fails where a file stands already. */
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

/** The key of one use, derived from a key of the ring. */
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
