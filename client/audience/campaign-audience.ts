import type {
  AudienceCount,
  AudiencePerson,
  countAudience as CountAudience,
  listAudiencePeople as ListAudiencePeople,
} from '../../contract/audience/campaign-audience.ts'
import type { BodyOf, QueryOf } from '../../contract/core/operation.ts'
import * as routes from '../../contract/mail/campaign.routes.ts'
import { callStream, readEvents } from '../core/event-stream.ts'
import { callList, type CallOptions, type Page, type Session } from '../core/http.ts'

/** People of lists, segments and addresses: an estimate where there are many contacts, then the exact number. */
export function countAudience(
  session: Session,
  body: BodyOf<typeof CountAudience>,
  options?: CallOptions,
): AsyncGenerator<AudienceCount> {
  return readEvents<AudienceCount>(
    callStream<typeof CountAudience>(session, { route: routes.countAudience, body }, options),
  )
}

/** Contacts of lists and segments who get the mail, oldest contact first. */
export function listAudiencePeople(
  session: Session,
  body: BodyOf<typeof ListAudiencePeople>,
  query: QueryOf<typeof ListAudiencePeople> = {},
  options?: CallOptions,
): Promise<Page<AudiencePerson>> {
  return callList<typeof ListAudiencePeople>(session, { route: routes.listAudiencePeople, query, body }, options)
}
