import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { WebSocket, type ClientOptions } from 'ws'
import type { RealtimeMessage } from '../../contract/hosted/realtime.ts'
import { formatToken, hashToken } from '../../server/domain/auth/token.ts'
import type { TestServer } from './server.ts'

/** An API key as an operator creates it. */
export async function makeHostedKey(
  { sql }: Pick<TestServer, 'sql'>,
  kind: 'read' | 'write',
  collections: string[] | null = null,
): Promise<{ id: string; key: string }> {
  const id = randomUUID()
  const key = formatToken(kind === 'read' ? 'hosted_read' : 'hosted_write', randomBytes(32))
  await sql('insert into hosted_keys (id, name, kind, key_hash, collections) values ($1, $2, $3, $4, $5)', [
    id,
    'test',
    kind,
    hashToken(key),
    collections,
  ])
  return { id, key }
}

/** A websocket of a collection. Terminated by `await using`. */
export interface RealtimeSocket extends AsyncDisposable {
  socket: WebSocket
  /** All messages received, in order; without the signs of life, which come by the clock. */
  messages: RealtimeMessage[]
  /** Waits for this number of messages and returns them. */
  received: (count: number) => Promise<RealtimeMessage[]>
  /** Resolves with the close code. */
  closed: Promise<number>
}

interface Options extends Omit<ClientOptions, 'key'> {
  /** Sent as the first message; null sends nothing. */
  key?: string | null
  lastId?: number
}

/** Connects to a collection and sends the key. */
export async function openRealtime(
  url: string,
  collection: string,
  { key = null, lastId, ...options }: Options,
): Promise<RealtimeSocket> {
  const query = lastId === undefined ? '' : `?last_id=${lastId}`
  const address = `${url.replace(/^http/, 'ws')}/realtime/collections/${collection}${query}`
  const socket = new WebSocket(address, { perMessageDeflate: false, ...options })
  const messages: RealtimeMessage[] = []
  let wake = Promise.withResolvers<undefined>()
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as RealtimeMessage
    if (message.type === 'alive') return
    messages.push(message)
    wake.resolve(undefined)
    wake = Promise.withResolvers<undefined>()
  })
  socket.on('error', () => {}) // The close event reports it.
  await once(socket, 'open')
  if (key !== null) socket.send(key)
  return {
    socket,
    messages,
    closed,
    async received(count) {
      while (messages.length < count) {
        const code = await Promise.race([wake.promise, closed])
        if (code !== undefined) throw new Error(`Closed with ${code} after ${messages.length} of ${count} messages`)
      }
      return messages
    },
    async [Symbol.asyncDispose]() {
      socket.terminate()
      await closed
    },
  }
}
