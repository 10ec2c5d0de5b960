import { describe, expect, it } from 'vitest'
import type { MessageContent } from '../domain/delivery.ts'
import { messageContent } from '../../tests/support/message-content.ts'
import { createTemplateCache } from './template-cache.ts'

const message = (id: string, content = 'x'.repeat(1000)): MessageContent =>
  messageContent({ id, content, isHtml: false })

describe('the template cache', () => {
  it('reads a message once for all its recipients, also when they ask at the same time', async () => {
    const asked: string[] = []
    const cache = createTemplateCache({
      findContent: (id) => {
        asked.push(id)
        return Promise.resolve(message(id))
      },
    })
    const templates = await Promise.all([cache.get('a'), cache.get('a'), cache.get('b')])
    expect(await cache.get('a')).toBe(templates[0])
    expect(asked).toEqual(['a', 'b'])
  })

  it('drops what was not used for longest once it holds too much', async () => {
    const asked: string[] = []
    const findContent = (id: string) => {
      asked.push(id)
      return Promise.resolve(message(id))
    }
    const cache = createTemplateCache({ findContent }, {}, 10_000)
    for (const id of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.get(id)
    expect(asked).toEqual(['a', 'b', 'c', 'b'])
  })

  it('does not keep a failure', async () => {
    let isAway = true
    const findContent = (id: string) =>
      isAway ? Promise.reject(new Error('database away')) : Promise.resolve(message(id))
    const cache = createTemplateCache({ findContent })
    await expect(cache.get('a')).rejects.toThrow('database away')
    isAway = false
    expect(await cache.get('a')).not.toBeNull()
  })

  it('says that a message is gone', async () => {
    expect(await createTemplateCache({ findContent: () => Promise.resolve(null) }).get('a')).toBeNull()
  })
})
