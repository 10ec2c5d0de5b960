import { beforeEach, describe, expect, it } from 'vitest'
import type { Change } from '../../domain/auth/hosted.ts'
import { createCollectionFeed, type CollectionFeed, type Watcher } from './watch-collection.ts'

/** Change numbers of a collection, as in a database. */
let committed: number[]
let kept: number
let isDown: boolean
let warnings: string[]
let readCount: number
let feed: CollectionFeed

const change = (id: number): Change => ({ id, kind: 'deleted', document: { id: `d${id}` } })
const lastId = () => committed.at(-1) ?? 0
const answer = async <T>(value: () => T): Promise<T> => {
  await Promise.resolve()
  if (isDown) throw new Error('down')
  return value()
}

beforeEach(() => {
  committed = []
  kept = 0
  isDown = false
  warnings = []
  readCount = 0
  feed = createCollectionFeed({
    changes: {
      lastId: () => answer(lastId),
      read: (_collection, afterId, { count }) =>
        answer(() => {
          readCount++
          if (afterId < kept || afterId > lastId()) return { status: 'gap', lastId: lastId() }
          return {
            status: 'read',
            changes: committed
              .filter((id) => id > afterId)
              .slice(0, count)
              .map(change),
          }
        }),
    },
    log: { warn: (_fields, message) => warnings.push(message) },
  })
})

/** A watcher that records its messages; it accepts more at once only while `gate` is open. */
function watcher(gate: Promise<unknown> = Promise.resolve()) {
  const reported: string[] = []
  const ports: Watcher = {
    ready: (id) => reported.push(`ready ${id}`),
    deliver: ({ id }) => reported.push(String(id)),
    reload: (id) => reported.push(`reload ${id}`),
    drained: () => gate.then(() => undefined),
    broken: () => reported.push('broken'),
  }
  return { reported, ports }
}
function commit(count = 1): void {
  for (let at = 0; at < count; at++) committed.push(lastId() + 1)
  feed.wake('news')
}

describe('watchers of a collection', () => {
  it('share one read of each change, at any number', async () => {
    const all = Array.from({ length: 50 }, () => watcher())
    for (const { ports } of all) await feed.watch('news', null, ports)
    commit()
    await expect.poll(() => all.at(-1)!.reported).toEqual(['ready 0', '1'])
    expect(all.every(({ reported }) => reported.length === 2)).toBe(true)
    expect(readCount).toBeLessThanOrEqual(2)
  })

  it('receive nothing after they have left, and nothing is read without watchers', async () => {
    const one = watcher()
    const leave = await feed.watch('news', null, one.ports)
    leave()
    commit()
    feed.wake(null)
    await Promise.resolve()
    expect([one.reported, readCount]).toEqual([['ready 0'], 0])
  })

  it('that resume far behind, and slowly, delay no other and miss nothing', async () => {
    committed = Array.from({ length: 500 }, (_, at) => at + 1)
    const gate = Promise.withResolvers<undefined>()
    const slow = watcher(gate.promise)
    const live = watcher()
    await feed.watch('news', 0, slow.ports)
    await feed.watch('news', null, live.ports)
    commit(3)
    await expect.poll(() => live.reported).toEqual(['ready 500', '501', '502', '503'])
    expect(slow.reported.length).toBeLessThan(300)
    gate.resolve(undefined)
    await expect.poll(() => slow.reported).toHaveLength(504)
    expect(slow.reported.slice(1)).toEqual(committed.map(String))
    commit()
    await expect.poll(() => slow.reported.at(-1)).toBe('504')
    expect(slow.reported).toHaveLength(505)
  })

  it('must list again when their missed changes are deleted, live ones too', async () => {
    committed = [1, 2, 3]
    const late = watcher()
    const live = watcher()
    await feed.watch('news', null, live.ports)
    kept = 9
    committed = [10, 11]
    await feed.watch('news', 1, late.ports)
    feed.wake('news')
    await expect.poll(() => live.reported).toEqual(['ready 3', 'reload 11'])
    await expect.poll(() => late.reported).toEqual(['ready 1', 'reload 11'])
    commit()
    await expect.poll(() => [live.reported.at(-1), late.reported.at(-1)]).toEqual(['12', '12'])
  })
})

describe('during a database outage', () => {
  it('no watcher is added, and the next one is once it responds again', async () => {
    isDown = true
    await expect(feed.watch('news', null, watcher().ports)).rejects.toThrow('down')
    isDown = false
    committed = [1]
    const one = watcher()
    await feed.watch('news', null, one.ports)
    expect(one.reported).toEqual(['ready 1'])
  })

  it('live ones wait, and receive everything at the next read', async () => {
    const one = watcher()
    await feed.watch('news', null, one.ports)
    isDown = true
    commit(2)
    await expect.poll(() => warnings).toEqual(['Changes could not be read: trying again soon'])
    isDown = false
    feed.wake(null)
    await expect.poll(() => one.reported).toEqual(['ready 0', '1', '2'])
  })

  it('resuming ones receive an error, because only they know their position', async () => {
    const one = watcher()
    await feed.watch('news', null, watcher().ports)
    committed = [1, 2]
    const watching = feed.watch('news', 0, one.ports)
    isDown = true
    await watching
    await expect.poll(() => one.reported).toEqual(['ready 0', 'broken'])
  })
})
