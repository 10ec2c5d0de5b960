import { AppError } from '../../../contract/core/errors.ts'
import { embedSessionLifeSeconds } from '../../../contract/embed/embed.limits.ts'
import { embedScopePermissions, scopesOfWidgets, type EmbedScope } from '../../../contract/embed/embed-scopes.ts'
import { authorize } from '../../domain/auth/authorize.ts'
import type { MemberCaller } from '../../domain/auth/caller.ts'
import { canUseMailbox, type EmbedOpener, type EmbedRow } from '../../domain/auth/embed.ts'
import { hashToken, isToken } from '../../domain/auth/token.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { EmbedStore } from '../../store/embeds/embed.ts'
import type { EmbedSessionStore } from '../../store/embeds/embed-session.ts'

interface Ports {
  embeds: Pick<EmbedStore, 'find'>
  embedSessions: Pick<EmbedSessionStore, 'create'>
  newId: () => string
  newToken: () => string
  now: () => Date
}

/** A requested session. */
export interface EmbedSessionInput {
  embedId: string
  opener: EmbedOpener
  /** The member who opens it with an access token: the session never has more permissions. Null for all other openers. */
  member: MemberCaller | null
  origin: string
  /** Requested by a page of the dashboard for itself: its origin need not be allowed. */
  isPreview: boolean
  /** Default: all scopes of the embed. */
  scopes: readonly EmbedScope[] | undefined
  lifeSeconds: number | undefined
  userRef: string | null
  limits: { messages?: number | undefined; recipients?: number | undefined }
}

/** An opened session. The token is not stored. */
export interface OpenedSession {
  token: string
  expiresAt: Date
  scopes: readonly EmbedScope[]
}

export type OpenEmbedSession = (scope: Scope, input: EmbedSessionInput) => Promise<OpenedSession>

/**
 * Opens a session with at most the scopes of the embed. A secret key opens one for its own mailbox only.
 * Throws `embed_not_found`, `embed_paused`, `embed_origin_refused`, `embed_scope_refused`, `permission_missing`.
 */
export function createOpenEmbedSession(ports: Ports): OpenEmbedSession {
  return async (scope, input) => {
    const { embedId, opener, origin, isPreview } = input
    const embed = isToken('embed', embedId) ? await ports.embeds.find(scope, embedId) : null
    if (embed === null) throw new AppError('embed_not_found')
    requireOpen(embed, isPreview ? null : origin)
    const scopes = grantedScopes(embed, opener, input.scopes)
    if (input.member !== null) requireScopePermissions(input.member, scopes)
    if (opener.openedBy === 'key' && !canUseMailbox(embed, opener.mailboxId)) {
      throw new AppError('embed_scope_refused', {
        detail: 'The embed does not use the mailbox of this secret key. Add it to the embed in the dashboard.',
      })
    }
    const token = ports.newToken()
    const lifeMs = (input.lifeSeconds ?? embedSessionLifeSeconds.default) * 1000
    const expiresAt = new Date(ports.now().getTime() + lifeMs)
    const { messagesPerSession, recipientsPerSession } = embed.limits
    const isOpened = await ports.embedSessions.create(scope, {
      id: ports.newId(),
      embedId: embed.id,
      tokenHash: hashToken(token),
      origin,
      isPreview,
      scopes,
      mailboxIds: opener.openedBy === 'key' ? [opener.mailboxId] : null,
      userRef: input.userRef,
      opener,
      messagesLimit: Math.min(input.limits.messages ?? messagesPerSession, messagesPerSession),
      recipientsLimit: Math.min(input.limits.recipients ?? recipientsPerSession, recipientsPerSession),
      expiresAt,
    })
    if (!isOpened) throw new AppError('embed_paused')
    return { token, expiresAt, scopes }
  }
}

/** Throws where an embed is paused or does not allow the origin; null skips the origin check. */
export function requireOpen(embed: EmbedRow, origin: string | null): void {
  if (origin !== null && !embed.allowedOrigins.includes(origin)) throw new AppError('embed_origin_refused')
  if (embed.status === 'paused') throw new AppError('embed_paused')
}

/** Throws `permission_missing` where the caller does not hold every permission that the scopes grant. */
export function requireScopePermissions(caller: MemberCaller, scopes: readonly EmbedScope[]): void {
  for (const permission of scopes.flatMap((scope) => embedScopePermissions[scope])) authorize(caller, permission)
}

/** The requested scopes, by default all scopes of the embed. Throws `embed_scope_refused`. */
export function grantedScopes(
  embed: Pick<EmbedRow, 'widgets'>,
  opener: Pick<EmbedOpener, 'openedBy'>,
  asked: readonly EmbedScope[] | undefined,
): EmbedScope[] {
  const isKey = opener.openedBy === 'key'
  const given = scopesOfWidgets(embed.widgets).filter((scope) => !isKey || scope !== 'configs:write')
  const refused = asked?.find((scope) => !given.includes(scope))
  if (refused === undefined) return asked === undefined ? given : [...asked]
  const detail =
    isKey && refused === 'configs:write'
      ? 'A secret key cannot give configs:write. Open the session with an access token.'
      : `The embed’s widgets do not give ${refused}. Leave it out, or add the widget to the embed.`
  throw new AppError('embed_scope_refused', { detail })
}
