import { AppError } from '../../../contract/core/errors.ts'
import { serverMessage } from '../../../contract/core/server-messages.ts'
import type { EmbedScope } from '../../../contract/embed/embed-scopes.ts'
import type { EmbedCaller, EmbedVisitor } from '../../domain/auth/embed.ts'
import { embedAlias, hashToken, isToken } from '../../domain/auth/token.ts'
import type { EmbedStore } from '../../store/embeds/embed.ts'
import type { EmbedSessionStore } from '../../store/embeds/embed-session.ts'

interface Ports {
  embeds: Pick<EmbedStore, 'findPublic' | 'isRegistered'>
  embedSessions: Pick<EmbedSessionStore, 'findGrant'>
}

/** Recognises callers from pages of other sites; each function throws where the token or id does not hold. */
export interface AuthenticateEmbed {
  /** Whether a text is an embed session's token, by its form. */
  isSession: (token: string | null) => token is string
  /**
   * A live session with a scope (null: none would do), called from its own origin. Throws `embed_session_ended`,
   * `embed_origin_refused`, `embed_forbidden`.
   */
  session: (token: string, from: string | null, scope: EmbedScope | null) => Promise<EmbedCaller>
  /** Whether a text is an embed's id, by its form. */
  isEmbed: (id: string | null) => id is string
  /** Throws `embed_not_found`, `embed_origin_refused`, `embed_paused`. */
  visitor: (id: string, from: string | null) => Promise<EmbedVisitor>
  /** Whether any embed allows an origin. */
  isRegistered: (origin: string) => Promise<boolean>
}

/** Reads the session on every call, so that a revocation takes effect at once. */
export function createAuthenticateEmbed({ embeds, embedSessions }: Ports): AuthenticateEmbed {
  return {
    isSession: (token): token is string => token !== null && isToken('embed_session', token),
    async session(token, from, scope) {
      const grant = await embedSessions.findGrant(hashToken(token))
      if (grant === null) throw new AppError('embed_session_ended')
      // A page of the dashboard names no origin where it reads; every other page does.
      if (from === null ? !grant.isPreview : from !== grant.origin) throw new AppError('embed_origin_refused')
      if (scope === null) throw new AppError('embed_forbidden')
      if (!grant.scopes.includes(scope)) {
        throw new AppError('embed_forbidden', { detail: serverMessage('embed_scope_missing', { scope }) })
      }
      const aliasOf = (mailboxId: string) => embedAlias(token, mailboxId)
      const isLive = async () => (await embedSessions.findGrant(hashToken(token)))?.scopes.includes(scope) === true
      return { kind: 'embed', grant, aliasOf, isLive }
    },
    isEmbed: (id): id is string => id !== null && isToken('embed', id),
    async visitor(id, from) {
      const embed = await embeds.findPublic(id)
      if (embed === null) throw new AppError('embed_not_found')
      if (from === null || !embed.allowedOrigins.includes(from)) throw new AppError('embed_origin_refused')
      if (embed.status === 'paused') throw new AppError('embed_paused')
      if (!embed.widgets.includes('template-picker')) throw new AppError('embed_forbidden')
      return { kind: 'embed_visitor', embedId: embed.id, workspaceId: embed.workspaceId }
    },
    isRegistered: (origin) => embeds.isRegistered(origin),
  }
}
