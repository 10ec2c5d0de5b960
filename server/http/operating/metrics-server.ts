import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { AppError } from '../../../contract/core/errors.ts'
import { answerError } from '../core/errors.ts'
import { addMetricsRoute, type MetricsSource } from './metrics.ts'

/** Serves `GET /metrics`, and nothing else, for a process that has no other HTTP. Rejects where it cannot listen. */
export async function startMetricsServer(
  { host, port }: { host: string; port: number },
  source: MetricsSource,
): Promise<{ port: number; close: () => Promise<void> }> {
  const app = fastify({ logger: false, forceCloseConnections: true })
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(() => {
    throw new AppError('not_found')
  })
  addMetricsRoute(app, source)
  await app.listen({ host, port })
  return { port: (app.server.address() as AddressInfo).port, close: () => app.close() }
}
