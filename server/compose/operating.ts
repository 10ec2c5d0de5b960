import type { Readiness } from '../../contract/core/health.ts'
import { addHealthRoutes } from '../http/operating/health.ts'
import { addMetricsRoute } from '../http/operating/metrics.ts'
import { createIdempotencyKeys } from '../store/core/idempotency-key.ts'
import { createRunIdempotently } from '../usecases/core/run-idempotently.ts'
import { hourMs, secondMs, type Noun, type Parts } from './core/parts.ts'

const idempotencyKeys = ({ database, vault }: Parts) => createIdempotencyKeys(database.pool, vault)

/** Runs a call once per Idempotency-Key. */
export const runIdempotently = ({ newId, resolve }: Parts) =>
  createRunIdempotently({ keys: resolve(idempotencyKeys), newId })

export const operating: Noun = {
  addRoutes(add, { database, isSenderReady, metrics, publicUrl, settings, version }, app) {
    const isReachable = () =>
      database.pool.query('select 1').then(
        () => true,
        () => false, // Only the result matters; the log has the reason.
      )
    const checkReadiness = async () => readiness(await isReachable(), isSenderReady())
    addHealthRoutes(add, { checkReadiness, version, publicUrl })
    addMetricsRoute(app, { ...metrics, token: settings.metricsToken })
  },
  maintenance({ clock, resolve }, system) {
    const keys = resolve(idempotencyKeys)
    return [
      { intervalMs: secondMs, run: () => clock.correct() },
      { intervalMs: hourMs, run: async () => ((await clock.correct()) ? keys.prune(system) : undefined) },
    ]
  },
}

function readiness(database: boolean, sender: boolean): Readiness {
  return { status: database && sender ? 'ready' : 'starting', database, sender }
}
