import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createReader, type Reader } from './realtime-reader.ts'

let listening: WebSocketServer
let url: string

beforeAll(async () => {
  listening = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  await once(listening, 'listening')
  url = `ws://127.0.0.1:${(listening.address() as AddressInfo).port}`
})
afterAll(() => new Promise((done) => listening.close(done)))

/** Both ends of a websocket; the remote one is terminated by `await using`. */
async function connect(): Promise<{ reader: Reader; far: WebSocket } & AsyncDisposable> {
  const accepted = new Promise<Reader>((resolve) => {
    listening.once('connection', (socket) => resolve(createReader(socket)))
  })
  const far = new WebSocket(url, { perMessageDeflate: false })
  await once(far, 'open')
  const reader = await accepted
  return {
    reader,
    far,
    [Symbol.asyncDispose]: async () => {
      far.terminate()
      await reader.closed
    },
  }
}

const megabyte = Buffer.alloc(1024 * 1024, 'x')

describe('a websocket whose client does not read', () => {
  it('is closed with four megabytes pending, and no message is queued for it any more', async () => {
    await using both = await connect()
    both.far.pause()
    for (let sent = 0; sent < 40; sent++) both.reader.send(megabyte)
    expect(await both.reader.closed).toBe(1006)
    expect(both.reader.isBehind()).toBe(false)
  })

  it('is closed as well when it only requests pongs', async () => {
    await using both = await connect()
    both.far.pause()
    const ping = Buffer.alloc(125)
    const asking = setInterval(() => {
      for (let count = 0; count < 10_000 && both.far.readyState === both.far.OPEN; count++) both.far.ping(ping)
    }, 1)
    expect(await both.reader.closed).toBe(1006)
    clearInterval(asking)
  })

  it('is closed when it has not answered before the next ping', async () => {
    await using both = await connect()
    both.far.pause()
    both.reader.ping()
    both.reader.ping()
    expect(await both.reader.closed).toBe(1006)
  })
})

describe('a websocket whose client reads', () => {
  it('is behind while much is pending, and catches up once it has been sent', async () => {
    await using both = await connect()
    both.far.pause()
    for (let sent = 0; sent < 3; sent++) both.reader.send(megabyte)
    const drained = both.reader.drained()
    both.far.resume()
    await drained
    expect(both.reader.isBehind()).toBe(false)
  })

  it('stays open as long as it answers pings', async () => {
    await using both = await connect()
    for (let pingCount = 0; pingCount < 3; pingCount++) {
      const answered = once(both.far, 'ping')
      both.reader.ping()
      await answered
      // The pong is in flight: messages sent after it arrive after it.
      const arrived = new Promise<string>((resolve) => both.reader.onFirstMessage(resolve))
      both.far.send(`after ${pingCount}`)
      await arrived
    }
    expect(both.far.readyState).toBe(both.far.OPEN)
  })

  it('receives the reason of its closing', async () => {
    await using both = await connect()
    const closed = once(both.far, 'close') as Promise<[number]>
    both.reader.close(4403)
    expect((await closed)[0]).toBe(4403)
    expect(await both.reader.closed).toBe(4403)
  })
})
