import type { EmbedConsent, NewEmbedSession, OpenedEmbedSession } from '../../contract/embed/embed-session.ts'
import type * as api from '../../contract/embed/embed-session.ts'
import type { BodyOf, QueryOf } from '../../contract/core/operation.ts'
import { call, type CallOptions, type Session } from '../core/http.ts'
import * as routes from '../../contract/embed/embed-session.routes.ts'

/** Opens a session of an embed for the dashboard's own page: the live preview. */
export function openEmbedSession(
  session: Session,
  body: NewEmbedSession,
  options?: CallOptions,
): Promise<OpenedEmbedSession> {
  return call<typeof api.openEmbedSession>(session, { route: routes.openEmbedSession, body }, options)
}

/** What the signed-in person is asked to allow a page. */
export function getEmbedConsent(
  session: Session,
  query: QueryOf<typeof api.getEmbedConsent>,
  options?: CallOptions,
): Promise<EmbedConsent> {
  return call<typeof api.getEmbedConsent>(session, { route: routes.getEmbedConsent, query }, options)
}

/** Allows it; gives the code for the page. */
export function giveEmbedConsent(
  session: Session,
  body: BodyOf<typeof api.giveEmbedConsent>,
  options?: CallOptions,
): Promise<{ code: string }> {
  return call<typeof api.giveEmbedConsent>(session, { route: routes.giveEmbedConsent, body }, options)
}

/** Trades the code for a session. */
export function exchangeEmbedCode(
  session: Session,
  body: BodyOf<typeof api.exchangeEmbedCode>,
  options?: CallOptions,
): Promise<OpenedEmbedSession> {
  return call<typeof api.exchangeEmbedCode>(session, { route: routes.exchangeEmbedCode, body }, options)
}
