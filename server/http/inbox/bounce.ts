import * as contract from '../../../contract/inbox/bounce.ts'
import type { createBounceService, FoundBounce } from '../../usecases/inbox/bounce-service.ts'
import type { AddRoute } from '../core/route.ts'

/** `/email/messages/{id}/bounces` and those of a campaign's recipient. */
export function addBounceRoutes(add: AddRoute, useCases: ReturnType<typeof createBounceService>): void {
  add(contract.listBounces, async ({ params, scope }) => (await useCases.listBounces(scope, params.id)).map(toBounce))

  add(contract.listCampaignBounces, async ({ params, scope }) =>
    (await useCases.listCampaignBounces(scope, params.id, params.delivery_id)).map(toBounce),
  )
}

function toBounce(bounce: FoundBounce): contract.Bounce {
  const { suppressionId, suppressionReason } = bounce
  return {
    delivery_id: String(bounce.deliveryId),
    recipient: bounce.recipient,
    kind: bounce.kind,
    at: bounce.at.toISOString(),
    reason: bounce.reason,
    action: bounce.action,
    words: bounce.words,
    status: bounce.status,
    server: bounce.server,
    is_later: bounce.isLater,
    is_verified: bounce.isVerified,
    suppression:
      suppressionId === null || suppressionReason === null ? null : { id: suppressionId, reason: suppressionReason },
    waiting_count: bounce.waitingCount,
  }
}
