import { AppError } from '../../../contract/core/errors.ts'
import * as contract from '../../../contract/results/tracking-domain.ts'
import type { TrackingDomainRow } from '../../domain/tracking/tracking-domain.ts'
import type { createTrackingDomains } from '../../usecases/tracking/tracking-domains.ts'
import type { AddRoute } from '../core/route.ts'

/** `/email/tracking-domains` and `/tracking/allow-host`. `target`: where the DNS records lead. */
export function addTrackingDomainRoutes(
  add: AddRoute,
  domains: ReturnType<typeof createTrackingDomains>,
  { target, isKnown }: { target: string; isKnown: (host: string) => Promise<boolean> },
): void {
  const toDomain = (row: TrackingDomainRow): contract.TrackingDomain => ({
    id: row.id,
    host: row.host,
    state: row.state,
    record: { type: 'CNAME', name: row.host, value: target },
    error: row.error,
    checked_at: row.checkedAt?.toISOString() ?? null,
    failing_since: row.failingSince?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  })
  add(contract.listTrackingDomains, async ({ scope }) => (await domains.list(scope)).map(toDomain))
  add(contract.createTrackingDomain, async ({ body, scope }) => toDomain(await domains.add(scope, body.host)))
  add(contract.checkTrackingDomain, async ({ params, scope }) => toDomain(await domains.check(scope, params.id)))
  add(contract.deleteTrackingDomain, async ({ params, scope }) => {
    await domains.remove(scope, params.id)
    return null
  })
  add(contract.allowTrackingHost, async ({ query }) => {
    const host = query.domain.toLowerCase()
    if (!(await isKnown(host))) throw new AppError('not_found')
    return { host }
  })
}
