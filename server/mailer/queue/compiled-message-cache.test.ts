import { describe, expect, it } from 'vitest'
import type { MessageContent } from '../../domain/messages/delivery.ts'
import { messageContent } from '../../../tests/support/message-content.ts'
import { createCompiledMessageCache } from './compiled-message-cache.ts'

const message = (id: string, content = 'x'.repeat(1000)): MessageContent =>
  messageContent({ id, content, isHtml: false })

/** A store that has every requested message, and records the requests. */
function storeOfAll() {
  const calls: string[] = []
  const findContents = (_workspaceId: string, ids: readonly string[]) => {
    calls.push(...ids)
    return Promise.resolve(ids.map((id) => message(id)))
  }
  return { calls, findContents }
}

describe('the compiled message cache', () => {
  it('reads a message once for all its recipients, and several in one query', async () => {
    const { calls, findContents } = storeOfAll()
    const cache = createCompiledMessageCache({ findContents })
    expect(cache.peek('a')).toBeUndefined()
    await cache.load('w1', ['a', 'b'])
    const template = cache.peek('a')
    expect(template).toMatchObject({ fromAddress: 'ann@example.com' })
    await cache.load('w1', ['a', 'b'])
    expect(cache.peek('a')).toBe(template)
    expect(calls).toEqual(['a', 'b'])
  })

  it('evicts the least recently used messages above its limit', async () => {
    const { calls, findContents } = storeOfAll()
    const cache = createCompiledMessageCache({ findContents }, {}, null, 10_000)
    for (const id of ['a', 'b', 'a', 'c', 'a', 'b']) {
      await cache.load('w1', [id])
      expect(cache.peek(id)).toMatchObject({ fromAddress: 'ann@example.com' })
    }
    expect(calls).toEqual(['a', 'b', 'c', 'b'])
  })

  it('keeps at least the first message of a claim, at any limit', async () => {
    const { findContents } = storeOfAll()
    const cache = createCompiledMessageCache({ findContents }, {}, null, 1)
    await cache.load('w1', ['a', 'b', 'c'])
    expect([cache.peek('a'), cache.peek('b'), cache.peek('c')].map((found) => found !== undefined)).toEqual([
      true,
      false,
      false,
    ])
  })

  it('does not cache a failure', async () => {
    let isAway = true
    const findContents = (_workspaceId: string, ids: readonly string[]) =>
      isAway ? Promise.reject(new Error('database away')) : Promise.resolve(ids.map((id) => message(id)))
    const cache = createCompiledMessageCache({ findContents })
    await expect(cache.load('w1', ['a'])).rejects.toThrow('database away')
    isAway = false
    await cache.load('w1', ['a'])
    expect(cache.peek('a')).toBeTruthy()
  })

  it('reports a deleted message, and the reason why one cannot be read', async () => {
    const cache = createCompiledMessageCache({ findContents: () => Promise.resolve([message('b', 'Hi {{')]) })
    await cache.load('w1', ['a', 'b'])
    expect(cache.peek('a')).toBeNull()
    expect(cache.peek('b')).toBeInstanceOf(Error)
  })
})
