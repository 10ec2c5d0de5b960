import type * as api from '../../contract/results/tracking-domain.ts'
import type { TrackingDomain } from '../../contract/results/tracking-domain.ts'
import * as routes from '../../contract/results/tracking-domain.routes.ts'
import { call, type CallOptions, type Session } from '../core/http.ts'

/** Hosts of the workspace for the links and images of its mails, oldest first. */
export function listTrackingDomains(session: Session, options?: CallOptions): Promise<TrackingDomain[]> {
  return call<typeof api.listTrackingDomains>(session, { route: routes.listTrackingDomains }, options)
}

export function createTrackingDomain(
  session: Session,
  body: { host: string },
  options?: CallOptions,
): Promise<TrackingDomain> {
  return call<typeof api.createTrackingDomain>(session, { route: routes.createTrackingDomain, body }, options)
}

/** Looks for its DNS record and certificate now. */
export function checkTrackingDomain(session: Session, id: string, options?: CallOptions): Promise<TrackingDomain> {
  return call<typeof api.checkTrackingDomain>(session, { route: routes.checkTrackingDomain, params: { id } }, options)
}

/** Removes a domain; links of mails that have left work as long as its DNS record stays. */
export function deleteTrackingDomain(session: Session, id: string, options?: CallOptions): Promise<null> {
  return call<typeof api.deleteTrackingDomain>(session, { route: routes.deleteTrackingDomain, params: { id } }, options)
}
