import * as contract from '../../../contract/audience/campaign-audience.ts'
import { nextCursorHeader } from '../../../contract/core/paging.ts'
import type { AudienceCounts } from '../../domain/campaigns/audience.ts'
import { eventStream } from '../core/event-stream.ts'
import { idCursor, readIdPage } from '../core/paging.ts'
import type { AddRoute } from '../core/route.ts'
import { toAudience, type CampaignUseCases } from './campaign.ts'

/** Routes that count and list the people of audiences. */
export function addCampaignAudienceRoutes(add: AddRoute, useCases: CampaignUseCases): void {
  add(contract.countAudience, async ({ body, scope, reply }) => {
    const counts = await useCases.countAudience(scope, toAudience(body) ?? {}, body.recipients ?? [])
    return eventStream(reply, 'audience', counts, toCount)
  })

  add(contract.listAudiencePeople, async ({ body, query, scope, reply }) => {
    const { limit, afterId } = readIdPage({ limit: 1, ...query })
    const page = { query: body.query ?? '', limit, afterId: afterId ?? 0 }
    const { people, nextId } = await useCases.listAudiencePeople(scope, toAudience(body) ?? {}, page)
    if (nextId !== null) void reply.header(nextCursorHeader, idCursor(nextId))
    return people.map(({ id, email, context }) => ({ contact_id: String(id), email, context }))
  })

  add(contract.watchCampaignAudience, async ({ params, scope, reply }) =>
    eventStream(reply, 'audience', await useCases.watchCampaignAudience(scope, params.id), toCount),
  )
}

function toCount({ isEstimate, count, sources, overlapCount, leftOut }: AudienceCounts): contract.AudienceCount {
  return {
    status: isEstimate ? 'estimate' : 'exact',
    count,
    sources: sources.map((source) => ({ ...source })),
    overlaps: overlapCount,
    left_out: contract.leftOutReasons.flatMap((reason) => {
      const leftOutCount = leftOut[reason] ?? 0
      return leftOutCount === 0 ? [] : [{ reason, count: leftOutCount }]
    }),
  }
}
