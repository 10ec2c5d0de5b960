import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { DeliveryVariables } from '../messages/delivery.ts'
import { baseVariable, testVariable, unsubscribeVariable } from '../campaigns/campaign-mail.ts'

/** Which mail a link came with. */
export interface LinkedMail {
  messageId: string
  deliveryId: number
}

const idBytes = 16
const rowBytes = 6
const macBytes = 16
const tokenShape = /^[\w-]{51}$/

/** Where links lead, below the public address. */
export const unsubscribePath = '/unsubscribe/'
/** In place of a token in mails that are tests: it names nobody, and unsubscribes nobody. */
export const testToken = 'test'

/**
 * A mail's token: its message, its row and 128 bits of an HMAC over both; nothing of the person. Whoever lacks the key makes
 * none, for no other mail either.
 */
export function signLink(key: KeyObject, { messageId, deliveryId }: LinkedMail): string {
  const named = Buffer.alloc(idBytes + rowBytes)
  named.write(messageId.replaceAll('-', ''), 'hex')
  named.writeUIntBE(deliveryId, idBytes, rowBytes)
  return Buffer.concat([named, macOf(key, named)]).toString('base64url')
}

/** The mail that a token was signed for, by any of the keys; null for every other text. */
export function readLink(keys: readonly KeyObject[], token: string): LinkedMail | null {
  if (!tokenShape.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  // Two texts may stand for the same bytes; one of them was signed.
  if (bytes.length !== idBytes + rowBytes + macBytes || bytes.toString('base64url') !== token) return null
  const named = bytes.subarray(0, idBytes + rowBytes)
  const mac = bytes.subarray(idBytes + rowBytes)
  if (!keys.some((key) => timingSafeEqual(macOf(key, named), mac))) return null
  const hex = named.toString('hex', 0, idBytes)
  const messageId = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  return { messageId, deliveryId: named.readUIntBE(idBytes, rowBytes) }
}

/**
 * The merge variable that holds a mail's link. A campaign's links lead where its launch said, whichever process sends them;
 * those of other mails to `publicUrl`. The link of a test names no mail.
 */
export function linkVariables(key: KeyObject, publicUrl: string | null): DeliveryVariables {
  let last: { deliveryId: number; messageId: string; url: string } | null = null
  return {
    [unsubscribeVariable]: ({ id: deliveryId }, { id: messageId, context }) => {
      // A mail asks for it several times: in its header, its HTML and its text.
      if (last?.deliveryId === deliveryId && last.messageId === messageId) return last.url
      const base = String(context[baseVariable] ?? publicUrl ?? '')
      const token = context[testVariable] === true ? testToken : signLink(key, { messageId, deliveryId })
      last = { deliveryId, messageId, url: base + unsubscribePath + token }
      return last.url
    },
  }
}

function macOf(key: KeyObject, named: Buffer): Buffer {
  return createHmac('sha256', key).update('unsubscribe').update(named).digest().subarray(0, macBytes)
}
