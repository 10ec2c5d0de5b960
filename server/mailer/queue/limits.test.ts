import { describe, expect, it } from 'vitest'
import type { DeliveryOutcome } from '../../domain/messages/delivery.ts'
import { messageContent } from '../../../tests/support/message-content.ts'
import { silentLog } from '../../../tests/support/silent-log.ts'
import { AdaptiveClaimSize } from './claim-size.ts'
import { createCompiledMessageCache } from './compiled-message-cache.ts'
import { createOutcomeWriter } from './outcome-writer.ts'

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

describe('outcomes', () => {
  it('are written, and given to a claim, in batches of 1,000', async () => {
    const written: number[] = []
    const committing = Promise.withResolvers<string[]>()
    const writer = createOutcomeWriter({
      queue: {
        writeOutcomes(outcomes) {
          written.push(outcomes.length)
          return committing.promise
        },
      },
      onOutcomesWritten: () => undefined,
      log: silentLog,
    })
    const outcome: DeliveryOutcome = {
      workspaceId: 'w1',
      month: '2026-08',
      id: 7,
      token: 't',
      state: 'sent',
      reply: '250 OK',
      isAttempt: true,
      isCounted: true,
      delayMs: 0,
    }
    const add = (count: number) => {
      for (let no = 0; no < count; no++) writer.add({ outcome, onCommitted: () => undefined, deadAddress: null })
    }
    add(999)
    expect(written).toEqual([])
    add(1)
    expect(written).toEqual([1000])
    // While these are written, others wait.
    add(1001)
    const taken = writer.takePending()
    expect(taken.outcomes).toHaveLength(1000)
    taken.failed()
    committing.resolve([])
    await writer.drain()
    expect(written).toEqual([1000, 1000, 1])
  })
})
