import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto'
import { mailTokenChars, type MailToken } from '../domain/tracking/mail-link.ts'

const version = 2
const idBytes = 16
const rowBytes = 6
const macBytes = 16
const monthAt = 5
const messageAt = 7
const deliveryAt = messageAt + idBytes
const namedBytes = deliveryAt + rowBytes
const tokenShape = /^[\w-]+$/
const monthShape = /^(\d{4})-(\d\d)-01$/
/** Months are counted from year 0. Outside of these no mail was sent. */
const firstMonth = 2020 * 12
const lastMonth = 2200 * 12

/**
 * The token of a mail's links: workspace number, month, message, delivery and 128 bits of an HMAC over them. It contains
 * nothing about the recipient and cannot be forged without the key.
 */
export function signToken(key: KeyObject, { workspaceNo, month, messageId, deliveryId }: MailToken): string {
  const named = Buffer.alloc(namedBytes)
  named[0] = version
  named.writeUInt32BE(workspaceNo, 1)
  named.writeUInt16BE(monthNumber(month), monthAt)
  named.write(messageId.replaceAll('-', ''), messageAt, 'hex')
  named.writeUIntBE(deliveryId, deliveryAt, rowBytes)
  return Buffer.concat([named, tokenMac(key, named)]).toString('base64url')
}

/** The mail of a version 2 token that one of the keys signed; null for every other text. */
export function readToken(keys: Iterable<KeyObject>, token: string): MailToken | null {
  const bytes = decode(token, mailTokenChars)
  if (bytes?.[0] !== version) return null
  const named = bytes.subarray(0, namedBytes)
  const month = named.readUInt16BE(monthAt)
  if (month < firstMonth || month >= lastMonth) return null
  if (!isSigned(keys, named, bytes.subarray(namedBytes), tokenMac)) return null
  return {
    workspaceNo: named.readUInt32BE(1),
    month: `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`,
    messageId: readId(named, messageAt),
    deliveryId: named.readUIntBE(deliveryAt, rowBytes),
  }
}

/** The mail of a version 1 token. */
export interface LegacyLink {
  /** Null in tokens of 51 characters, which do not contain it. */
  workspaceId: string | null
  messageId: string
  deliveryId: number
}

/** The mail of an unsubscribe link of version 1 (51 or 72 characters), signed by one of the keys; else null. */
export function readLegacyToken(keys: Iterable<KeyObject>, token: string): LegacyLink | null {
  const ids = token.length === 51 ? 1 : 2
  const bytes = decode(token, ids === 1 ? 51 : 72)
  if (bytes === null) return null
  const named = bytes.subarray(0, ids * idBytes + rowBytes)
  if (!isSigned(keys, named, bytes.subarray(named.length), legacyMac)) return null
  return {
    workspaceId: ids === 2 ? readId(named, 0) : null,
    messageId: readId(named, (ids - 1) * idBytes),
    deliveryId: named.readUIntBE(ids * idBytes, rowBytes),
  }
}

/** Bytes of a base64url text of so many characters; null if another text encodes the same bytes. */
export function decode(text: string, chars: number): Buffer | null {
  if (text.length !== chars || !tokenShape.test(text)) return null
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : null
}

/** Compares in constant time with the MAC of every key. */
export function isSigned<T>(
  keys: Iterable<KeyObject>,
  signed: T,
  mac: Buffer,
  macOf: (key: KeyObject, signed: T) => Buffer,
): boolean {
  let isFound = false
  for (const key of keys) {
    const expected = macOf(key, signed)
    if (expected.length === mac.length && timingSafeEqual(expected, mac)) isFound = true
  }
  return isFound
}

function tokenMac(key: KeyObject, named: Buffer): Buffer {
  return createHmac('sha256', key).update('mail').update(named).digest().subarray(0, macBytes)
}

function legacyMac(key: KeyObject, named: Buffer): Buffer {
  return createHmac('sha256', key).update('unsubscribe').update(named).digest().subarray(0, macBytes)
}

function monthNumber(month: string): number {
  const [, year, inYear] = monthShape.exec(month) ?? []
  if (year === undefined || inYear === undefined) throw new Error('The month of a delivery is not a date')
  return Number(year) * 12 + Number(inYear) - 1
}

function readId(bytes: Buffer, start: number): string {
  const hex = bytes.toString('hex', start, start + idBytes)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
