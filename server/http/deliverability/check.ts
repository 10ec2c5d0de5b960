import * as contract from '../../../contract/checks/deliverability.ts'
import type { createCheckService, FinishedCheck } from '../../usecases/deliverability/check-service.ts'
import type { createSelfTest } from '../../usecases/deliverability/self-test.ts'
import type { AddRoute } from '../core/route.ts'

/** `/email/deliverability`. */
export function addCheckRoutes(
  add: AddRoute,
  checks: ReturnType<typeof createCheckService>,
  startSelfTest: ReturnType<typeof createSelfTest>,
): void {
  add(contract.startDeliverabilityCheck, async ({ body, scope }) => {
    const { config_id: mailboxId, subject, body: html, context = {}, kind = 'transactional' } = body
    return toCheck(await checks.startCheck(scope, { mailboxId, subject, body: html, context, kind }))
  })
  add(contract.startSelfTest, ({ body, scope }) => {
    const { config_id: mailboxId, subject, body: content, context = {} } = body
    return startSelfTest(scope, { mailboxId, subject, content, context })
  })
  add(contract.getDeliverabilityCheck, async ({ params, scope }) => toCheck(await checks.getCheck(scope, params.id)))
}

const toCheck = ({ id, contentHash, score, parts, finishedAt }: FinishedCheck): contract.DeliverabilityCheck => ({
  id,
  content_hash: contentHash.toString('hex'),
  score,
  parts,
  finished_at: finishedAt.toISOString(),
})
