import { createCipheriv, createDecipheriv, createHmac, randomBytes, type KeyObject } from 'node:crypto'
import { deriveKey, type KeyRing } from './key-ring.ts'

/** Where a sealed value stands: a ciphertext that was moved elsewhere does not open. */
export interface Place {
  table: string
  column: string
  row: string
  workspace: string
}

/** A sealed value that does not open: moved, damaged, or sealed with a key that the ring lacks. */
export class VaultError extends Error {
  override readonly name = 'VaultError'
}

/** Seals secrets for their columns, and finds rows by a secret without storing it in clear. */
export interface Vault {
  seal: (secret: string, place: Place) => Buffer
  /** Throws VaultError. */
  open: (sealed: Buffer, place: Place) => string
  /** HMAC of a secret, to look its row up by. */
  lookup: (secret: string) => Buffer
  /** HMAC key of signed cookies. */
  cookieKey: KeyObject
  /** HMAC keys of signed links: the first signs, each one proves. */
  linkKeys: readonly [KeyObject, ...KeyObject[]]
  /** 32 bytes that make the API key of our own pages: the same in every process, and in no row. */
  hostedPageKey: KeyObject
}

const version = 1
const ivBytes = 12
const tagBytes = 16
const keyBytes = 32

/**
 * AES-256-GCM with a data key per value, itself sealed by the ring's current key; both bound to the place (security.md).
 * Bytes: version, length of the key's id, id, sealed data key (iv, key, tag), sealed value (iv, value, tag).
 */
export function createVault(ring: KeyRing): Vault {
  const sealing = new Map([...ring.keys.keys()].map((id) => [id, deriveKey(ring, id, 'seal')]))
  const lookupKey = deriveKey(ring, ring.currentId, 'lookup')
  return {
    seal(secret, place) {
      const wrapping = sealing.get(ring.currentId)
      if (wrapping === undefined) throw new VaultError('The key ring has no current key.')
      const bound = bind(place)
      const dataKey = randomBytes(keyBytes)
      const id = Buffer.from(ring.currentId)
      const value = encrypt(dataKey, Buffer.from(secret), bound)
      return Buffer.concat([Buffer.from([version, id.length]), id, encrypt(wrapping, dataKey, bound), value])
    },
    open(sealed, place) {
      const idEnd = 2 + (sealed[1] ?? 0)
      const wrapping = sealing.get(sealed.subarray(2, idEnd).toString())
      if (sealed[0] !== version || wrapping === undefined)
        throw new VaultError('The key ring has no key for this value.')
      const bound = bind(place)
      const wrapEnd = idEnd + ivBytes + keyBytes + tagBytes
      try {
        const dataKey = decrypt(wrapping, sealed.subarray(idEnd, wrapEnd), bound)
        return decrypt(dataKey, sealed.subarray(wrapEnd), bound).toString()
      } catch (error) {
        throw new VaultError('A sealed value does not open: it was moved or damaged.', { cause: error })
      }
    },
    lookup: (secret) => createHmac('sha256', lookupKey).update(secret).digest(),
    cookieKey: deriveKey(ring, ring.currentId, 'cookie'),
    linkKeys: [
      deriveKey(ring, ring.currentId, 'link'),
      ...[...ring.keys.keys()].filter((id) => id !== ring.currentId).map((id) => deriveKey(ring, id, 'link')),
    ],
    hostedPageKey: deriveKey(ring, ring.currentId, 'hosted-page'),
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
