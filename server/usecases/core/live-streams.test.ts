import { describe, expect, it } from 'vitest'
import { createLiveStreams } from './live-streams.ts'

/** Streams of one value, and the function that reports a change to them. */
function world() {
  let onWorkspace: (workspaceId: string | null) => void = () => undefined
  let listenCount = 0
  const streams = createLiveStreams({
    listen: (given) => {
      onWorkspace = given
      listenCount++
    },
    tickMs: () => performance.now(),
  })
  const source = { value: 1, reads: 0 }
  const open = (workspaceId = 'a') =>
    streams.stream(workspaceId, (shown) => {
      source.reads++
      const version = String(source.value)
      return Promise.resolve({ version, value: version === shown ? null : source.value })
    })
  return { streams, source, open, notify: (id: string | null) => onWorkspace(id), listenCount: () => listenCount }
}

describe('live streams', () => {
  it('give the value, and the next one within the polling interval without a notification', async () => {
    const { source, open } = world()
    const stream = await open()
    expect((await stream.next()).value).toBe(1)
    source.value = 2
    expect((await stream.next()).value).toBe(2)
    await stream.return(undefined)
  })

  it('read at most twice a second, however many notifications arrive', async () => {
    const { streams, source, open, notify } = world()
    const stream = await open()
    await stream.next()
    const pending = stream.next()
    const startedAt = performance.now()
    const timer = setInterval(() => notify('a'), 5)
    await expect.poll(() => source.reads).toBeGreaterThan(4)
    clearInterval(timer)
    const most = 3 + (performance.now() - startedAt) / 500
    expect(source.reads).toBeLessThanOrEqual(most)
    streams.close()
    expect((await pending).done).toBe(true)
  })

  it('share one listener, and end when the server stops', async () => {
    const { streams, open, listenCount } = world()
    const all = await Promise.all([open('a'), open('b'), open('a')])
    await Promise.all(all.map((stream) => stream.next()))
    const ends = Promise.all(all.map((stream) => stream.next()))
    expect(listenCount()).toBe(1)
    streams.close()
    expect((await ends).map(({ done }) => done)).toEqual([true, true, true])
  })
})
