import { createCipheriv, createDecipheriv, createHmac, randomBytes, type KeyObject } from 'node:crypto'
import { deriveKey, type KeyRing } from './key-ring.ts'

/** The place of a sealed value: a ciphertext that was copied to another place does not open. */
export interface Place {
  table: string
  column: string
  row: string
  workspace: string
}

/** A sealed value cannot be opened: it was moved, is damaged, or its key is not in the ring. */
export class VaultError extends Error {
  override readonly name = 'VaultError'
}

/** Seals secrets for their columns, and computes HMACs to find rows by a secret. */
export interface Vault {
  seal: (secret: string, place: Place) => Buffer
  /** Throws VaultError. */
  open: (sealed: Buffer, place: Place) => string
  /** The secret sealed with the current key; null if it already is. Throws VaultError. */
  rewrap: (sealed: Buffer, place: Place) => Buffer | null
  /** HMAC of a secret, to find its row. */
  lookup: (secret: string) => Buffer
  /** HMAC key of signed cookies. */
  cookieKey: KeyObject
  /** HMAC keys of signed links: the first signs, all verify. */
  linkKeys: readonly [KeyObject, ...KeyObject[]]
  /** HMAC key of mails' links, by the id of its key in the ring; null: the first key. Throws VaultError. */
  mailKey: (id: string | null) => KeyObject
  /** Every key that may have signed a mail's links, after a look at the key file. The same array until one is added. */
  mailKeys: () => readonly KeyObject[]
  /** The same as of the last look: without a system call. */
  knownMailKeys: () => readonly KeyObject[]
  /** The key that signs new messages' links. */
  mailKeyId: () => string
  /** 32 bytes for the API key of our own pages: equal in every process, stored nowhere. */
  hostedPageKey: KeyObject
  /** 32 bytes derived from a name: equal each time, and unpredictable without the key. */
  derive: (name: string) => Buffer
}

const version = 1
const ivBytes = 12
const tagBytes = 16
const keyBytes = 32

/** Returns the ring if its file has changed, else null. `isNeeded`: reads it in any case. */
export type FollowRing = (isNeeded: boolean) => KeyRing | null

/**
 * AES-256-GCM with a data key for each value, which is sealed by the ring's current key; both are bound to the place
 * (security.md). Bytes: version, length of the key's id, id, sealed data key (iv, key, tag), sealed value (iv, value,
 * tag). `follow` picks up keys that are added while the process runs.
 */
export function createVault(ring: KeyRing, follow: FollowRing = () => null): Vault {
  const lookupKey = deriveKey(ring, ring.anchorId, 'lookup')
  const derivedKey = deriveKey(ring, ring.anchorId, 'derived')
  const cookieKey = deriveKey(ring, ring.currentId, 'cookie')
  let { currentId } = ring
  let sealing = keysOf(ring, 'seal')
  let mail = keysOf(ring, 'mail')
  let mailKeys = [...mail.values()]
  const refresh = (isNeeded: boolean) => {
    const changed = follow(isNeeded)
    if (changed === null) return
    sealing = keysOf(changed, 'seal')
    mail = keysOf(changed, 'mail')
    mailKeys = [...mail.values()]
    currentId = changed.currentId
  }
  const keyOf = (id: string) => {
    if (!sealing.has(id)) refresh(true)
    const key = sealing.get(id)
    if (key === undefined) throw new VaultError('The key ring has no key for this value.')
    return key
  }
  /** The decrypted data key of a sealed value, and the offset of the value. */
  const unwrap = (sealed: Buffer, bound: Buffer) => {
    const idEnd = 2 + (sealed[1] ?? 0)
    const id = sealed.subarray(2, idEnd).toString()
    if (sealed[0] !== version) throw new VaultError('A sealed value is of an unknown version.')
    const wrapping = keyOf(id)
    const valueStart = idEnd + ivBytes + keyBytes + tagBytes
    return { id, valueStart, dataKey: opening(() => decrypt(wrapping, sealed.subarray(idEnd, valueStart), bound)) }
  }
  const wrap = (dataKey: Buffer, value: Buffer, bound: Buffer) => {
    const id = Buffer.from(currentId)
    return Buffer.concat([Buffer.from([version, id.length]), id, encrypt(keyOf(currentId), dataKey, bound), value])
  }
  return {
    seal(secret, place) {
      refresh(false)
      const bound = bind(place)
      const dataKey = randomBytes(keyBytes)
      return wrap(dataKey, encrypt(dataKey, Buffer.from(secret), bound), bound)
    },
    open(sealed, place) {
      const bound = bind(place)
      const { dataKey, valueStart } = unwrap(sealed, bound)
      return opening(() => decrypt(dataKey, sealed.subarray(valueStart), bound).toString())
    },
    rewrap(sealed, place) {
      refresh(false)
      const bound = bind(place)
      const { id, dataKey, valueStart } = unwrap(sealed, bound)
      return id === currentId ? null : wrap(dataKey, sealed.subarray(valueStart), bound)
    },
    lookup: (secret) => createHmac('sha256', lookupKey).update(secret).digest(),
    cookieKey,
    // The order is equal in every process, also before all are restarted after a rotation.
    linkKeys: [
      deriveKey(ring, ring.anchorId, 'link'),
      ...[...ring.keys.keys()].filter((id) => id !== ring.anchorId).map((id) => deriveKey(ring, id, 'link')),
    ],
    mailKey(id) {
      const wanted = id ?? ring.anchorId
      if (!mail.has(wanted)) refresh(true)
      const key = mail.get(wanted)
      if (key === undefined) throw new VaultError('The key ring has no key for the links of this message.')
      return key
    },
    mailKeys() {
      refresh(false)
      return mailKeys
    },
    knownMailKeys: () => mailKeys,
    mailKeyId() {
      refresh(false)
      return currentId
    },
    hostedPageKey: deriveKey(ring, ring.anchorId, 'hosted-page'),
    derive: (name) => createHmac('sha256', derivedKey).update(name).digest(),
  }
}

function keysOf(ring: KeyRing, purpose: 'seal' | 'mail'): Map<string, KeyObject> {
  return new Map([...ring.keys.keys()].map((id) => [id, deriveKey(ring, id, purpose)]))
}

function opening<T>(decipher: () => T): T {
  try {
    return decipher()
  } catch (error) {
    throw new VaultError('A sealed value does not open: it was moved or damaged.', { cause: error })
  }
}

function bind(place: Place): Buffer {
  return Buffer.from(JSON.stringify([place.table, place.column, place.row, place.workspace]))
}

function encrypt(key: KeyObject | Buffer, plain: Buffer, bound: Buffer): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(bound)
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: KeyObject | Buffer, sealed: Buffer, bound: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes })
  decipher.setAAD(bound).setAuthTag(sealed.subarray(-tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(ivBytes, -tagBytes)), decipher.final()])
}
