import type { Embed, EmbedAuditEntry, EmbedChanges, EmbedSession, NewEmbed } from '../../contract/embed/embed.ts'
import type * as api from '../../contract/embed/embed.ts'
import type { QueryOf } from '../../contract/core/operation.ts'
import { call, callList, type CallOptions, type Page, type Session } from '../core/http.ts'
import * as routes from '../../contract/embed/embed.routes.ts'

/** A page of the workspace's embeds, newest first. */
export function listEmbeds(
  session: Session,
  query: QueryOf<typeof api.listEmbeds> = {},
  options?: CallOptions,
): Promise<Page<Embed>> {
  return callList<typeof api.listEmbeds>(session, { route: routes.listEmbeds, query }, options)
}

/** Makes an embed. */
export function createEmbed(session: Session, embed: NewEmbed, options?: CallOptions): Promise<Embed> {
  return call<typeof api.createEmbed>(session, { route: routes.createEmbed, body: embed }, options)
}

/** One embed. */
export function getEmbed(session: Session, id: string, options?: CallOptions): Promise<Embed> {
  return call<typeof api.getEmbed>(session, { route: routes.getEmbed, params: { id } }, options)
}

/** Changes an embed; pauses and resumes it too. */
export function updateEmbed(session: Session, id: string, body: EmbedChanges, options?: CallOptions): Promise<Embed> {
  return call<typeof api.updateEmbed>(session, { route: routes.updateEmbed, params: { id }, body }, options)
}

/** Deletes an embed with its sessions and what is written down of them. */
export function deleteEmbed(session: Session, id: string, options?: CallOptions): Promise<null> {
  return call<typeof api.deleteEmbed>(session, { route: routes.deleteEmbed, params: { id } }, options)
}

/** A page of an embed's sessions, newest first. */
export function listEmbedSessions(
  session: Session,
  id: string,
  query: QueryOf<typeof api.listEmbedSessions> = {},
  options?: CallOptions,
): Promise<Page<EmbedSession>> {
  const list = { route: routes.listEmbedSessions, params: { id }, query } as const
  return callList<typeof api.listEmbedSessions>(session, list, options)
}

/** Ends one session of an embed. */
export function revokeEmbedSession(
  session: Session,
  id: string,
  sessionId: string,
  options?: CallOptions,
): Promise<null> {
  const params = { id, session_id: sessionId }
  return call<typeof api.revokeEmbedSession>(session, { route: routes.revokeEmbedSession, params }, options)
}

/** Ends every session of an embed. */
export function revokeEmbedSessions(session: Session, id: string, options?: CallOptions): Promise<null> {
  return call<typeof api.revokeEmbedSessions>(session, { route: routes.revokeEmbedSessions, params: { id } }, options)
}

/** A page of what an embed's sessions did, newest first. */
export function listEmbedAudit(
  session: Session,
  id: string,
  query: QueryOf<typeof api.listEmbedAudit> = {},
  options?: CallOptions,
): Promise<Page<EmbedAuditEntry>> {
  const list = { route: routes.listEmbedAudit, params: { id }, query } as const
  return callList<typeof api.listEmbedAudit>(session, list, options)
}
