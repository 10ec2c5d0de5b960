import { createHash, createHmac, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { DeliveryVariables } from './delivery.ts'

/** Variable of the sender that holds the code of a mail's Message-ID; no template can name it. */
export const messageIdCode = 'message-id code'

const codeBytes = 8
const deliveryBytes = 6

/**
 * Message-ID of one recipient's mail, with angle brackets (RFC 5322 §3.6.4). It follows from the row, so every attempt
 * carries the same one and a receiver can drop a repeat. The code proves to us that who quotes it has received the mail:
 * a recipient who changes the delivery's number cannot report a bounce of another recipient.
 */
export function messageIdOf(
  key: KeyObject,
  delivery: {
    messageId: string
    id: number
    fromAddress: string
    /** Whether all recipients get one mail, with one Message-ID. */
    isGroup?: boolean
  },
): string {
  const { messageId, fromAddress } = delivery
  const id = delivery.isGroup === true ? groupDeliveryId : delivery.id
  const domain = fromAddress.slice(fromAddress.lastIndexOf('@') + 1)
  return `<${messageId}.${id}.${codeOf(messageKey(key, messageId), id)}@${domain}>`
}

/** Whether a Message-ID's code was made with one of the keys. */
export function isOwnMessageId(
  keys: readonly KeyObject[],
  id: { messageId: string; deliveryId: number; mac: string | null },
): boolean {
  const given = Buffer.from(id.mac ?? '', 'hex')
  if (given.length !== codeBytes) return false
  return keys.some((key) =>
    timingSafeEqual(given, Buffer.from(codeOf(messageKey(key, id.messageId), id.deliveryId), 'hex')),
  )
}

/** The sender's variable for `messageIdCode`; a message's key is derived once. */
export function messageIdVariables(key: KeyObject): DeliveryVariables {
  let last: { messageId: string; key: Buffer } | null = null
  return {
    [messageIdCode]({ id }, message) {
      if (last?.messageId !== message.id) last = { messageId: message.id, key: messageKey(key, message.id) }
      return codeOf(last.key, id)
    },
  }
}

const messageKey = (key: KeyObject, messageId: string) =>
  createHmac('sha256', key).update('message-id').update(messageId).digest()

/**
 * A tenth of the time of an HMAC for each mail. The input has a fixed length and the output is cut, so that SHA-256 with the
 * key in front cannot be extended.
 */
function codeOf(key: Buffer, deliveryId: number): string {
  const named = Buffer.alloc(deliveryBytes)
  named.writeUIntBE(deliveryId, 0, deliveryBytes)
  return createHash('sha256')
    .update(key)
    .update(named)
    .digest('hex')
    .slice(0, 2 * codeBytes)
}

/** In place of a delivery's id in the Message-ID that all recipients of a message with cc or bcc share. */
export const groupDeliveryId = 0
