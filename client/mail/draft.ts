import type { Draft, DraftChange, SavedDraft } from '../../contract/mail/draft.ts'
import type * as api from '../../contract/mail/draft.ts'
import type { QueryOf } from '../../contract/core/operation.ts'
import { call, type CallOptions, type Session } from '../core/http.ts'
import * as routes from '../../contract/mail/draft.routes.ts'

/** The caller's own draft of one kind; null where there is none. */
export function getDraft(session: Session, kind: string, options?: CallOptions): Promise<Draft | null> {
  return call<typeof api.getDraft>(session, { route: routes.getDraft, params: { kind } }, options)
}

/** Saves a draft; the answer says which version it replaced without having known it. */
export function saveDraft(
  session: Session,
  kind: string,
  change: DraftChange,
  options?: CallOptions,
): Promise<SavedDraft> {
  return call<typeof api.saveDraft>(session, { route: routes.saveDraft, params: { kind }, body: change }, options)
}

/** Forgets a draft; with a `revision` only that one, a newer one stays. */
export function deleteDraft(
  session: Session,
  kind: string,
  query: QueryOf<typeof api.deleteDraft> = {},
  options?: CallOptions,
): Promise<null> {
  return call<typeof api.deleteDraft>(session, { route: routes.deleteDraft, params: { kind }, query }, options)
}
