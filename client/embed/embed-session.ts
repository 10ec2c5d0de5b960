import type {
  EmbedConsent,
  EmbedFacts,
  exchangeEmbedCode as ExchangeEmbedCode,
  getEmbedConfig as GetEmbedConfig,
  getEmbedConsent as GetEmbedConsent,
  giveEmbedConsent as GiveEmbedConsent,
  NewEmbedSession,
  OpenedEmbedSession,
  openEmbedSession as OpenEmbedSession,
} from '../../contract/embed/embed-session.ts'
import type { BodyOf, QueryOf } from '../../contract/core/operation.ts'
import { call, type CallOptions, type Session } from '../core/http.ts'
import * as routes from '../../contract/embed/embed-session.routes.ts'

/** Opens a session of an embed for the dashboard's own page: the live preview. */
export function openEmbedSession(
  session: Session,
  body: NewEmbedSession,
  options?: CallOptions,
): Promise<OpenedEmbedSession> {
  return call<typeof OpenEmbedSession>(session, { route: routes.openEmbedSession, body }, options)
}

/** What a page may know of its embed without a session. */
export function getEmbedConfig(session: Session, embed: string, options?: CallOptions): Promise<EmbedFacts> {
  return call<typeof GetEmbedConfig>(session, { route: routes.getEmbedConfig, query: { embed } }, options)
}

/** What the signed-in person is asked to allow a page. */
export function getEmbedConsent(
  session: Session,
  query: QueryOf<typeof GetEmbedConsent>,
  options?: CallOptions,
): Promise<EmbedConsent> {
  return call<typeof GetEmbedConsent>(session, { route: routes.getEmbedConsent, query }, options)
}

/** Allows it; gives the code for the page. */
export function giveEmbedConsent(
  session: Session,
  body: BodyOf<typeof GiveEmbedConsent>,
  options?: CallOptions,
): Promise<{ code: string }> {
  return call<typeof GiveEmbedConsent>(session, { route: routes.giveEmbedConsent, body }, options)
}

/** Trades the code for a session. */
export function exchangeEmbedCode(
  session: Session,
  body: BodyOf<typeof ExchangeEmbedCode>,
  options?: CallOptions,
): Promise<OpenedEmbedSession> {
  return call<typeof ExchangeEmbedCode>(session, { route: routes.exchangeEmbedCode, body }, options)
}
