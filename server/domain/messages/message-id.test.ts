import { createSecretKey, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isOwnMessageId, messageIdCode, messageIdOf, messageIdVariables } from './message-id.ts'

const key = createSecretKey(randomBytes(32))
const other = createSecretKey(randomBytes(32))
const messageId = '0190c0de-0000-7000-8000-000000000001'

describe('Message-IDs', () => {
  it('BOUNCES-23 the code belongs to one delivery of one message and one key', () => {
    const id = messageIdOf(key, { messageId, id: 41, fromAddress: 'studio@example.com' })
    const [, delivery, mac] = /^<[^.]+\.(\d+)\.([0-9a-f]{16})@example\.com>$/.exec(id)!
    const read = { messageId, deliveryId: Number(delivery), mac: mac! }
    expect(isOwnMessageId([other, key], read)).toBe(true)
    expect(isOwnMessageId([key], { ...read, deliveryId: 42 })).toBe(false)
    expect(isOwnMessageId([key], { ...read, messageId: messageId.replace('1', '2') })).toBe(false)
    expect(isOwnMessageId([other], read)).toBe(false)
    expect(isOwnMessageId([key], { ...read, mac: null })).toBe(false)
  })

  it('the sender writes the same code as the API shows', () => {
    const code = messageIdVariables(key)[messageIdCode]!(
      { id: 41, recipient: 'ann@example.org' },
      { id: messageId } as never,
      { read: () => '', holds: () => false },
    )
    expect(messageIdOf(key, { messageId, id: 41, fromAddress: 'a@example.com' })).toBe(
      `<${messageId}.41.${code}@example.com>`,
    )
  })
})
