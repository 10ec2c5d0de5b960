import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { errors } from '../../../contract/core/errors.ts'
import type { ClientConnections } from '../limits/client-connections.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** Who takes requests that want another protocol; those that are not wanted are answered like any other. */
interface Upgrades {
  isWanted: (request: IncomingMessage) => boolean
  handle: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

/** The listening socket: open from the first moment, so that a taken port is known at once and `/health` answers early. */
export interface HttpListener {
  port: number
  /** Lets requests in. */
  serve: (handle: Handle, upgrades: Upgrades) => void
  /** Answers new requests with 503 from now on, and waits, at most `graceMs`, for those inside. */
  drain: (graceMs: number) => Promise<void>
  /** Stops listening and ends what is still connected. */
  close: () => Promise<void>
}

const noAnswer = JSON.stringify({ detail: errors.unavailable.sentence })
const alive = JSON.stringify({ status: 'ok' })

/** Listens. Rejects with Node's error where the port is taken or not allowed. */
export async function listen(
  at: { host: string; port: number },
  connections: ClientConnections,
): Promise<HttpListener> {
  let state: 'starting' | 'open' | 'closing' = 'starting'
  let handle: Handle = refuse
  let upgrades: Upgrades | null = null
  let activeCount = 0
  let onEmpty: (() => void) | undefined

  const isUpgrade = (request: IncomingMessage) => state === 'open' && upgrades?.isWanted(request) === true
  const server = createServer({ shouldUpgradeCallback: isUpgrade }, (request, response) => {
    if (connections.refuse(request, response)) return
    if (state !== 'open') {
      refuse(request, response)
      return
    }
    activeCount++
    response.once('close', () => {
      activeCount--
      if (activeCount === 0) onEmpty?.()
    })
    handle(request, response)
  })
  server.on('connection', (socket) => connections.add(socket))
  server.on('upgrade', (request, socket, head) => {
    connections.release(request.socket)
    upgrades?.handle(request, socket, head)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(at.port, at.host, () => {
      server.off('error', reject)
      resolve()
    })
  })

  function refuse(request: IncomingMessage, response: ServerResponse): void {
    const isHealth = request.url === '/health'
    const status = isHealth ? 200 : errors.unavailable.status
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close', 'retry-after': '1' })
    if (isHealth) response.end(alive)
    else response.end(request.url === '/ready' ? JSON.stringify(readiness(state)) : noAnswer)
  }

  return {
    port: (server.address() as AddressInfo).port,
    serve(next, nextUpgrades) {
      handle = next
      upgrades = nextUpgrades
      state = 'open'
    },
    async drain(graceMs) {
      state = 'closing'
      if (activeCount === 0) return
      const { promise, resolve } = Promise.withResolvers<undefined>()
      const timeout = setTimeout(() => resolve(undefined), graceMs)
      onEmpty = () => resolve(undefined)
      await promise
      clearTimeout(timeout)
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

function readiness(state: 'starting' | 'open' | 'closing') {
  return { status: state === 'closing' ? 'stopping' : 'starting', database: false, sender: false }
}
