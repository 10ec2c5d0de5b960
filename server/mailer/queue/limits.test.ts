import { describe, expect, it } from 'vitest'
import { messageContent } from '../../../tests/support/message-content.ts'
import { AdaptiveClaimSize } from './claim-size.ts'
import { createCompiledMessageCache } from './compiled-message-cache.ts'

describe('a claim', () => {
  it('has 5 to 1,000 rows', () => {
    let nowMs = 0
    const size = new AdaptiveClaimSize(() => nowMs)
    const after = (sentCount: number, ms: number) => {
      nowMs += ms
      size.sent(sentCount)
      return size.limit
    }
    expect(size.limit).toBe(5)
    expect(after(1, 60_000)).toBe(5)
    const growing = Array.from({ length: 9 }, () => after(10_000, 1))
    expect(growing).toEqual([10, 20, 40, 80, 160, 320, 640, 1000, 1000])
    // A quarter of a second's rows.
    expect(after(1000, 500)).toBe(500)
  })
})

describe('the compiled message cache', () => {
  it('has 32 MiB', async () => {
    const isKept = async (bytes: number) => {
      const sizes: Readonly<Record<string, number>> = { a: 1_000_000, b: bytes - 1_000_000 }
      const cache = createCompiledMessageCache({
        findContents: (_workspaceId, ids) =>
          Promise.resolve(
            ids.map((id) => {
              const content = messageContent({ id, subject: '', content: '' })
              const encoded = Buffer.allocUnsafe(sizes[id] ?? 0)
              return { ...content, attachments: [{ filename: 'a', contentType: 'image/png', inlineId: null, encoded }] }
            }),
          ),
      })
      await cache.load('w1', ['a'])
      await cache.load('w1', ['b'])
      return cache.peek('a') !== undefined
    }
    expect([await isKept(33_554_432), await isKept(33_554_433)]).toEqual([true, false])
  })
})
