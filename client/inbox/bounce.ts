import type * as api from '../../contract/inbox/bounce.ts'
import type { Bounce } from '../../contract/inbox/bounce.ts'
import * as routes from '../../contract/inbox/bounce.routes.ts'
import { call, type CallOptions, type Session } from '../core/http.ts'

/** What came back of the mails of a message. */
export function listBounces(session: Session, id: string, options?: CallOptions): Promise<Bounce[]> {
  return call<typeof api.listBounces>(session, { route: routes.listBounces, params: { id } }, options)
}

/** What came back of the mail to one recipient of a campaign. */
export function listCampaignBounces(
  session: Session,
  given: { id: string; deliveryId: string },
  options?: CallOptions,
): Promise<Bounce[]> {
  const params = { id: given.id, delivery_id: given.deliveryId }
  return call<typeof api.listCampaignBounces>(session, { route: routes.listCampaignBounces, params }, options)
}
