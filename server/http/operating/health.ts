import * as contract from '../../../contract/core/health.ts'
import { errors } from '../../../contract/core/errors.ts'
import { operations } from '../../../contract/core/operations.ts'
import { describeOperations } from '../core/openapi.ts'
import type { AddRoute } from '../core/route.ts'

/** Health of the server. */
export interface Health {
  checkReadiness: () => Promise<contract.Readiness>
  version: string
  publicUrl: string
}

/** `/health`, `/ready` and the description of all calls. */
export function addHealthRoutes(add: AddRoute, health: Health): void {
  const description = describeOperations(operations, { version: health.version, url: health.publicUrl })

  add(contract.getHealth, () => Promise.resolve({ status: 'ok' as const }))

  add(contract.getReadiness, async ({ reply }) => {
    const readiness = await health.checkReadiness()
    if (readiness.status !== 'ready') void reply.status(errors.unavailable.status)
    return readiness
  })

  add(contract.getOpenApi, () => Promise.resolve(description))
}
