import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

const forwardedHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/** Whether a request was made on this machine, for this machine: a proxy in front, or a rebound name, makes it a stranger's. */
export function isLoopbackRequest(request: FastifyRequest): boolean {
  if (forwardedHeaders.some((name) => request.headers[name] !== undefined)) return false
  const name = URL.parse(`http://${request.headers.host ?? ''}`)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return isLoopbackAddress(request.socket.remoteAddress ?? '') && (name === 'localhost' || isLoopbackAddress(name))
}

function isLoopbackAddress(text: string): boolean {
  const address = text.replace(/^::ffff:/, '')
  return isIP(address) !== 0 && (address === '::1' || address.startsWith('127.'))
}
