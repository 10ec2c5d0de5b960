import { describe, expect, it } from 'vitest'
import type { MessageContent } from '../../domain/messages/delivery.ts'
import { messageContent } from '../../../tests/support/message-content.ts'
import { createCompiledMessageCache } from './compiled-message-cache.ts'

const message = (id: string, content = 'x'.repeat(1000)): MessageContent =>
  messageContent({ id, content, isHtml: false })

/** A store that has every message that is asked for, and remembers what it was asked. */
function storeOfAll() {
  const asked: string[] = []
  const findContents = (_workspaceId: string, ids: readonly string[]) => {
    asked.push(...ids)
    return Promise.resolve(ids.map((id) => message(id)))
  }
  return { asked, findContents }
}

describe('the template cache', () => {
  it('reads a message once for all its recipients, and several at a time', async () => {
    const { asked, findContents } = storeOfAll()
    const cache = createCompiledMessageCache({ findContents })
    expect(cache.peek('a')).toBeUndefined()
    await cache.load('w1', ['a', 'b'])
    const template = cache.peek('a')
    expect(template).toMatchObject({ fromAddress: 'ann@example.com' })
    await cache.load('w1', ['a', 'b'])
    expect(cache.peek('a')).toBe(template)
    expect(asked).toEqual(['a', 'b'])
  })

  it('drops what was not used for longest once it holds too much', async () => {
    const { asked, findContents } = storeOfAll()
    const cache = createCompiledMessageCache({ findContents }, {}, null, 10_000)
    for (const id of ['a', 'b', 'a', 'c', 'a', 'b']) {
      await cache.load('w1', [id])
      expect(cache.peek(id)).toMatchObject({ fromAddress: 'ann@example.com' })
    }
    expect(asked).toEqual(['a', 'b', 'c', 'b'])
  })

  it('keeps at least what is needed first, however little room there is', async () => {
    const { findContents } = storeOfAll()
    const cache = createCompiledMessageCache({ findContents }, {}, null, 1)
    await cache.load('w1', ['a', 'b', 'c'])
    expect([cache.peek('a'), cache.peek('b'), cache.peek('c')].map((found) => found !== undefined)).toEqual([
      true,
      false,
      false,
    ])
  })

  it('does not keep a failure', async () => {
    let isAway = true
    const findContents = (_workspaceId: string, ids: readonly string[]) =>
      isAway ? Promise.reject(new Error('database away')) : Promise.resolve(ids.map((id) => message(id)))
    const cache = createCompiledMessageCache({ findContents })
    await expect(cache.load('w1', ['a'])).rejects.toThrow('database away')
    isAway = false
    await cache.load('w1', ['a'])
    expect(cache.peek('a')).toBeTruthy()
  })

  it('says that a message is gone, and why one cannot be read', async () => {
    const cache = createCompiledMessageCache({ findContents: () => Promise.resolve([message('b', 'Hi {{')]) })
    await cache.load('w1', ['a', 'b'])
    expect(cache.peek('a')).toBeNull()
    expect(cache.peek('b')).toBeInstanceOf(Error)
  })
})
