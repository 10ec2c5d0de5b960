import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { DeliveryVariables } from '../messages/delivery.ts'
import { baseVariable, testVariable, unsubscribeVariable } from '../campaigns/campaign-mail.ts'

/** Which mail a link came with. */
export interface LinkedMail {
  workspaceId: string
  messageId: string
  deliveryId: number
}

const idBytes = 16
const rowBytes = 6
const macBytes = 16
const namedBytes = 2 * idBytes + rowBytes
const tokenShape = /^[\w-]{72}$/

/** Where links lead, below the public address. */
export const unsubscribePath = '/unsubscribe/'
/** Token of test mails: it identifies no recipient. */
export const testToken = 'test'

/**
 * A mail's token: its workspace, its message, its row and 128 bits of an HMAC over them; nothing about the recipient. It
 * cannot be forged without the key.
 */
export function signLink(key: KeyObject, { workspaceId, messageId, deliveryId }: LinkedMail): string {
  const named = Buffer.alloc(namedBytes)
  named.write((workspaceId + messageId).replaceAll('-', ''), 'hex')
  named.writeUIntBE(deliveryId, 2 * idBytes, rowBytes)
  return Buffer.concat([named, macOf(key, named)]).toString('base64url')
}

/** The mail that a token was signed for, by any of the keys; null for every other text. */
export function readLink(keys: readonly KeyObject[], token: string): LinkedMail | null {
  if (!tokenShape.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  // Two texts may encode the same bytes; one of them was signed.
  if (bytes.length !== namedBytes + macBytes || bytes.toString('base64url') !== token) return null
  const named = bytes.subarray(0, namedBytes)
  const mac = bytes.subarray(namedBytes)
  if (!keys.some((key) => timingSafeEqual(macOf(key, named), mac))) return null
  return {
    workspaceId: readId(named, 0),
    messageId: readId(named, idBytes),
    deliveryId: named.readUIntBE(2 * idBytes, rowBytes),
  }
}

function readId(bytes: Buffer, start: number): string {
  const hex = bytes.toString('hex', start, start + idBytes)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/**
 * The merge variable that holds a mail's link. A campaign's links use the address that its launch fixed, whichever process
 * sends them; those of other mails use `publicUrl`. The link of a test names no mail.
 */
export function linkVariables(key: KeyObject, publicUrl: string | null): DeliveryVariables {
  let last: { deliveryId: number; messageId: string; url: string } | null = null
  return {
    [unsubscribeVariable]: ({ id: deliveryId }, { id: messageId, workspaceId, context }) => {
      // A mail asks for it several times: in its header, its HTML and its text.
      if (last?.deliveryId === deliveryId && last.messageId === messageId) return last.url
      const base = String(context[baseVariable] ?? publicUrl ?? '')
      const token = context[testVariable] === true ? testToken : signLink(key, { workspaceId, messageId, deliveryId })
      last = { deliveryId, messageId, url: base + unsubscribePath + token }
      return last.url
    },
  }
}

function macOf(key: KeyObject, named: Buffer): Buffer {
  return createHmac('sha256', key).update('unsubscribe').update(named).digest().subarray(0, macBytes)
}
