import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { makeHostedKey, openRealtime, type RealtimeSocket } from '../../../tests/support/hosted.ts'
import { createUser } from '../../../tests/support/accounts.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { clientLimits } from '../../domain/limits/client-limits.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

async function start(...given: Parameters<typeof startTestServer>): Promise<TestServer> {
  const server = await startTestServer(...given)
  undo.push(() => server[Symbol.asyncDispose]())
  return server
}

/** An open connection, from an address of this machine. */
async function open({ url }: TestServer, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), localAddress })
  undo.push(() => socket.destroy())
  socket.on('error', () => undefined) // The close event reports it.
  await once(socket, 'connect')
  return socket
}

const health = 'GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n'
/** The first chunk of the response. */
async function answerTo(socket: Socket, request: string): Promise<string> {
  socket.write(request)
  const [piece] = (await once(socket, 'data')) as [Buffer]
  return piece.toString()
}

describe('websockets without a key', () => {
  it('TRIAL-42 the 21st of one client address is closed with code 4429, other clients and valid keys are served', async () => {
    const server = await start({ TRUSTED_PROXIES: '127.0.0.1, ::1' })
    const { key } = await makeHostedKey(server, 'read', ['news'])
    const connectAs = async (address: string, withKey: string | null = null): Promise<RealtimeSocket> => {
      const socket = await openRealtime(server.url, 'news', { key: withKey, headers: { 'x-forwarded-for': address } })
      undo.push(() => socket[Symbol.asyncDispose]())
      return socket
    }
    // One with a valid key does not count.
    await (await connectAs('203.0.113.1', key)).received(1)
    const silent = await Promise.all(Array.from({ length: 20 }, () => connectAs('203.0.113.1')))
    expect(await (await connectAs('203.0.113.1', key)).closed).toBe(4429)
    await (await connectAs('203.0.113.2', key)).received(1)
    silent[0]!.socket.send(key)
    await silent[0]!.received(1)
    await (await connectAs('203.0.113.1', key)).received(1)
    expect(silent.every(({ socket }) => socket.readyState === socket.OPEN)).toBe(true)
  })
})

describe('HTTP connections', () => {
  it('TRIAL-43 the 201st open one of one client address is answered with 429 client_connections_exceeded', async () => {
    const server = await start()
    const sockets: Socket[] = []
    for (let count = 0; count < 200; count++) sockets.push(await open(server))
    expect(await answerTo(sockets[199]!, health)).toMatch(/^HTTP\/1\.1 200 /)

    const last = await open(server)
    last.write(health)
    const refused = await text(last)
    expect(refused).toMatch(/^HTTP\/1\.1 429 /)
    expect(refused).toContain('Too many connections from your address. Close some, or reuse them.')
    expect(await answerTo(await open(server, '127.0.0.2'), health)).toMatch(/^HTTP\/1\.1 200 /)

    sockets[0]!.destroy()
    await expect.poll(async () => answerTo(await open(server), health)).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('of a trusted proxy are counted per client: each client behind it has the same number of concurrent requests', async () => {
    const server = await start({ TRUSTED_PROXIES: '127.0.0.1' }, { clientLimits: { connectionsMaxCount: 3 } })
    const waiting = (address: string) =>
      `POST /auth/login HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${address}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`
    const sockets = [await open(server), await open(server), await open(server)]
    for (const socket of sockets) socket.write(waiting('203.0.113.1'))
    await expect
      .poll(async () =>
        answerTo(await open(server), health.replace('\r\n\r\n', '\r\nx-forwarded-for: 203.0.113.1\r\n\r\n')),
      )
      .toMatch(/^HTTP\/1\.1 429 /)
    const other = health.replace('\r\n\r\n', '\r\nx-forwarded-for: 203.0.113.2\r\n\r\n')
    expect(await answerTo(await open(server), other)).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('a body', () => {
  const bodyWindowMs = 500
  const head = (path: string, headers: string) =>
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}content-length: 100000\r\n\r\n`
  const json = 'content-type: application/json\r\n'
  /** Writes a chunk 20 times a second until the connection ends or the total was written, and returns the response. */
  async function drip(socket: Socket, piece: string, maxBytes = Infinity): Promise<string> {
    let sent = 0
    const dripping = setInterval(() => {
      if (sent >= maxBytes) return
      socket.write(piece)
      sent += piece.length
    }, 50)
    undo.push(() => clearInterval(dripping))
    // The connection may end by a reset: chunks are in flight when the server closes it.
    let answer = ''
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    // Not `once` of node:events, which rejects when the connection is reset.
    await new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve))
    return answer
  }

  it('TRIAL-44 that arrives at less than 1 kB/s is cut after 30 s with 408 request_too_slow', async () => {
    expect(clientLimits).toMatchObject({ bodyWindowMs: 30_000, bodyMinBytesPerSecond: 1000 })
    const server = await start({}, { clientLimits: { bodyWindowMs } })
    const { token } = await createUser(server)
    const csv = `content-type: text/csv\r\nauthorization: Bearer ${token}\r\n`
    for (const request of [head('/auth/login', json), head('/email/suppressions/import', csv)]) {
      const socket = await open(server)
      socket.write(request)
      const startMs = performance.now()
      const answer = await drip(socket, 'x')
      expect(answer).toMatch(/^HTTP\/1\.1 408 /)
      expect(answer).toContain('The body arrived too slowly: send at least 1 kB a second.')
      expect(performance.now() - startMs).toBeGreaterThanOrEqual(bodyWindowMs * 0.9)
    }
  })

  it('at 1 kB/s is accepted, at any duration', async () => {
    const server = await start({}, { clientLimits: { bodyWindowMs } })
    const socket = await open(server)
    const length = 4000
    socket.write(
      head('/auth/login', json).replace('100000', `${length}`).replace('host:', 'connection: close\r\nhost:'),
    )
    const startMs = performance.now()
    const answer = await drip(socket, 'x'.repeat(100), length)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(performance.now() - startMs).toBeGreaterThan(2 * bodyWindowMs)
  })
})
