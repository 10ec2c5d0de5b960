import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../contract/core/errors.ts'
import { bearerOf } from '../core/request-credentials.ts'
import { isLoopbackRequest } from '../core/loopback-request.ts'

/** Source of the Prometheus metrics and its access token. */
export interface MetricsSource {
  render: () => Promise<string>
  contentType: string
  /** METRICS_TOKEN; null: this machine only. */
  token: string | null
}

/**
 * `GET /metrics`: for who brings METRICS_TOKEN as bearer; without that setting for this machine alone. To all others it
 * does not exist. No operation of the contract: its format is Prometheus's text format.
 */
export function addMetricsRoute(app: FastifyInstance, { render, contentType, token }: MetricsSource): void {
  app.get('/metrics', async (request, reply) => {
    const isAllowed = token === null ? isLoopbackRequest(request) : isSame(bearerOf(request) ?? '', token)
    if (!isAllowed) throw new AppError('not_found')
    return reply
      .type(contentType)
      .header('cache-control', 'no-store')
      .send(await render())
  })
}

/** Compares in constant time. */
function isSame(given: string, wanted: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(wanted))
}
