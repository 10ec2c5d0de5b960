import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { errors } from '../../../contract/core/errors.ts'
import type { ClientLimits } from '../../domain/limits/client-limits.ts'

/** Checks of a body per window. */
const looksPerWindow = 10
const { status, sentence } = errors.request_too_slow

interface Arriving {
  response: ServerResponse
  /** What the connection had brought at the beginning of the window, and when that was. */
  bytes: number
  sinceMs: number
}

/**
 * Ends requests whose body arrives slower than so many bytes a second over a whole window, with 408: each holds a
 * connection and its memory. A body that waits for us is not slow. Ends with the app.
 */
export function cutSlowBodies(
  app: FastifyInstance,
  { bodyWindowMs, bodyMinBytesPerSecond }: Pick<ClientLimits, 'bodyWindowMs' | 'bodyMinBytesPerSecond'>,
): void {
  const arriving = new Map<IncomingMessage, Arriving>()
  const minBytes = (bodyMinBytesPerSecond * bodyWindowMs) / 1000

  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    if (hasBody(raw)) {
      arriving.set(raw, { response: reply.raw, bytes: raw.socket.bytesRead, sinceMs: performance.now() })
      raw.once('close', () => arriving.delete(raw))
    }
    done()
  })

  const looking = setInterval(() => {
    const nowMs = performance.now()
    for (const [request, one] of arriving) {
      if (request.complete) arriving.delete(request)
      else if (nowMs - one.sinceMs >= bodyWindowMs) {
        const bytes = request.socket.bytesRead
        if (bytes - one.bytes < minBytes && request.readableLength === 0) {
          arriving.delete(request)
          cut(request, one.response)
        } else Object.assign(one, { bytes, sinceMs: nowMs })
      }
    }
  }, bodyWindowMs / looksPerWindow).unref()
  app.addHook('onClose', (_app, done) => {
    clearInterval(looking)
    done()
  })
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Answers while the route still waits for the body; closing the connection ends the route's wait. */
function cut(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) {
    request.destroy()
    return
  }
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', connection: 'close' })
  response.end(JSON.stringify({ detail: sentence }), () => request.destroy())
}
