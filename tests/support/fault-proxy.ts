import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** The faults of one connection. */
export interface Fault {
  /** Delay of each chunk, in both directions. */
  delayMs?: number
  /** Split into chunks of this many bytes. */
  pieceBytes?: number
  /** After this many bytes from the client the connection ends: reset, or closed on the server's side only. */
  after?: { clientBytes: number; how: 'reset' | 'half-close' }
  /** Called with each chunk from the client. */
  onClientData?: (chunk: Buffer) => void
}

export interface FaultProxy extends AsyncDisposable {
  port: number
}

/** A TCP proxy that applies `faultOf` to each connection. */
export async function startFaultProxy(targetPort: number, faultOf: (nth: number) => Fault): Promise<FaultProxy> {
  const sockets = new Set<Socket>()
  let count = 0
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const fault = faultOf(count++)
    const upstream = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    let clientBytes = 0
    pass(client, upstream, fault, (chunk) => {
      fault.onClientData?.(chunk)
      clientBytes += chunk.length
      if (!fault.after || clientBytes < fault.after.clientBytes) return
      if (fault.after.how === 'half-close') client.end()
      else client.resetAndDestroy()
    })
    pass(upstream, client, fault, () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function pass(from: Socket, to: Socket, { delayMs = 0, pieceBytes }: Fault, onPassed: (chunk: Buffer) => void): void {
  const send = (chunk: Buffer) => {
    const size = pieceBytes ?? chunk.length
    for (let at = 0; at < chunk.length && to.writable; at += size) to.write(chunk.subarray(at, at + size))
    onPassed(chunk)
  }
  from.on('data', (chunk: Buffer) => {
    if (delayMs > 0) setTimeout(() => send(chunk), delayMs)
    else send(chunk)
  })
  from.on('end', () => {
    if (delayMs > 0) setTimeout(() => to.end(), delayMs)
    else to.end()
  })
}
