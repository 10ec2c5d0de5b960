import { authorize, authorizeAll } from '../domain/auth/authorize.ts'
import { isDatabaseUnavailable } from '../domain/core/database-unavailable.ts'
import { consumers } from '../store/events/consumers/all.ts'
import { createEventRetentionStore } from '../store/events/event-retention.ts'
import { createDigestStore } from '../store/events/digest.ts'
import { createDigestLeaseStore } from '../store/events/digest-lease.ts'
import { classifier } from '../tracking/classify.ts'
import { createDigestRunner } from '../usecases/digest/digest-runner.ts'
import { logFailure } from './core/log-failure.ts'
import { hourMs, type Noun, type Parts } from './core/parts.ts'

const task = { kind: 'system', task: 'digest' } as const

/**
 * Digests the events of all workspaces; returns the function that stops it. `minAgeMs`: only those that no other process has
 * digested for so long.
 */
export function startDigests({ database, log, newId }: Parts, { minAgeMs = 0 } = {}): () => Promise<void> {
  const leases = createDigestLeaseStore(database)
  const runner = createDigestRunner({
    digests: createDigestStore(database, { classifier, consumers }),
    leases,
    listWaiting: () => leases.listWaiting(authorizeAll(task), minAgeMs),
    scopeOf: (workspaceId) => authorize(task, 'messages:read', workspaceId),
    holder: newId(),
    newId,
    onParked: (workspaceId, error) =>
      log.error({ err: error, workspaceId }, 'An event could not be digested; it was set aside'),
    onError: logFailure(log, 'Events could not be digested'),
    isUnavailable: isDatabaseUnavailable,
  })
  runner.start()
  return () => runner.close()
}

export const events: Noun = {
  maintenance({ database }, system) {
    const retention = createEventRetentionStore(database)
    return [
      {
        intervalMs: hourMs,
        async run() {
          await retention.dropMonths(system)
          for (const { workspaceId, months } of await retention.listShorter(system)) {
            const scope = authorize(task, 'messages:read', workspaceId)
            while (await retention.deleteOld(scope, months)) continue
          }
        },
      },
    ]
  },
  addRoutes: (_add, parts) => parts.onStop(startDigests(parts)),
}
