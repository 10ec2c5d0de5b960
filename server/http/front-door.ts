import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errors } from '../../contract/errors.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** The listening socket: open from the first moment, so that a taken port is known at once and `/health` answers early. */
export interface FrontDoor {
  port: number
  /** Lets requests in. */
  open: (handle: Handle) => void
  /** Refuses new requests and waits, at most `graceMs`, for those inside. */
  close: (graceMs: number) => Promise<void>
}

const noAnswer = JSON.stringify({ detail: errors.unavailable.sentence })
const alive = JSON.stringify({ status: 'ok' })

/** Listens. Rejects with Node's error where the port is taken or not allowed. */
export async function openFrontDoor(at: { host: string; port: number }): Promise<FrontDoor> {
  let state: 'starting' | 'open' | 'closing' = 'starting'
  let handle: Handle = refuse
  let insideCount = 0
  let onEmpty: (() => void) | undefined

  const server = createServer((request, response) => {
    if (state !== 'open') {
      refuse(request, response)
      return
    }
    insideCount++
    response.once('close', () => {
      insideCount--
      if (insideCount === 0) onEmpty?.()
    })
    handle(request, response)
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
    open(next) {
      handle = next
      state = 'open'
    },
    async close(graceMs) {
      state = 'closing'
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      if (insideCount > 0) {
        const timer = Promise.withResolvers<undefined>()
        const timeout = setTimeout(() => timer.resolve(undefined), graceMs)
        await Promise.race([new Promise<void>((resolve) => (onEmpty = resolve)), timer.promise])
        clearTimeout(timeout)
      }
      server.closeAllConnections()
      await closed
    },
  }
}

function readiness(state: 'starting' | 'open' | 'closing') {
  return { status: state === 'closing' ? 'stopping' : 'starting', database: false, sender: false }
}
