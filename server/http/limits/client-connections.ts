import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { AppError, errors } from '../../../contract/core/errors.ts'
import { networkOf } from '../../domain/limits/attempt.ts'
import { createClientCounts } from '../../domain/limits/client-limits.ts'

/** Bounds how many HTTP connections one client address holds open. Those of trusted proxies are many clients'. */
export interface ClientConnections {
  /** Takes note of a connection that was just opened. */
  add: (socket: Socket) => void
  /** It is a websocket from now on, and counts elsewhere. */
  release: (socket: Socket) => void
  /** Answers a request of a connection that is one too many with 429, and ends the connection. False for all others. */
  refuse: (request: IncomingMessage, response: ServerResponse) => boolean
}

interface Parts {
  maxCount: number
  isTrustedProxy: (address: string) => boolean
}

/** A connection too many that sends no request is ended after this. */
const refusedIdleMs = 5000
const { status, sentence } = errors.client_connections_exceeded

export function createClientConnections({ maxCount, isTrustedProxy }: Parts): ClientConnections {
  const counts = createClientCounts(maxCount)
  // As many again are answered with a sentence; beyond that answers themselves are a burden.
  const refusedCounts = createClientCounts(maxCount)
  const releases = new WeakMap<Socket, () => void>()
  const refused = new WeakSet<Socket>()

  return {
    add(socket) {
      const address = socket.remoteAddress ?? ''
      if (isTrustedProxy(address)) return
      const client = networkOf(address)
      const release = counts.take(client)
      if (release !== null) {
        releases.set(socket, release)
        socket.once('close', release)
        return
      }
      const releaseRefused = refusedCounts.take(client)
      if (releaseRefused === null) {
        socket.destroy()
        return
      }
      refused.add(socket)
      const ending = setTimeout(() => socket.destroy(), refusedIdleMs).unref()
      socket.once('close', () => {
        clearTimeout(ending)
        releaseRefused()
      })
    },
    release: (socket) => releases.get(socket)?.(),
    refuse({ socket }, response) {
      if (!refused.has(socket)) return false
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close', 'retry-after': '5' })
      response.end(JSON.stringify({ detail: sentence }))
      return true
    },
  }
}

/**
 * The same bound for clients behind a trusted proxy, whose connections we do not see: as many requests of one client
 * address at once.
 */
export function limitProxiedRequests(app: FastifyInstance, { maxCount, isTrustedProxy }: Parts): void {
  const counts = createClientCounts(maxCount)
  app.addHook('onRequest', (request, reply, done) => {
    if (!isTrustedProxy(request.socket.remoteAddress ?? '')) {
      done()
      return
    }
    const release = counts.take(networkOf(request.ip))
    if (release === null) {
      done(new AppError('client_connections_exceeded', { retryAfterMs: refusedIdleMs }))
      return
    }
    reply.raw.once('close', release)
    done()
  })
}
